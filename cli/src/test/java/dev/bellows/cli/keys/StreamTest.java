package dev.bellows.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.cli.Cli;
import dev.bellows.cli.Main;
import dev.bellows.cli.console.Console;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Inputs of many lines, which one thread reads and another one consumes. */
@Timeout(600)
class StreamTest {
  /** More lines than one group has. */
  private static final int MANY = 100_000;

  @TempDir Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  /** Lines of 0 to 80 bytes, with both ends. */
  private static String lines(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "k" + i + "x".repeat(i % 80) + (i % 3 == 0 ? "\r\n" : "\n"))
        .collect(Collectors.joining());
  }

  @Test
  void theFilterHoldsWhatTheLibraryWouldBuildLineByLine() throws IOException {
    Files.writeString(path("keys"), lines(0, MANY));
    BloomFilter expected = BloomFilter.create(MANY, 0.01);
    lines(0, MANY).lines().forEach(expected::put);
    Cli.run("build", "--keys", MANY, "-o", path("a"), path("keys")).succeeded();
    assertThat(BloomFilter.readFrom(path("a"))).isEqualTo(expected);
    Cli.run("build", "--like", path("a"), "-o", path("b")).succeeded();
    Map<String, Object> added = Cli.run("add", path("b"), path("keys"), "--json").json();
    assertThat(BloomFilter.readFrom(path("b"))).isEqualTo(expected);
    BloomFilter again = BloomFilter.create(MANY, 0.01);
    long changed = lines(0, MANY).lines().filter(again::put).count();
    assertThat(added).containsEntry("lines", MANY).containsEntry("new", (int) changed);
  }

  @Test
  void answersComeInTheOrderOfTheLines() throws IOException {
    Cli.with(lines(0, MANY), "build", "-o", path("f")).succeeded();
    BloomFilter filter = BloomFilter.readFrom(path("f"));
    String asked = lines(MANY / 2, 2 * MANY);
    String found = Cli.with(asked, "query", path("f")).succeeded().out();
    assertThat(found.lines())
        .containsExactlyElementsOf(asked.lines().filter(filter::mightContain).toList());
    String missed = Cli.with(asked, "query", "--invert", path("f")).succeeded().out();
    assertThat(missed.lines())
        .containsExactlyElementsOf(asked.lines().filter(k -> !filter.mightContain(k)).toList());
    assertThat(Cli.with(asked, "query", "--count", path("f")).out())
        .isEqualTo(found.lines().count() + "\n");
    assertThat(Cli.with(asked, "query", "--json", "--count", path("f")).json())
        .containsEntry("asked", 3 * MANY / 2)
        .containsEntry("found", (int) found.lines().count());
  }

  @Test
  void columnsAndLongsOfManyLines() throws IOException {
    String table =
        IntStream.range(0, MANY).mapToObj(i -> "a;" + i + ";b\n").collect(Collectors.joining());
    Cli.with(table, "build", "--longs", "--field", 2, "--delimiter", ";", "-o", path("f"))
        .succeeded();
    BloomFilter filter = BloomFilter.readFrom(path("f"));
    assertThat(IntStream.range(0, MANY).allMatch(filter::mightContain)).isTrue();
    assertThat(
            Cli.with(table, "query", "--longs", "--field", 2, "--delimiter", ";", path("f")).out())
        .isEqualTo(table);
    assertThat(
            Cli.with(table, "query", "--field", 2, "--delimiter", ";", "--only-field", path("f"))
                .out())
        .isEqualTo(Cli.numbers(0, MANY));
  }

  @Test
  void aBadLineIsReportedAfterTheAnswersBeforeIt() {
    Cli.with(Cli.numbers(0, MANY), "build", "--longs", "-o", path("f")).succeeded();
    Cli.Result result =
        Cli.with(Cli.numbers(0, MANY) + "x\n" + Cli.numbers(0, 9), "query", "--longs", path("f"));
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err())
        .startsWith("bellows: standard input:" + (MANY + 1) + ": 'x' is not a decimal long");
    assertThat(result.out()).isEqualTo(Cli.numbers(0, MANY));
    Cli.Result narrow = Cli.with(Cli.numbers(0, MANY) + "x\ty\n", "query", "--field", 2, path("f"));
    assertThat(narrow.err()).contains("standard input:1: the line has 1 column, not 2");
    String table = "1\t7\n".repeat(MANY);
    Cli.Result late = Cli.with(table + "1\n", "build", "--field", 2, "-o", path("g"));
    late.refused("standard input:" + (MANY + 1) + ": the line has 1 column, not 2");
    assertThat(path("g")).doesNotExist();
  }

  @Test
  void idsOutsideTheUniverseAreNamedByTheirLine() {
    Cli.with(
            Cli.numbers(0, MANY) + "1048576\n",
            "build",
            "--kind",
            "partition",
            "--universe",
            "2^20",
            "--longs",
            "-o",
            path("f"))
        .refused("standard input:" + (MANY + 1) + ": ", "1048576");
  }

  @Test
  void readErrorsAreReportedUnchanged() throws IOException {
    InputStream broken =
        new SequenceInputStream(
            new ByteArrayInputStream(lines(0, MANY).getBytes(StandardCharsets.UTF_8)),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("the cable is out");
              }
            });
    assertThat(Cli.with(broken, "build", "-o", path("f")).refused("cable").err())
        .isEqualTo("bellows: the cable is out\n");
    Files.writeString(path("keys"), lines(0, MANY));
    assertThat(
            Cli.run("build", "-o", path("f"), path("keys"), path("none"))
                .refused("no such file")
                .err())
        .isEqualTo("bellows: no such file: " + path("none") + "\n");
    Cli.run("build", "-o", path("f"), path("keys"), folder).refused("is a directory");
    assertThat(path("f")).doesNotExist();
  }

  /** The second line is only sent once the first one is answered. */
  @Test
  void answersAreFlushedBeforeWaitingForInput() {
    Cli.with("ann\nbob\n", "build", "--fpp", "1e-9", "-o", path("f")).succeeded();
    CountDownLatch answered = new CountDownLatch(1);
    ByteArrayOutputStream out =
        new ByteArrayOutputStream() {
          @Override
          public void flush() {
            if (size() > 0) {
              answered.countDown();
            }
          }
        };
    InputStream conversation =
        new InputStream() {
          private int sent;

          @Override
          public int read() {
            throw new UnsupportedOperationException("one byte");
          }

          @Override
          public int read(byte[] into, int from, int length) throws IOException {
            String line =
                switch (sent++) {
                  case 0 -> "ann\nbo"; // an incomplete line must not make the reader wait
                  case 1 -> awaitAnswer();
                  default -> "";
                };
            byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
            System.arraycopy(bytes, 0, into, from, bytes.length);
            return bytes.length == 0 ? -1 : bytes.length;
          }

          private String awaitAnswer() throws IOException {
            try {
              if (!answered.await(10, TimeUnit.MINUTES)) {
                throw new IOException("nobody answered");
              }
              return "b\n";
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(
            new BufferedInputStream(conversation),
            out,
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            false,
            false);
    assertThat(Main.run(console, "query", path("f").toString()))
        .as(err.toString(StandardCharsets.UTF_8))
        .isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("ann\nbob\n");
  }
}
