package dev.bellows.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LineReaderTest {
  @Test
  void linesLoseTheirEnds() throws IOException {
    assertThat(read("")).isEmpty();
    assertThat(read("a")).containsExactly("a");
    assertThat(read("a\n")).containsExactly("a");
    assertThat(read("a\r\nb\r\n")).containsExactly("a", "b");
    assertThat(read("a\n\nb")).containsExactly("a", "", "b");
    assertThat(read("\n")).containsExactly("");
    assertThat(read("\r\n\n")).containsExactly("", "");
    assertThat(read("a\rb\r\r\n")).containsExactly("a\rb\r");
  }

  @Test
  void theLastLineMayEndWithoutALineEndOrWithHalfOfOne() throws IOException {
    assertThat(read("a\nb\r")).containsExactly("a", "b");
  }

  @Test
  void longLines() throws IOException {
    String longLine = "x".repeat(300_000);
    assertThat(read("a\n" + longLine + "\nb\n" + longLine))
        .containsExactly("a", longLine, "b", longLine);
  }

  @Test
  void onlyLineEndsSeparateLines() throws IOException {
    for (int value = 0; value < 256; value++) {
      for (int at = 0; at < 24; at++) {
        byte[] bytes = new byte[24];
        Arrays.fill(bytes, (byte) (value ^ 0x80));
        bytes[at] = (byte) value;
        List<byte[]> lines = new ArrayList<>();
        Lines into = new Lines();
        Lines.Reader reader = reader(new ByteArrayInputStream(bytes), 24);
        while (reader.read(into)) {
          Lines.Query.each(
                  (buffer, from, length) ->
                      lines.add(Arrays.copyOfRange(buffer, from, from + length)))
              .ask(into, new boolean[into.count()]);
        }
        if (value != '\n' && value != '\r' && (value ^ 0x80) != '\n' && (value ^ 0x80) != '\r') {
          assertThat(lines).hasSize(1);
          assertThat(lines.get(0)).isEqualTo(bytes);
        } else if (value == '\n') {
          assertThat(lines).hasSize(at < 23 ? 2 : 1);
          assertThat(lines.get(0)).hasSize(at);
        }
      }
    }
  }

  @Test
  void howTheBytesArriveDoesNotMatter() throws IOException {
    Random random = new Random(7);
    for (int round = 0; round < 50; round++) {
      StringBuilder text = new StringBuilder();
      List<String> expected = new ArrayList<>();
      int lines = random.nextInt(40);
      for (int i = 0; i < lines; i++) {
        String line = "k".repeat(random.nextInt(round % 5 == 0 ? 20_000 : 20));
        expected.add(line);
        text.append(line).append(random.nextBoolean() ? "\n" : "\r\n");
      }
      assertThat(read(trickle(text.toString(), random))).isEqualTo(expected);
    }
  }

  /** The lines before it are read, and no more than about its limit of the long one. */
  @Test
  void aLineAboveTheLimitEndsTheInput() throws IOException {
    Random random = new Random(5);
    for (int limit : new int[] {1, 7, 8, 1000, Lines.USUAL_BYTES, 100_000}) {
      String longest = "x".repeat(limit);
      for (String end : new String[] {"", "\n", "\r\n", "\r", "\nb\n"}) {
        String text = "a\n" + longest + "\r\n" + longest + "\n" + longest + "x" + end;
        for (InputStream in : List.of(bytes(text), trickle(text, random))) {
          Lines.Reader reader = reader(in, limit);
          Lines lines = new Lines();
          int count = 0;
          while (reader.read(lines)) {
            assertThat(lines.length(lines.count() - 1))
                .isEqualTo(count == 0 && lines.count() == 1 ? 1 : limit);
            count += lines.count();
            assertThat(lines.failure != null && count < 3).isFalse();
          }
          assertThat(count).isEqualTo(3);
          assertThat(lines.failure).hasMessageStartingWith("name:4: the line is longer");
          assertThat(reader.read(lines)).isFalse();
        }
      }
    }
  }

  @Test
  void anEndlessLineTakesNoMoreMemoryThanTheLimit() throws IOException {
    InputStream endless =
        new InputStream() {
          @Override
          public int read() {
            return 'x';
          }

          @Override
          public int read(byte[] into, int from, int length) {
            Arrays.fill(into, from, from + length, (byte) 'x');
            return length;
          }
        };
    Lines.Reader reader = reader(endless, 1 << 20);
    Lines lines = new Lines();
    assertThat(reader.read(lines)).isFalse();
    assertThat(lines.failure).isNotNull();
    assertThat(lines.buffer().length).isLessThanOrEqualTo(1 << 21);
  }

  private static List<String> read(String text) throws IOException {
    return read(bytes(text));
  }

  private static InputStream bytes(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> read(InputStream in) throws IOException {
    List<String> texts = new ArrayList<>();
    Lines.Reader reader = reader(in, Lines.MAX_LENGTH);
    Lines lines = new Lines();
    while (reader.read(lines)) {
      assertThat(lines.count()).isPositive();
      for (int i = 0; i < lines.count(); i++) {
        texts.add(lines.text(i));
      }
    }
    assertThat(reader.read(lines)).isFalse();
    assertThat(lines.failure).isNull();
    return texts;
  }

  /** Whole lines. */
  static Lines.Reader reader(InputStream in, int maxLength) {
    return new Lines.Reader(
        in, "name", new LineFormat(new byte[] {'\t'}, null, false, maxLength, false));
  }

  private static InputStream trickle(String text, Random random) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
      @Override
      public synchronized int read(byte[] into, int from, int length) {
        return super.read(into, from, Math.min(length, 1 + random.nextInt(10_000)));
      }
    };
  }
}
