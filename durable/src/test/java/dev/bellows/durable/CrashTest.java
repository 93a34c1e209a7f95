package dev.bellows.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.Durable;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.journal.Disk;
import dev.bellows.internal.journal.RecoveryPlan;
import dev.bellows.io.FilterFormatException;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.window.WindowFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Power failures, full disks and damaged files, on a {@link SimulatedDisk}: acknowledged puts
 * survive as far as {@link Sync} promises, and damaged data is never accepted.
 */
class CrashTest {
  /** Longer than any test, so that only the calls of the test write. */
  private static final Sync RARELY = Sync.every(Duration.ofMinutes(50));

  @TempDir Path folder;

  private static final List<Supplier<Durable>> MAKERS =
      List.of(
          () -> BloomFilter.create(500, 0.01),
          () -> FingerprintFilter.create(1e-3),
          () -> FingerprintFilter.builder().fpp(1e-3).removable().build(),
          () -> ScalableBloomFilter.builder().initialKeys(20).build());

  private DurableFilter<Durable> open(Disk disk, Sync sync, Supplier<Durable> maker)
      throws IOException {
    return DurableFilter.at(folder).disk(disk).sync(sync).plan(new RecoveryPlan(1, 1)).open(maker);
  }

  /** Releases a filter whose disk has failed, and with it the lock. */
  private static void abandon(DurableFilter<?> filter) {
    assertThatThrownBy(filter::close).isInstanceOf(IOException.class);
  }

  /**
   * Power fails after every number of disk operations, in puts, snapshots and recovery:
   * acknowledged puts survive, and the filter equals one built by a prefix of the puts.
   */
  @Test
  void acknowledgedPutsSurviveAPowerFailureAtEveryOperation() throws IOException {
    Random random = new Random(42);
    for (Supplier<Durable> maker : MAKERS) {
      for (int failAfter = 4; failAfter < 130; failAfter += 1 + random.nextInt(4)) {
        SimulatedDisk disk = new SimulatedDisk();
        List<Long> acknowledged = new ArrayList<>();
        try (DurableFilter<Durable> filter = open(disk, Sync.ALWAYS, maker)) {
          disk.failAfter(failAfter);
          for (long key = 0; key < 60; key++) {
            filter.put(key);
            acknowledged.add(key);
            if (key % 13 == 12) {
              filter.checkpoint();
            }
          }
          abandonAfter(filter, disk);
        } catch (IOException | UncheckedIOException e) {
          // the power failed
        }
        SimulatedDisk next = disk.restarted(random);
        next.failAfter(random.nextInt(6));
        try (DurableFilter<Durable> filter = open(next, Sync.ALWAYS, maker)) {
          requireAll(filter, acknowledged);
          abandonAfter(filter, next);
        } catch (IOException e) {
          // it failed during recovery, or while it was closed
        }
        SimulatedDisk last = next.restarted(random);
        try (DurableFilter<Durable> filter = open(last, Sync.ALWAYS, maker)) {
          requireAll(filter, acknowledged);
          // the put that failed may be there or not; no other can
          requireExactly(filter, maker, acknowledged.size());
          filter.put(1000);
        }
        try (DurableFilter<Durable> filter = open(last, Sync.ALWAYS, maker)) {
          assertThat(filter.mightContain(1000L)).isTrue();
        }
      }
    }
  }

  private static void abandonAfter(DurableFilter<?> filter, SimulatedDisk disk) {
    disk.failAfter(0);
    assertThat(filter.version()).isNotNegative();
  }

  private static void requireAll(DurableFilter<?> filter, List<Long> keys) {
    assertThat(keys).allMatch(key -> filter.mightContain((long) key));
  }

  private static void requireExactly(
      DurableFilter<Durable> filter, Supplier<Durable> maker, int acknowledged) {
    Durable expected = maker.get();
    for (long key = 0; key < acknowledged; key++) {
      expected.put(key);
    }
    Durable oneMore = maker.get();
    for (long key = 0; key <= acknowledged; key++) {
      oneMore.put(key);
    }
    assertThat(filter.copy()).isIn(expected, oneMore);
  }

  @Test
  void withEveryOnlyUnsyncedPutsAreLost() throws IOException {
    Random random = new Random(7);
    for (Supplier<Durable> maker : MAKERS) {
      for (int round = 0; round < 20; round++) {
        SimulatedDisk disk = new SimulatedDisk();
        int synced = random.nextInt(300);
        DurableFilter<Durable> filter = open(disk, RARELY, maker);
        for (long key = 0; key < 300; key++) {
          filter.put(key);
          if (key == synced) {
            filter.force();
          }
        }
        SimulatedDisk next = disk.restarted(random);
        abandon(filter);
        try (DurableFilter<Durable> again = open(next, RARELY, maker)) {
          for (long key = 0; key <= synced; key++) {
            assertThat(again.mightContain(key)).as("%d of %d", key, synced).isTrue();
          }
          Durable expected = maker.get();
          for (long key = 0; key <= synced; key++) {
            expected.put(key);
          }
          assertThat(again.copy()).isEqualTo(expected);
        }
      }
    }
  }

