package dev.bellows.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.Durable;
import dev.bellows.Membership;
import dev.bellows.durable.Replica.Outcome;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.journal.Changes;
import dev.bellows.internal.journal.Disk;
import dev.bellows.internal.journal.RecoveryPlan;
import dev.bellows.io.FilterFormatException;
import dev.bellows.window.WindowFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Durable windows: every change has its time, and so has the clock. */
class DurableWindowTest {
  private static final long WINDOW = 7000;
  private static final Sync RARELY = Sync.every(Duration.ofMinutes(50));
  private static final Sync EVERY = Sync.every(Duration.ofMillis(10));

  @TempDir Path folder;

  /**
   * A window.
   *
   * @param isExact whether puts that are made again give the same filter, bit for bit: the size of
   *     an elastic ring and the lengths of prefixes depend on what was there before
   */
  record Form(String name, boolean isExact, Supplier<WindowFilter> maker) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static WindowFilter.Builder builder() {
    return WindowFilter.builder().window(Duration.ofMillis(WINDOW)).fpp(1e-6);
  }

  static Stream<Form> forms() {
    return Stream.of(
        new Form("ring", true, () -> builder().keys(1500).dropLate().build()),
        new Form("kept first", true, () -> builder().keys(900).keepFirst().dropLate().build()),
        new Form("elastic ring", false, () -> builder().keys(1500).elastic().dropLate().build()),
        new Form("prefixes", false, () -> builder().dropLate().build()));
  }

  private static Instant at(long millis) {
    return Instant.ofEpochMilli(millis);
  }

  private static Form ring() {
    return forms().findFirst().orElseThrow();
  }

  private static Form prefixes() {
    return forms().skip(3).findFirst().orElseThrow();
  }

  private DurableFilter<WindowFilter> open(Disk disk, Sync sync, Supplier<WindowFilter> maker)
      throws IOException {
    return DurableFilter.at(folder).disk(disk).sync(sync).plan(new RecoveryPlan(1, 1)).open(maker);
  }

  /** What was put, and when it was last seen. */
  private static final class Model {
    private final Map<Long, Long> seen = new TreeMap<>();

    void put(long key, long time) {
      seen.merge(key, time, Math::max);
    }

    void requireAllIn(Membership filter, long now) {
      seen.forEach(
          (key, time) -> {
            if (now < time + WINDOW) {
              assertThat(filter.mightContain((long) key)).as("key %d of %d", key, time).isTrue();
            }
          });
    }
  }

  private static void requireSame(Form form, WindowFilter filter, WindowFilter expected) {
    if (form.isExact) {
      assertThat(filter).isEqualTo(expected);
    } else {
      assertThat(filter.now()).isEqualTo(expected.now());
      assertThat(filter.approximateElementCount())
          .isBetween(
              expected.approximateElementCount() * 9 / 10,
              expected.approximateElementCount() * 11 / 10 + 1);
    }
  }

