package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.HashScheme.KeyType;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.io.ReadOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that are killed at random moments while they add, fold, merge and filter lines with a
 * state: every file is the old one or the new one, no acknowledged key is lost, and the next writer
 * deletes the temporary files of the dead one.
 */
class KillsTest {
  private static final int KILLED = 137;
  private static final long BITS = 512L << 18;
  private static final int STATE_KEYS = 200_000;
  private static final int BATCH = 500;

  /** What is killed. */
  private enum Killed {
    ADD,
    FOLD,
    UNION,
    UNIQ
  }

  @TempDir Path folder;

  private final SplittableRandom random = new SplittableRandom(17);

  /** The batches whose keys are in the filter: the process that put them said so. */
  private final BitSet added = new BitSet();

  /** The batches whose keys are in the state of uniq. */
  private final BitSet seen = new BitSet();

  /**
   * The approximate duration of a process: longer after a kill and shorter after a regular end, so
   * that under any load most processes are killed towards their end, when they write, and some
   * complete.
   */
  private final Map<Killed, Long> millis = new EnumMap<>(Killed.class);

  private final Map<Killed, Integer> kills = new EnumMap<>(Killed.class);

  private int batches;

  /** The temporary files that killed processes left. */
  private final Set<Path> partsLeft = new HashSet<>();

  @Test
  void killsLoseNothing() throws Exception {
    kill(8);
  }

  /** The long run of docs/reliability.md; it prints its row. */
  @Tag("scale")
  @Test
  void fiveHundredKillsLoseNothing() throws Exception {
    kill(Integer.getInteger("bellows.kills", 500));
    assertThat(partsLeft).as("some came while a file was written").isNotEmpty();
    System.out.printf(
        Locale.ROOT,
        "| kill -9 during `add` (%d), `fold -o` (%d), `union -o` (%d) and `uniq --state` (%d) | %d,"
            + " %d of them while a file was written | every file the old or the new one, 0 of %,d"
            + " acknowledged keys lost, all parts swept | `KillsTest` | %s |%n",
        kills.get(Killed.ADD),
        kills.get(Killed.FOLD),
        kills.get(Killed.UNION),
        kills.get(Killed.UNIQ),
        kills.values().stream().mapToInt(Integer::intValue).sum(),
        partsLeft.size(),
        (added.cardinality() + seen.cardinality()) * BATCH,
        LocalDate.now());
  }

  private void kill(int wanted) throws Exception {
    build(path("filter"), batches);
    added.set(batches++);
    Path first = Files.writeString(path("first"), Cli.numbers(-STATE_KEYS, 0));
    Cli.run("uniq", "--state", path("state"), "-o", path("lines"), first).succeeded();
    for (Killed verb : Killed.values()) {
      long begun = System.nanoTime();
      assertThat(run(verb, false)).isTrue();
      millis.put(verb, (System.nanoTime() - begun) / 1_000_000);
    }
    int killed = 0;
    for (int turn = 0; killed < wanted; turn++) {
      Killed verb = Killed.values()[turn % Killed.values().length];
      if (!run(verb, true)) {
        kills.merge(verb, 1, Integer::sum);
        killed++;
      }
    }
    for (Killed verb : Killed.values()) {
      assertThat(run(verb, false)).isTrue();
    }
    assertThat(Processes.parts(folder)).isEmpty();
    BloomFilter filter = filter("filter");
    assertThat(added.stream()).allMatch(put -> keys(put).allMatch(filter::mightContain));
    FingerprintFilter state = state();
    assertThat(seen.stream())
        .allMatch(put -> keys(put).mapToObj(Long::toString).allMatch(state::mightContain));
  }

  /** Runs a command and kills it unless it ends first; returns whether it ended. */
  private boolean run(Killed verb, boolean isKilled) throws Exception {
    int batch = batches++;
    return switch (verb) {
      case ADD -> add(batch, isKilled);
      case FOLD -> fold(isKilled);
      case UNION -> union(batch, isKilled);
      case UNIQ -> uniq(batch, isKilled);
    };
  }

  private boolean add(int batch, boolean isKilled) throws Exception {
    BloomFilter before = filter("filter");
    BloomFilter after = before.copy();
    keys(batch).forEach(after::put);
    boolean done = ended(Killed.ADD, isKilled, "filter", "add", path("filter"), file(batch));
    return settled(done, filter("filter"), before, after, added, batch);
  }