  /**
   * Data that the operating system has not written is lost. If it has written later data before
   * earlier data, the journal is refused, and opens without what follows the gap.
   */
  @Test
  void withNeverAPowerFailureLosesOnlyUnforcedPuts() throws IOException {
    Random random = new Random(8);
    Supplier<Durable> maker = MAKERS.get(1);
    int refused = 0;
    for (int round = 0; round < 100; round++) {
      SimulatedDisk disk = new SimulatedDisk();
      DurableFilter<Durable> filter = open(disk, Sync.NEVER, maker);
      int forced = random.nextInt(200);
      for (long key = 0; key < 200; key++) {
        filter.put(key);
        if (key == forced) {
          filter.force();
        }
      }
      SimulatedDisk next = disk.restarted(random);
      abandon(filter);
      try {
        requireSomeFrom(open(next, Sync.NEVER, maker), forced + 1);
      } catch (FilterFormatException e) {
        refused++;
        requireSomeFrom(
            DurableFilter.at(folder).disk(next).sync(Sync.NEVER).cutDamage().open(maker),
            forced + 1);
      }
    }
    assertThat(refused).isBetween(1, 99);
  }

  private static void requireSomeFrom(DurableFilter<Durable> filter, long least)
      throws IOException {
    try (filter) {
      assertThat(filter.version()).isBetween(least, 200L);
      for (long key = 0; key < filter.version(); key++) {
        assertThat(filter.mightContain(key)).isTrue();
      }
    }
  }

  @Test
  void aFullDiskMakesThePutFailAndLaterPutsWork() throws IOException {
    for (Sync sync : List.of(Sync.ALWAYS, Sync.NEVER)) {
      for (Supplier<Durable> maker : MAKERS) {
        for (int room = 0; room < 60; room += 7) {
          SimulatedDisk disk = new SimulatedDisk();
          Durable expected = maker.get();
          DurableFilter<Durable> filter = open(disk, sync, maker);
          for (long key = 0; key < 20; key++) {
            filter.put(key);
            expected.put(key);
          }
          disk.leaveRoom(room);
          for (long key = 100; key < 103; key++) {
            long tried = key;
            try {
              filter.put(tried);
              expected.put(tried);
            } catch (UncheckedIOException e) {
              assertThat(e).hasMessageContaining("No space left on device");
            }
            assertThat(filter.copy()).isEqualTo(expected);
          }
          assertThatThrownBy(() -> filter.put(104)).isInstanceOf(UncheckedIOException.class);
          // from here on the journal is complete
          try (DurableFilter<Durable> other =
              DurableFilter.at(folder)
                  .disk(SimulatedDisk.of(disk.files()))
                  .readOnly()
                  .open(maker)) {
            assertThat(other.copy()).isEqualTo(expected);
          }
          disk.leaveRoom(1 << 20);
          filter.put(105);
          expected.put(105);
          filter.close();
          try (DurableFilter<Durable> again = open(disk, sync, maker)) {
            assertThat(again.copy()).isEqualTo(expected);
          }
        }
      }
    }
  }

