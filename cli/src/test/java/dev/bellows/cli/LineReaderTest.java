package dev.bellows.cli;

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
  void aLastLineNeedsNoEndButMayHaveHalfOfOne() throws IOException {
    assertThat(read("a\nb\r")).containsExactly("a", "b");
  }

  @Test
  void linesOfAnyLength() throws IOException {
    String longLine = "x".repeat(300_000);
    assertThat(read("a\n" + longLine + "\nb\n" + longLine))
        .containsExactly("a", longLine, "b", longLine);
  }

  @Test
  void onlyLineEndsEndLines() throws IOException {
    for (int value = 0; value < 256; value++) {
      for (int at = 0; at < 24; at++) {
        byte[] bytes = new byte[24];
        Arrays.fill(bytes, (byte) (value ^ 0x80));
        bytes[at] = (byte) value;
        List<byte[]> lines = new ArrayList<>();
        Lines into = new Lines();
        LineReader reader = new LineReader(new ByteArrayInputStream(bytes));
        while (reader.read(into)) {
          into.forEach(
              (buffer, from, length) -> lines.add(Arrays.copyOfRange(buffer, from, from + length)));
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

  private static List<String> read(String text) throws IOException {
    return read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static List<String> read(InputStream in) throws IOException {
    List<String> texts = new ArrayList<>();
    LineReader reader = new LineReader(in);
    Lines lines = new Lines();
    while (reader.read(lines)) {
      assertThat(lines.count()).isPositive();
      lines.forEach(
          (buffer, from, length) ->
              texts.add(new String(buffer, from, length, StandardCharsets.UTF_8)));
    }
    assertThat(reader.read(lines)).isFalse();
    return texts;
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