  private boolean union(int batch, boolean isKilled) throws Exception {
    BloomFilter before = filter("filter");
    BloomFilter other = BloomFilter.builder().like(before).build();
    keys(batch).forEach(other::put);
    other.writeTo(path("other"));
    Object[] command = {"union", path("filter"), path("other"), "-o", path("filter")};
    boolean done = ended(Killed.UNION, isKilled, "filter", command);
    return settled(done, filter("filter"), before, before.union(other), added, batch);
  }

  private boolean fold(boolean isKilled) throws Exception {
    BloomFilter before = Files.exists(path("folded")) ? filter("folded") : null;
    int factor = 2 << random.nextInt(3);
    Object[] command = {"fold", path("filter"), "--factor", factor, "-o", path("folded")};
    boolean done = ended(Killed.FOLD, isKilled, "folded", command);
    if (done || before != null) {
      BloomFilter after = filter("filter").foldBy(factor);
      assertThat(filter("folded").equals(after) || (!done && filter("folded").equals(before)))
          .isTrue();
    }
    return done;
  }

  /** The lines are all there or none; the state has them only if the lines are all there. */
  private boolean uniq(int batch, boolean isKilled) throws Exception {
    FingerprintFilter before = state();
    FingerprintFilter after = before.copy();
    StringBuilder unique = new StringBuilder();
    keys(batch)
        .mapToObj(Long::toString)
        .filter(after::put)
        .forEach(key -> unique.append(key).append('\n'));
    String linesBefore = Files.readString(path("lines"));
    Object[] command = {"uniq", "--state", path("state"), "-o", path("lines"), file(batch)};
    boolean done = ended(Killed.UNIQ, isKilled, "state", command);
    FingerprintFilter now = state();
    String printed = Files.readString(path("lines"));
    boolean isPrinted = printed.contentEquals(unique);
    assertThat(isPrinted || (!done && printed.equals(linesBefore))).isTrue();
    assertThat(isPrinted || now.equals(before)).isTrue();
    return settled(done, now, before, after, seen, batch);
  }

  /** Requires that a file is the new one, or the old one of a process that was killed. */
  private static boolean settled(
      boolean done, Filter now, Filter before, Filter after, BitSet acknowledged, int batch) {
    assertThat(now.equals(after) || (!done && now.equals(before))).isTrue();
    if (done) {
      acknowledged.set(batch);
    }
    return done;
  }

  private static void build(Path file, int batch) throws IOException {
    BloomFilter filter =
        BloomFilter.builder()
            .bits(BITS)
            .hashes(6)
            .hashScheme(HashScheme.DEFAULT.withKeyType(KeyType.LONGS))
            .build();
    keys(batch).forEach(filter::put);
    filter.writeTo(file);
  }

  /** Starts a command and kills it after a random time; returns whether it had succeeded before. */
  private boolean ended(Killed verb, boolean isKilled, String target, Object... command)
      throws Exception {
    Process process = Processes.bellows(command).redirectOutput(new File("/dev/null")).start();
    long time = millis.getOrDefault(verb, 0L);
    long wait = time / 2 + random.nextLong(time / 2 + 1);
    if (isKilled && !process.waitFor(wait, TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
    }
    int code = process.waitFor();
    List<Path> left =
        Processes.parts(folder).stream()
            .filter(part -> part.getFileName().toString().startsWith("." + target))
            .toList();
    if (code == 0) {
      assertThat(left).as("it sweeps what dead writers of its file left").isEmpty();
      millis.put(verb, time - time / 8);
      return true;
    }
    assertThat(code).isEqualTo(KILLED);
    millis.put(verb, time + time / 32 + 1);
    partsLeft.addAll(left);
    return false;
  }

  private Path path(String name) {
    return folder.resolve(name);
  }

  private BloomFilter filter(String name) throws IOException {
    return BloomFilter.FORMAT.readFrom(path(name), ReadOptions.UNLIMITED);
  }

  private FingerprintFilter state() throws IOException {
    byte[] key = HexFormat.of().parseHex(Files.readString(path("state.key")).strip());
    return FingerprintFilter.FORMAT.readFrom(
        path("state"), ReadOptions.UNLIMITED.withHashScheme(HashScheme.sipHash(key)));
  }

  /** The keys of a batch, which no other batch has. */
  private static LongStream keys(int batch) {
    return LongStream.range((long) batch * BATCH, (batch + 1L) * BATCH);
  }

  /** The keys of a batch, one per line. */
  private Path file(int batch) throws IOException {
    return Files.writeString(path("keys"), Cli.numbers(batch * BATCH, (batch + 1) * BATCH));
  }
}