  /** Puts that returned stay in memory and are written when there is room; later ones fail. */
  @Test
  void aFullDiskDuringBufferedPuts() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Supplier<Durable> maker = MAKERS.get(1);
    Durable expected = maker.get();
    DurableFilter<Durable> filter = open(disk, Sync.every(Duration.ofMillis(1)), maker);
    disk.leaveRoom(10);
    long key = 0;
    // within an interval puts return; then they fail
    while (true) {
      try {
        filter.put(key);
        expected.put(key);
        key++;
      } catch (UncheckedIOException e) {
        break;
      }
    }
    assertThat(filter.copy()).isEqualTo(expected);
    assertThat(filter.mightContain(key - 1)).isTrue();
    // a key that is there needs no disk
    assertThat(filter.put(0)).isFalse();
    disk.leaveRoom(1 << 30);
    filter.put(-1);
    expected.put(-1);
    filter.close();
    try (DurableFilter<Durable> again = open(disk, RARELY, maker)) {
      assertThat(again.copy()).isEqualTo(expected);
    }
  }

  /**
   * After a failed force an operating system may have dropped the pages: they are written again.
   */
  @Test
  void afterAFailedForceASegmentIsNotTrusted() throws IOException {
    Supplier<Durable> maker = MAKERS.get(1);
    for (Sync sync : List.of(Sync.ALWAYS, RARELY)) {
      SimulatedDisk disk = new SimulatedDisk();
      DurableFilter<Durable> filter = open(disk, sync, maker);
      filter.put(1);
      filter.force();
      disk.failToForce(true);
      if (sync.equals(RARELY)) {
        filter.put(2);
        assertThatThrownBy(filter::force).isInstanceOf(IOException.class);
      } else {
        assertThatThrownBy(() -> filter.put(2)).isInstanceOf(UncheckedIOException.class);
        assertThat(filter.mightContain(2L)).isFalse();
      }
      disk.failToForce(false);
      filter.put(3);
      filter.force();
      SimulatedDisk next = disk.restarted(new Random(1));
      abandon(filter);
      try (DurableFilter<Durable> again = open(next, sync, maker)) {
        assertThat(again.mightContain(1L)).isTrue();
        assertThat(again.mightContain(3L)).isTrue();
        assertThat(again.mightContain(2L)).isEqualTo(sync.equals(RARELY));
      }
    }
  }

  /** Returns the files without the one that says how far the journal was forced. */
  private Map<Path, byte[]> unmarked(Map<Path, byte[]> files) {
    Map<Path, byte[]> others = new TreeMap<>(files);
    assertThat(others.remove(folder.resolve("reached"))).hasSize(40);
    return others;
  }

  private Map<Path, byte[]> journalOfGroups(int groups) throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    DurableFilter<Durable> filter = open(disk, RARELY, MAKERS.get(1));
    long key = 0;
    for (int group = 0; group < groups; group++) {
      for (int i = 0; i <= group; i++) {
        filter.put(key++);
      }
      filter.force();
    }
    Map<Path, byte[]> files = disk.files();
    disk.failAfter(0);
    abandon(filter);
    return files;
  }

  private static Path journal(Map<Path, byte[]> files) {
    return files.keySet().stream()
        .filter(path -> path.getFileName().toString().startsWith("journal-"))
        .findFirst()
        .orElseThrow();
  }

  /** The keys of the first groups, 1, 2, 3 ... in each. */
  private static long keysOf(int groups) {
    return groups * (groups + 1L) / 2;
  }

  /** Where group n of the journal begins. */
  private static int startOf(int group) {
    return 32 + 32 * group + 8 * (int) keysOf(group);
  }

  @Test
  void everyByteOfAJournalThatIsCutGivesTheWholeGroups() throws IOException {
    Map<Path, byte[]> files = journalOfGroups(5);
    Path journal = journal(files);
    byte[] whole = files.get(journal);
    assertThat(whole).hasSize(startOf(5));
    for (int length = 0; length <= whole.length; length++) {
      Map<Path, byte[]> cut = unmarked(files);
      cut.put(journal, Arrays.copyOf(whole, length));
      Map<Path, byte[]> marked = new TreeMap<>(files);
      marked.put(journal, Arrays.copyOf(whole, length));
      if (length < whole.length) {
        assertThatThrownBy(() -> open(SimulatedDisk.of(marked), RARELY, MAKERS.get(1)))
            .isInstanceOf(FilterFormatException.class);
      }
      int groups = 0;
      while (groups < 5 && startOf(groups + 1) <= length) {
        groups++;
      }
      SimulatedDisk disk = SimulatedDisk.of(cut);
      try (DurableFilter<Durable> filter = open(disk, RARELY, MAKERS.get(1))) {
        assertThat(filter.version()).as("%d bytes", length).isEqualTo(keysOf(groups));
        int kept = length < 32 ? 0 : startOf(groups);
        assertThat(filter.recovery().cutBytes()).isEqualTo(length - kept);
        for (long key = 0; key < keysOf(groups); key++) {
          assertThat(filter.mightContain(key)).isTrue();
        }
        filter.put(99);
      }
      try (DurableFilter<Durable> filter = open(disk, RARELY, MAKERS.get(1))) {
        assertThat(filter.version()).isEqualTo(keysOf(groups) + 1);
        assertThat(filter.recovery().cutBytes()).isZero();
      }
    }
  }

  @Test
  void everyByteOfAJournalThatIsFlippedIsFound() throws IOException {
    Map<Path, byte[]> files = journalOfGroups(4);
    Path journal = journal(files);
    byte[] whole = files.get(journal);
    // another bit of each byte
    for (int at = 0; at < whole.length; at++) {
      int bit = 8 * at + at % 8;
      byte[] bytes = whole.clone();
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      Map<Path, byte[]> marked = new TreeMap<>(files);
      marked.put(journal, bytes);
      assertThatThrownBy(() -> open(SimulatedDisk.of(marked), RARELY, MAKERS.get(1)))
          .isInstanceOf(FilterFormatException.class);
      Map<Path, byte[]> flipped = unmarked(marked);
      int group = 0;
      while (group < 3 && startOf(group + 1) <= at) {
        group++;
      }
      if (at < startOf(3)) {
        // groups follow that were written when this one was on disk
        int damaged = at < 32 ? -1 : startOf(group);
        assertThatThrownBy(() -> open(SimulatedDisk.of(flipped), RARELY, MAKERS.get(1)))
            .as("bit %d", bit)
            .isInstanceOfSatisfying(
                FilterFormatException.class,
                e ->
                    assertThat(e.offset())
                        .isBetween((long) Math.max(0, damaged), damaged < 0 ? 32L : damaged));
        try (DurableFilter<Durable> filter =
            DurableFilter.at(folder)
                .disk(SimulatedDisk.of(flipped))
                .sync(RARELY)
                .cutDamage()
                .open(MAKERS.get(1))) {
          assertThat(filter.version()).isEqualTo(at < 32 ? 0 : keysOf(group));
        } catch (FilterFormatException e) {
          // of the header: another id or another format
          assertThat(at).isLessThan(32);
        }
      } else {
        // not known to have been on disk: it may be one that a crash left incomplete
        try (DurableFilter<Durable> filter =
            open(SimulatedDisk.of(flipped), RARELY, MAKERS.get(1))) {
          assertThat(filter.version()).isEqualTo(keysOf(3));
          assertThat(filter.recovery().cutBytes()).isEqualTo(whole.length - startOf(3));
        }
      }
    }
  }

  @Test
  void everyByteOfASnapshotAndOfTheDescriptionIsChecked() throws IOException {
    List<Supplier<Durable>> makers = new ArrayList<>(MAKERS);
    makers.add(() -> WindowFilter.builder().window(Duration.ofHours(1)).keys(100).build());
    makers.add(() -> WindowFilter.builder().window(Duration.ofHours(1)).build());
    for (Supplier<Durable> maker : makers) {
      SimulatedDisk disk = new SimulatedDisk();
      try (DurableFilter<Durable> filter = open(disk, RARELY, maker)) {
        if (maker.get() instanceof WindowFilter) {
          filter.advanceTo(Instant.ofEpochMilli(1_700_000_000_000L));
        }
        for (long key = 0; key < 30; key++) {
          filter.put(key);
        }
      }
      Map<Path, byte[]> files = disk.files();
      for (Path path : files.keySet()) {
        String name = path.getFileName().toString();
        if (name.startsWith("journal-") || name.equals("reached")) {
          continue;
        }
        byte[] whole = files.get(path);
        int step = Math.max(1, whole.length / 120);
        for (int at = 0; at < whole.length; at += at < 120 ? 1 : step) {
          byte[] flipped = whole.clone();
          flipped[at] ^= 1;
          for (byte[] bytes : List.of(flipped, Arrays.copyOf(whole, at))) {
            Map<Path, byte[]> damaged = new TreeMap<>(files);
            damaged.put(path, bytes);
            assertThatThrownBy(() -> open(SimulatedDisk.of(damaged), RARELY, maker))
                .as("%s, byte %d of %d, %d bytes", name, at, whole.length, bytes.length)
                .isInstanceOf(IOException.class);
          }
        }
      }
    }
  }

  @Test
  void theFilesOfAnotherFolderAreRefused() throws IOException {
    Map<Path, byte[]> one = journalOfGroups(3);
    Map<Path, byte[]> other = journalOfGroups(3);
    Map<Path, byte[]> mixed = new TreeMap<>(one);
    mixed.put(journal(one), other.get(journal(other)));
    assertThatThrownBy(() -> open(SimulatedDisk.of(mixed), RARELY, MAKERS.get(1)))
        .isInstanceOf(FilterFormatException.class)
        .hasMessageContaining("belongs to the folder with id");
  }

  @Test
  void aSegmentThatIsMissingIsRefused() throws IOException {
    Map<Path, byte[]> files = journalOfGroups(3);
    Path journal = journal(files);
    byte[] bytes = files.remove(journal);
    assertThat(bytes).isNotEmpty();
    for (Map<Path, byte[]> gap : List.of(files, unmarked(files))) {
      assertThatThrownBy(() -> open(SimulatedDisk.of(gap), RARELY, MAKERS.get(1)))
          .isInstanceOf(FilterFormatException.class)
          .hasMessageContaining("missing");
    }
  }
}
