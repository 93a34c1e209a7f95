package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.io.ReadOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that are killed at random moments while they add, build and unite: never a torn file,
 * no acknowledged key lost, and the next writer sweeps what the dead one left.
 */
class KillsTest {
  private static final int KILLED = 137;
  private static final long BITS = 512L << 18;
  private static final int BATCH = 500;

  @TempDir Path folder;

  private final SplittableRandom random = new SplittableRandom(17);

  /** The batches of keys that are in the target: the process that put them said so. */
  private final BitSet added = new BitSet();

  /** The batch of the file that is built anew each time. */
  private int built;

  /**
   * About the time of a process: longer after a kill and shorter after an end, so that on a machine
   * of any load most are killed towards their end, when they write, and some end.
   */
  private long millis;

  private int batches;
  private int kills;

  /** The temporary files that killed processes left. */
  private final Set<Path> partsLeft = new HashSet<>();

  @Test
  void killsLoseNothing() throws Exception {
    kill(12);
    assertThat(kills).isEqualTo(12);
  }

  /** The long run of docs/reliability.md; it prints its row. */
  @Tag("scale")
  @Test
  void fiveHundredKillsLoseNothing() throws Exception {
    kill(500);
    assertThat(partsLeft).as("some came while a file was written").isNotEmpty();
    System.out.printf(
        Locale.ROOT,
        "| kill -9 during `add`, `build -o` and `union -o` | %d, %d of them while a file was written | 0 torn files, 0 of %,d acknowledged keys lost, all parts swept | `KillsTest` | %s |%n",
        kills,
        partsLeft.size(),
        (added.cardinality() + 1) * BATCH,
        LocalDate.now());
  }

  private void kill(int wanted) throws Exception {
    Path target = folder.resolve("target");
    Path partner = folder.resolve("partner");
    Path other = folder.resolve("other");
    build(target, 0);
    build(partner, 1);
    build(other, 0);
    added.set(0);
    batches = 2;
    long begun = System.nanoTime();
    assertThat(start("add", target, keys(0)).waitFor()).isZero();
    millis = (System.nanoTime() - begun) / 1_000_000;
    while (kills < wanted) {
      int batch = batches++;
      switch (random.nextInt(3)) {
        case 0 -> {
          if (interrupted(start("add", target, keys(batch)), target)) {
            added.set(batch);
          }
        }
        case 1 -> {
          if (interrupted(start("union", target, partner, "-o", target), target)) {
            added.set(1);
          }
        }
        default -> {
          Process process =
              start("build", "--bits", BITS, "--hashes", 6, "--longs", "-o", other, keys(batch));
          boolean done = interrupted(process, other);
          BloomFilter now = BloomFilter.readFrom(other, ReadOptions.UNLIMITED);
          assertThat(has(now, batch) || (!done && has(now, built))).isTrue();
          built = has(now, batch) ? batch : built;
        }
      }
      BloomFilter now = BloomFilter.readFrom(target, ReadOptions.UNLIMITED);
      assertThat(added.stream()).allMatch(put -> has(now, put));
    }
    for (Path swept : new Path[] {target, other}) {
      assertThat(start("add", swept, keys(0)).waitFor()).isZero();
    }
    assertThat(Processes.parts(folder)).isEmpty();
  }

  private void build(Path file, int batch) throws IOException {
    Cli.run("build", "--bits", BITS, "--hashes", 6, "--longs", "-o", file, keys(batch)).succeeded();
  }

  private Process start(Object... arguments) throws IOException {
    return Processes.bellows(arguments).redirectOutput(new File("/dev/null")).start();
  }

  /** Kills a process after a random time; whether it had ended well before. */
  private boolean interrupted(Process process, Path target) throws Exception {
    long wait = millis / 2 + random.nextLong(millis / 2 + 1);
    if (!process.waitFor(wait, TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
    }
    int code = process.waitFor();
    assertThat(code).isIn(0, KILLED);
    List<Path> left =
        Processes.parts(folder).stream()
            .filter(part -> part.getFileName().toString().startsWith("." + target.getFileName()))
            .toList();
    if (code == 0) {
      assertThat(left).as("it sweeps what dead writers of its file left").isEmpty();
      millis -= millis / 8;
      return true;
    }
    kills++;
    millis += millis / 32 + 1;
    partsLeft.addAll(left);
    return false;
  }

  /** A file of keys that no other batch has. */
  private Path keys(int batch) throws IOException {
    Path file = folder.resolve("keys" + batch);
    if (!Files.exists(file)) {
      Files.writeString(file, Cli.numbers(batch * BATCH, (batch + 1) * BATCH));
    }
    return file;
  }

  private static boolean has(BloomFilter filter, int batch) {
    for (long key = (long) batch * BATCH; key < (batch + 1L) * BATCH; key++) {
      if (!filter.mightContain(key)) {
        return false;
      }
    }
    return true;
  }
}
