package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.io.ReadOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A process that receives a signal while it writes: its partial file is deleted, the old file
 * stays.
 */
class SignalsTest {
  /** So large that a write takes a while. */
  private static final long BITS = 512L << 20;

  /** A write of 64 MiB may end before the signal arrives; not a hundred times. */
  private static final int TRIES = 100;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"INT, add, 130", "TERM, add, 143", "INT, build, 130", "TERM, build, 143"})
  void aSignalDuringAWriteLeavesTheOldFileAndNothingElse(String signal, String verb, int code)
      throws Exception {
    Path target = folder.resolve("target");
    Path old = Files.writeString(folder.resolve("old"), Cli.numbers(0, 1000));
    Path more = Files.writeString(folder.resolve("more"), Cli.numbers(1000, 2000));
    Cli.run("build", "--bits", BITS, "--hashes", 6, "--longs", "-o", target, old).succeeded();
    boolean caught = false;
    for (int tries = 0; tries < TRIES && !caught; tries++) {
      Process process =
          (verb.equals("add")
                  ? Processes.interruptible("add", target, more)
                  : Processes.interruptible(
                      "build", "--bits", BITS, "--hashes", 6, "--longs", "-o", target, old, more))
              .redirectOutput(new File("/dev/null"))
              .start();
      Process sender = sender(signal, process);
      while (process.isAlive() && Processes.parts(folder).isEmpty()) {
        Thread.onSpinWait();
      }
      sender.getOutputStream().close();
      sender.waitFor();
      int exit = process.waitFor();
      assertThat(folder.toFile().list())
          .as("exit code %d", exit)
          .containsExactlyInAnyOrder("target", "old", "more");
      BloomFilter now = BloomFilter.FORMAT.readFrom(target, ReadOptions.UNLIMITED);
      assertThat(missing(now, 0, 1000)).isZero();
      // all new keys or none of them: the file is the old one or the new one
      assertThat(missing(now, 1000, 2000)).isIn(0, 1000);
      caught = exit == code;
      assertThat(exit).isIn(0, code);
      if (!caught) {
        assertThat(missing(now, 1000, 2000)).isZero();
      }
    }
    assertThat(caught).as("the signal came in time").isTrue();
    Cli.run("add", target, more).succeeded();
  }

  /** A shell that sends the signal when its input ends; it runs before the write begins. */
  private static Process sender(String signal, Process process) throws IOException {
    String kill = "read end; kill -" + signal + " " + process.pid();
    return new ProcessBuilder(List.of("sh", "-c", kill)).redirectErrorStream(true).start();
  }

  private static int missing(BloomFilter filter, int from, int to) {
    int missing = 0;
    for (long key = from; key < to; key++) {
      missing += filter.mightContain(key) ? 0 : 1;
    }
    return missing;
  }
}