  /**
   * A stream of puts, refreshes, late puts, jumps and rests gives the same answers as in memory.
   */
  @ParameterizedTest
  @MethodSource("forms")
  void itAnswersLikeAWindowInMemoryAndSurvivesReopening(Form form) throws IOException {
    for (Sync sync : List.of(EVERY, Sync.NEVER)) {
      Path path = folder.resolve(sync.toString().replace(' ', '-'));
      Random random = new Random(11);
      WindowFilter expected = form.maker.get();
      Model model = new Model();
      long clock = 1_000_000;
      for (int run = 0; run < 3; run++) {
        try (DurableFilter<WindowFilter> filter = DurableFilter.open(path, form.maker, sync)) {
          for (int i = 0; i < 1500; i++) {
            clock += random.nextInt(12);
            if (random.nextInt(700) == 0) {
              clock += random.nextInt((int) (2 * WINDOW));
            }
            if (random.nextInt(9) == 0) {
              assertThat(filter.advanceTo(at(clock))).isEqualTo(expected.advanceTo(at(clock)));
            } else {
              long key = random.nextInt(4) == 0 ? random.nextInt(300) : 1000L * run + i;
              long time = clock - random.nextInt(random.nextInt(50) == 0 ? 12_000 : 3000);
              boolean fresh = filter.putIfAbsent(key, at(time));
              assertThat(fresh).isEqualTo(expected.putIfAbsent(key, at(time)));
              if (!form.name.startsWith("kept") || fresh) {
                model.put(key, time);
              }
            }
            if (i % 500 == 400) {
              filter.checkpoint();
            }
          }
          assertThat(filter.now()).isEqualTo(expected.now());
          requireSame(form, filter.copy(), expected);
          assertThat(filter.read(WindowFilter::lateKeys)).isEqualTo(expected.lateKeys());
          filter.backupTo(path.resolveSibling(path.getFileName() + "-copy" + run));
          model.requireAllIn(filter, expected.now().orElseThrow().toEpochMilli());
        }
        // the folder as a crash would leave it: its clock is in the same generation
        try (DurableFilter<WindowFilter> copy =
            DurableFilter.open(
                path.resolveSibling(path.getFileName() + "-copy" + run), form.maker, sync)) {
          assertThat(copy.recovery().changes()).isPositive();
          assertThat(copy.now().orElseThrow()).isBeforeOrEqualTo(expected.now().orElseThrow());
          model.requireAllIn(copy, expected.now().orElseThrow().toEpochMilli());
          long changes = copy.version();
          copy.advanceTo(expected.now().orElseThrow());
          assertThat(copy.version()).isEqualTo(changes);
          requireSame(form, copy.copy(), expected);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void keysExpireDuringDowntime(Form form) throws IOException {
    try (DurableFilter<WindowFilter> filter = DurableFilter.open(folder, form.maker, Sync.NEVER)) {
      for (long key = 0; key < 100; key++) {
        filter.put(key, at(1_000_000));
        filter.put(1000 + key, at(1_006_000));
      }
      filter.backupTo(folder.resolve("crashed"));
    }
    for (Path path : List.of(folder, folder.resolve("crashed"))) {
      try (DurableFilter<WindowFilter> filter = DurableFilter.open(path, form.maker, Sync.NEVER)) {
        assertThat(filter.now()).contains(at(1_006_000));
        assertThat(filter.mightContain(5L)).isTrue();
        assertThat(filter.advanceTo(at(1_009_000))).isFalse();
        assertThat(filter.mightContain(5L)).isFalse();
        assertThat(filter.mightContain(1005L)).isTrue();
        assertThat(filter.putIfAbsent(5, at(1_009_000))).isTrue();
      }
      try (DurableFilter<WindowFilter> filter = DurableFilter.open(path, form.maker, Sync.NEVER)) {
        assertThat(filter.advanceTo(at(2_000_000))).isTrue();
        assertThat(filter.isEmpty()).isTrue();
      }
      try (DurableFilter<WindowFilter> filter = DurableFilter.open(path, form.maker, Sync.NEVER)) {
        assertThat(filter.isEmpty()).isTrue();
        assertThat(filter.now()).contains(at(2_000_000));
      }
    }
  }

  @Test
  void rulesForLateAndEarlyPutsHold() throws IOException {
    Supplier<WindowFilter> maker = () -> builder().keys(100).refuseAhead().build();
    try (DurableFilter<WindowFilter> filter = DurableFilter.open(folder, maker, EVERY)) {
      assertThat(filter.now()).isEmpty();
      assertThatThrownBy(() -> filter.put(1)).isInstanceOf(IllegalStateException.class);
      filter.advanceTo(at(1_000_000));
      assertThat(filter.put(1)).isTrue();
      long version = filter.version();
      assertThatThrownBy(() -> filter.put(2, at(1_000_000 - WINDOW - 1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("late");
      assertThatThrownBy(() -> filter.putIfAbsent(2, at(1_002_000)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("ahead");
      assertThatThrownBy(() -> filter.put(2, Instant.MAX))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> filter.putHash(2, Long.MIN_VALUE))
          .isInstanceOf(IllegalArgumentException.class);
      // a clock that runs back stays where it is
      assertThat(filter.advanceTo(at(5))).isFalse();
      assertThat(filter.now()).contains(at(1_000_000));
      filter.force();
      assertThat(filter.version()).isEqualTo(version + (version == 1 ? 1 : 0));
      assertThatThrownBy(() -> filter.remove(1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("cannot remove");
    }
    try (DurableFilter<BloomFilter> filter =
        DurableFilter.open(
            folder.resolve("bloom"), () -> BloomFilter.create(10, 0.1), Sync.NEVER)) {
      assertThatThrownBy(() -> filter.advanceTo(at(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("do not expire");
      assertThatThrownBy(() -> filter.putIfAbsent(1, at(1)))
          .isInstanceOf(IllegalStateException.class);
      assertThat(filter.version()).isZero();
    }
  }

  /** An empty filter with a clock keeps the clock when it becomes durable. */
  @Test
  void theClockOfTheFirstFilterIsKept() throws IOException {
    Supplier<WindowFilter> maker =
        () -> {
          WindowFilter filter = builder().build();
          filter.advanceTo(at(1_000_000));
          return filter;
        };
    DurableFilter.open(folder, maker, Sync.NEVER).close();
    try (DurableFilter<WindowFilter> filter =
        DurableFilter.open(folder, () -> builder().build(), Sync.NEVER)) {
      assertThat(filter.now()).contains(at(1_000_000));
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void exactlyOneOfManyThreadsGetsTrueAcrossGenerations(Form form) throws Exception {
    int threads = 4;
    int keys = 400;
    for (Sync sync : List.of(EVERY, Sync.NEVER)) {
      Path path = folder.resolve(sync.toString());
      AtomicInteger[] wins =
          Stream.generate(AtomicInteger::new).limit(keys).toArray(AtomicInteger[]::new);
      try (DurableFilter<WindowFilter> filter = DurableFilter.open(path, form.maker, sync)) {
        CountDownLatch ready = new CountDownLatch(threads);
        List<Thread> all = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
          Thread thread =
              new Thread(
                  () -> {
                    ready.countDown();
                    for (int i = 0; i < keys; i++) {
                      // five generations
                      if (filter.putIfAbsent(i, at(1_000_000 + 12L * i))) {
                        wins[i].incrementAndGet();
                      }
                    }
                  });
          all.add(thread);
          thread.start();
        }
        for (Thread thread : all) {
          thread.join();
        }
        assertThat(wins).allMatch(count -> count.get() == 1);
      }
      try (DurableFilter<WindowFilter> filter = DurableFilter.open(path, form.maker, sync)) {
        for (long key = 0; key < keys; key++) {
          assertThat(filter.mightContain(key)).isTrue();
        }
      }
    }
  }

  /** Power fails after every number of operations: acknowledged puts survive, with their times. */
  @ParameterizedTest
  @MethodSource("forms")
  void acknowledgedPutsSurviveAPowerFailureAtEveryOperation(Form form) throws IOException {
    Random random = new Random(5);
    for (int failAfter = 4; failAfter < 160; failAfter += 1 + random.nextInt(5)) {
      SimulatedDisk disk = new SimulatedDisk();
      int acknowledged = 0;
      try (DurableFilter<WindowFilter> filter = open(disk, Sync.ALWAYS, form.maker)) {
        disk.failAfter(failAfter);
        for (int key = 0; key < 60; key++) {
          // a new generation after every third key
          filter.put(key, at(1_000_000 + 334L * key));
          acknowledged++;
          if (key % 13 == 12) {
            filter.checkpoint();
          }
        }
        disk.failAfter(0);
      } catch (IOException | UncheckedIOException e) {
        // the power failed
      }
      SimulatedDisk next = disk.restarted(random);
      next.failAfter(random.nextInt(6));
      try (DurableFilter<WindowFilter> filter = open(next, Sync.ALWAYS, form.maker)) {
        requireLast(filter, acknowledged);
        next.failAfter(0);
      } catch (IOException e) {
        // it failed during recovery, or while it was closed
      }
      try (DurableFilter<WindowFilter> filter =
          open(next.restarted(random), Sync.ALWAYS, form.maker)) {
        requireLast(filter, acknowledged);
        if (form.isExact) {
          filter.advanceTo(at(1_000_000 + 334L * acknowledged));
          assertThat(filter.copy())
              .isIn(expected(form, acknowledged, false), expected(form, acknowledged, true));
        }
      }
    }
  }

  private static WindowFilter expected(Form form, int acknowledged, boolean oneMore) {
    WindowFilter expected = form.maker.get();
    for (int key = 0; key < acknowledged + (oneMore ? 1 : 0); key++) {
      expected.put(key, at(1_000_000 + 334L * key));
    }
    expected.advanceTo(at(1_000_000 + 334L * acknowledged));
    return expected;
  }

  private static void requireLast(DurableFilter<WindowFilter> filter, int acknowledged) {
    for (int key = Math.max(0, acknowledged - 20); key < acknowledged; key++) {
      assertThat(filter.mightContain((long) key)).as("%d of %d", key, acknowledged).isTrue();
    }
    assertThat(filter.mightContain(acknowledged - 30L)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("forms")
  void aFullDiskStopsTheClockAndLaterPutsWork(Form form) throws IOException {
    for (int room = 0; room < 90; room += 11) {
      SimulatedDisk disk = new SimulatedDisk();
      DurableFilter<WindowFilter> filter = open(disk, Sync.ALWAYS, form.maker);
      WindowFilter expected = form.maker.get();
      for (long key = 0; key < 20; key++) {
        filter.put(key, at(1_000_000));
        expected.put(key, at(1_000_000));
      }
      disk.leaveRoom(room);
      Instant clock = at(1_000_000);
      for (long key = 100; key < 103; key++) {
        try {
          filter.put(key, at(1_003_000));
          expected.put(key, at(1_003_000));
        } catch (UncheckedIOException e) {
          assertThat(e).hasMessageContaining("No space left on device");
          // the clock is written first and may have fit
          expected.advanceTo(filter.now().orElseThrow());
        }
        requireSame(form, filter.copy(), expected);
      }
      assertThatThrownBy(() -> filter.put(104, at(1_005_000)))
          .isInstanceOf(UncheckedIOException.class);
      assertThat(filter.now().orElseThrow()).isAfterOrEqualTo(clock);
      expected.advanceTo(filter.now().orElseThrow());
      disk.leaveRoom(1 << 22);
      filter.put(105, at(1_006_000));
      expected.put(105, at(1_006_000));
      filter.close();
      try (DurableFilter<WindowFilter> again = open(disk, Sync.ALWAYS, form.maker)) {
        requireSame(form, again.copy(), expected);
        assertThat(again.mightContain(105L)).isTrue();
      }
    }
  }

  /** Groups of several times and the clock between them, cut and flipped at every byte. */
  @Test
  void everyByteOfAJournalThatIsCutOrFlipped() throws IOException {
    Form form = prefixes();
    SimulatedDisk disk = new SimulatedDisk();
    DurableFilter<WindowFilter> filter = open(disk, RARELY, form.maker);
    List<Long> versions = new ArrayList<>();
    for (long key = 0; key < 5; key++) {
      filter.put(key, at(1_000_000 + 600 * key));
      filter.put(100 + key, at(1_000_000 + 600 * key - 2000));
      filter.force();
      versions.add(filter.version());
    }
    Map<Path, byte[]> files = disk.files();
    // as after a power failure: without it, groups that are missing at the end were never forced
    files.remove(folder.resolve("reached"));
    disk.failAfter(0);
    assertThatThrownBy(filter::close).isInstanceOf(IOException.class);
    Path journal =
        files.keySet().stream()
            .filter(path -> path.getFileName().toString().startsWith("journal-"))
            .findFirst()
            .orElseThrow();
    byte[] whole = files.get(journal);
    long before = 0;
    for (int length = 0; length <= whole.length; length++) {
      Map<Path, byte[]> cut = new TreeMap<>(files);
      cut.put(journal, Arrays.copyOf(whole, length));
      try (DurableFilter<WindowFilter> again = open(SimulatedDisk.of(cut), RARELY, form.maker)) {
        long version = again.version();
        assertThat(version).isGreaterThanOrEqualTo(before);
        before = version;
        for (int key = 0; key < 5 && versions.get(key) <= version; key++) {
          assertThat(again.mightContain((long) key)).isTrue();
          assertThat(again.mightContain(100L + key)).isTrue();
        }
      }
    }
    assertThat(before).isEqualTo(versions.get(4));
    int refused = 0;
    for (int at = 0; at < whole.length; at++) {
      byte[] bytes = whole.clone();
      bytes[at] ^= (byte) (1 << at % 8);
      Map<Path, byte[]> flipped = new TreeMap<>(files);
      flipped.put(journal, bytes);
      try (DurableFilter<WindowFilter> again =
          open(SimulatedDisk.of(flipped), RARELY, form.maker)) {
        // only what cannot be distinguished from a torn end is cut off
        assertThat(again.version()).isGreaterThanOrEqualTo(versions.get(3));
      } catch (FilterFormatException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(whole.length / 2);
  }

  @ParameterizedTest
  @MethodSource("forms")
  void replicasFollowWithTimes(Form form) throws IOException {
    Random random = new Random(3);
    Replica<WindowFilter> replica = Replica.of(form.maker.get());
    try (DurableFilter<WindowFilter> source =
            DurableFilter.open(folder.resolve("a"), form.maker, EVERY);
        DurableFilter<WindowFilter> durable =
            DurableFilter.open(folder.resolve("b"), form.maker, Sync.NEVER)) {
      long clock = 1_000_000;
      long key = 0;
      Model model = new Model();
      for (int round = 0; round < 30; round++) {
        for (int i = random.nextInt(60); i > 0; i--) {
          clock += random.nextInt(20);
          long time = clock - random.nextInt(4000);
          source.put(key, at(time));
          model.put(key++, time);
        }
        if (round % 4 == 3) {
          clock += random.nextInt((int) WINDOW + 3000);
          source.advanceTo(at(clock));
        }
        if (round % 9 == 8) {
          source.checkpoint();
        }
        Delta delta = Delta.fromBytes(source.since(replica.version()).toBytes());
        assertThat(delta.to()).isEqualTo(source.version());
        assertThat(replica.apply(delta)).isEqualTo(Outcome.APPLIED);
        assertThat(durable.apply(source.since(durable.sourceVersion()))).isEqualTo(Outcome.APPLIED);
        model.requireAllIn(replica, clock);
        model.requireAllIn(durable, clock);
        for (WindowFilter its : List.of(replica.copy(), durable.copy())) {
          its.advanceTo(source.now().orElseThrow());
          requireSame(form, its, source.copy());
        }
      }
      assertThat(source.since(source.version()).isEmpty()).isTrue();
      assertThatThrownBy(() -> durable.advanceTo(at(9_000_000)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("follows");
    }
    try (DurableFilter<WindowFilter> again =
        DurableFilter.open(folder.resolve("b"), form.maker, Sync.NEVER)) {
      assertThat(again.sourceVersion()).isEqualTo(replica.version());
      requireSame(form, again.copy(), replica.copy());
    }
  }

  /** Deltas of several generations that are lost, repeated and reordered. */
  @ParameterizedTest
  @MethodSource("forms")
  void noLiveKeyIsLostInAnyOrderOfDeltas(Form form) throws IOException {
    Random random = new Random(4);
    Model model = new Model();
    List<Delta> deltas = new ArrayList<>();
    long clock = 1_000_000;
    WindowFilter last;
    try (DurableFilter<WindowFilter> source =
        DurableFilter.open(folder.resolve("a"), form.maker, EVERY)) {
      long key = 0;
      for (int round = 0; round < 12; round++) {
        long from = source.version();
        for (int i = 0; i < 30; i++) {
          clock += 30;
          source.put(key, at(clock));
          model.put(key++, clock);
        }
        source.force();
        deltas.add(source.since(random.nextInt(5) == 0 ? 0 : from));
        if (random.nextInt(4) == 0) {
          deltas.add(Deltas.contentOf(source));
        }
      }
      last = source.copy();
    }
    for (int order = 0; order < 6; order++) {
      List<Delta> sent = new ArrayList<>(deltas);
      sent.addAll(deltas.subList(0, random.nextInt(deltas.size())));
      Collections.shuffle(sent, random);
      Replica<WindowFilter> replica = Replica.of(form.maker.get());
      try (DurableFilter<WindowFilter> durable =
          DurableFilter.open(folder.resolve("b" + order), form.maker, Sync.NEVER)) {
        for (Delta delta : sent) {
          assertThat(durable.apply(delta)).isEqualTo(replica.apply(delta));
        }
        assertThat(replica.version()).isEqualTo(durable.sourceVersion());
        model.requireAllIn(replica, clock);
        model.requireAllIn(durable, clock);
        if (form.isExact) {
          for (WindowFilter its : List.of(replica.copy(), durable.copy())) {
            its.advanceTo(last.now().orElseThrow());
            assertThat(its).isEqualTo(last);
          }
        }
      }
    }
  }

  /** A crash while a delta of several times is applied: the replica requests the rest again. */
  @Test
  void aDeltaOfSeveralTimesIsAppliedWholeOrRequestedAgain() throws IOException {
    Form form = prefixes();
    Random random = new Random(6);
    Delta delta;
    try (DurableFilter<WindowFilter> source =
        DurableFilter.open(folder.resolve("a"), form.maker, EVERY)) {
      for (long key = 0; key < 40; key++) {
        source.put(key, at(1_000_000 + 150 * key));
      }
      source.force();
      delta = source.since(0);
      assertThat(delta.hasContent()).isFalse();
    }
    for (int failAfter = 1; failAfter < 12; failAfter++) {
      SimulatedDisk disk = new SimulatedDisk();
      DurableFilter<WindowFilter> replica = open(disk, Sync.NEVER, form.maker);
      disk.failAfter(failAfter);
      try {
        replica.apply(delta);
      } catch (IOException e) {
        // the power failed
      }
      SimulatedDisk next = disk.restarted(random);
      try {
        replica.close();
      } catch (IOException e) {
        // it failed before
      }
      try (DurableFilter<WindowFilter> again = open(next, Sync.NEVER, form.maker)) {
        if (again.sourceVersion() < delta.to()) {
          assertThat(again.apply(delta)).isEqualTo(Outcome.APPLIED);
        }
        for (long key = 0; key < 40; key++) {
          assertThat(again.mightContain(key)).isTrue();
        }
      }
    }
  }

  /** A frame with correct checksums, as only an attacker or a defect writes it. */
  private static byte[] frame(int operation, long version, long time, long... words) {
    ByteBuffer out = ByteBuffer.allocate(32 + 8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(8 * words.length).putInt(operation).putLong(version).putLong(time).position(32);
    out.asLongBuffer().put(words);
    out.putInt(24, checksum(out.array(), 32, 8 * words.length));
    out.putInt(28, checksum(out.array(), 0, 28));
    return out.array();
  }

  /** Returns a frame with the salt of a segment. */
  private static byte[] salted(byte[] frame, byte[] segment) {
    ByteBuffer out = ByteBuffer.wrap(frame.clone()).order(ByteOrder.LITTLE_ENDIAN);
    long salt = ByteBuffer.wrap(segment).order(ByteOrder.LITTLE_ENDIAN).getLong(16);
    out.putLong(8, out.getLong(8) ^ salt).putInt(28, checksum(out.array(), 0, 28));
    return out.array();
  }

  private static int checksum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  /** Groups that no filter of this kind can have made are refused, with their offset. */
  @Test
  void forgedGroupsAreRefused() throws IOException {
    List<Supplier<Durable>> makers =
        List.of(
            () -> BloomFilter.create(10, 0.1),
            () -> FingerprintFilter.create(0.1),
            () -> ring().maker.get(),
            () -> prefixes().maker.get());
    long far = Long.MAX_VALUE / 3;
    for (Supplier<Durable> maker : makers) {
      boolean isWindow = maker.get() instanceof WindowFilter;
      List<byte[]> forged = new ArrayList<>();
      forged.add(frame(Changes.REMOVE, 1, 0, 5));
      forged.add(frame(Changes.PUT_IF_ABSENT, 1, 0, 5));
      forged.add(frame(Changes.ADVANCE, 1, 9));
      forged.add(frame(Changes.ADVANCE, 1, 9, 0, 0));
      forged.add(frame(99, 1, 0, 5));
      forged.add(isWindow ? frame(Changes.PUT, 1, far, 5) : frame(Changes.ADVANCE, 1, 9, 0));
      forged.add(isWindow ? frame(Changes.ADVANCE, 1, far, 0) : frame(Changes.ADVANCE, 1, 9, 1));
      forged.add(
          isWindow ? frame(Changes.PUT, 1, Long.MIN_VALUE, 5) : frame(Changes.CLEAR, 1, 9, 3));
      for (byte[] bytes : forged) {
        SimulatedDisk disk = new SimulatedDisk();
        DurableFilter<Durable> filter =
            DurableFilter.at(folder).disk(disk).sync(Sync.ALWAYS).open(maker);
        if (isWindow) {
          filter.advanceTo(at(1_000_000));
        } else {
          filter.put(1);
        }
        Map<Path, byte[]> files = disk.files();
        disk.failAfter(0);
        assertThatThrownBy(filter::close).isInstanceOf(IOException.class);
        Path journal =
            files.keySet().stream()
                .filter(p -> p.toString().contains("journal-"))
                .findFirst()
                .get();
        byte[] whole = files.get(journal);
        byte[] longer = Arrays.copyOf(whole, whole.length + bytes.length);
        System.arraycopy(salted(bytes, whole), 0, longer, whole.length, bytes.length);
        files.put(journal, longer);
        int operation = bytes[4];
        boolean isPossible = isWindow || operation != Changes.ADVANCE;
        try (DurableFilter<Durable> again =
            DurableFilter.at(folder).disk(SimulatedDisk.of(files)).sync(Sync.ALWAYS).open(maker)) {
          // not a group at all: cut off like a torn one
          assertThat(again.recovery().cutBytes()).isEqualTo(bytes.length);
          assertThat(again.version()).isEqualTo(1);
          assertThat(isPossible || bytes.length != 40).isTrue();
        } catch (FilterFormatException e) {
          assertThat(e.offset()).isEqualTo(whole.length);
          assertThat(e).hasMessageContaining("cannot have made");
        }
      }
    }
  }

  /** A clock far in the future is refused or expires everything; it never breaks the folder. */
  @Test
  void clocksThatJumpForwardAndBack() throws IOException {
    long most = 1L << 51;
    for (Form form : forms().toList()) {
      Path path = folder.resolve(form.name);
      try (DurableFilter<WindowFilter> filter = DurableFilter.open(path, form.maker, Sync.NEVER)) {
        filter.put(1, at(-most));
        filter.put(2, at(-most + 5));
        assertThat(filter.putIfAbsent(2, at(-most))).isFalse();
        filter.backupTo(path.resolveSibling(form.name + "-first"));
        filter.put(3, at(most));
        assertThat(filter.put(4, at(0))).isFalse();
        assertThat(filter.advanceTo(at(0))).isFalse();
        assertThat(filter.mightContain(2L)).isFalse();
        assertThat(filter.mightContain(3L)).isTrue();
        filter.backupTo(path.resolveSibling(form.name + "-second"));
      }
      try (DurableFilter<WindowFilter> first =
              DurableFilter.open(
                  path.resolveSibling(form.name + "-first"), form.maker, Sync.NEVER);
          DurableFilter<WindowFilter> second =
              DurableFilter.open(
                  path.resolveSibling(form.name + "-second"), form.maker, Sync.NEVER)) {
        assertThat(first.mightContain(1L)).isTrue();
        assertThat(first.mightContain(2L)).isTrue();
        assertThat(second.mightContain(2L)).isFalse();
        assertThat(second.mightContain(3L)).isTrue();
        assertThat(second.now()).contains(at(most));
      }
    }
  }

  @Test
  void impossibleTimesInADeltaAreRefusedAndChangeNothing() throws IOException {
    WindowFilter filter = ring().maker.get();
    BloomFilter bloom = BloomFilter.create(10, 0.1);
    long far = Long.MAX_VALUE / 2;
    long[][] windows = {
      {1_000_000, 1, 5, far, 1, 6}, {1_000_000, 1, 5, far, -1}, {Long.MIN_VALUE, -2, 0, 1, 5}
    };
    for (long[] runs : windows) {
      Delta delta = Delta.of(filter, 7, 0, 0, 2, false, bytes(runs));
      Replica<WindowFilter> replica = Replica.of(ring().maker.get());
      assertThatThrownBy(() -> replica.apply(Delta.fromBytes(delta.toBytes())))
          .isInstanceOf(FilterFormatException.class);
      assertThat(replica.copy()).isEqualTo(ring().maker.get());
      assertThat(replica.version()).isZero();
    }
    for (long[] runs : new long[][] {{9, 2, 1, 2}, {0, 1, 5, 0, -1}}) {
      Delta delta = Delta.of(bloom, 7, 0, 0, 2, false, bytes(runs));
      Replica<BloomFilter> replica = Replica.of(BloomFilter.create(10, 0.1));
      assertThatThrownBy(() -> replica.apply(Delta.fromBytes(delta.toBytes())))
          .isInstanceOf(FilterFormatException.class);
      assertThat(replica.copy().isEmpty()).isTrue();
    }
    for (long[] runs : new long[][] {{9, -3}, {9, 0}, {9, 2, 1}, {9}, {9, -1, 9, -1, 9, -1}}) {
      Delta delta = Delta.of(filter, 7, 0, 0, 2, false, bytes(runs));
      assertThatThrownBy(() -> Delta.fromBytes(delta.toBytes()))
          .isInstanceOf(FilterFormatException.class);
    }
  }

  private static byte[] bytes(long[] words) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(words);
    return bytes.array();
  }
}
