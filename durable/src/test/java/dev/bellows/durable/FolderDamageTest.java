package dev.bellows.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.io.FilterFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Damage in the files of a folder, and readers during compaction: acknowledged keys are never
 * missing without an exception, except unforced ones at the end of the journal.
 */
class FolderDamageTest {
  /** Longer than any test, so that only the calls of the test write. */
  private static final Sync RARELY = Sync.every(Duration.ofMinutes(50));

  @TempDir Path folder;

  private static FingerprintFilter keys() {
    return FingerprintFilter.create(1e-9);
  }

  private DurableFilter<FingerprintFilter> open(SimulatedDisk disk, Sync sync) throws IOException {
    return DurableFilter.at(folder).disk(disk).sync(sync).open(FolderDamageTest::keys);
  }

  /** Returns the files of a process that was killed after these puts. */
  private Map<Path, byte[]> killed(Sync sync, int puts, int checkpointAfter) throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    DurableFilter<FingerprintFilter> filter = open(disk, sync);
    for (long key = 0; key < puts; key++) {
      filter.put(key);
      if (key + 1 == checkpointAfter) {
        filter.checkpoint();
      }
    }
    Map<Path, byte[]> files = disk.files();
    disk.failAfter(0);
    assertThatThrownBy(filter::close).isInstanceOf(IOException.class);
    return files;
  }

  private static Path last(Map<Path, byte[]> files, String prefix) {
    return files.keySet().stream()
        .filter(path -> path.getFileName().toString().startsWith(prefix))
        .reduce((a, b) -> b)
        .orElseThrow();
  }

  @Test
  void aFlippedBitInTheMiddleIsRefusedUnderEveryPolicy() throws IOException {
    for (Sync sync : List.of(Sync.NEVER, Sync.ALWAYS)) {
      Map<Path, byte[]> files = killed(sync, 1000, 0);
      byte[] journal = files.get(last(files, "journal-"));
      for (int at : List.of(40, 32 + 40 * 10 + 33, journal.length / 2, 32 + 40 * 998)) {
        journal[at] ^= 4;
        assertThatThrownBy(() -> open(SimulatedDisk.of(files), sync))
            .isInstanceOf(FilterFormatException.class);
        journal[at] ^= 4;
      }
      try (DurableFilter<FingerprintFilter> whole = open(SimulatedDisk.of(files), sync)) {
        assertThat(whole.version()).isEqualTo(1000);
      }
    }
  }

  @Test
  void everyMissingFileIsNoticed() throws IOException {
    for (int checkpoint : List.of(0, 500)) {
      Map<Path, byte[]> files = killed(Sync.NEVER, 1000, checkpoint);
      for (Path path : files.keySet()) {
        String name = path.getFileName().toString();
        boolean isHistory = name.startsWith("journal-") && !path.equals(last(files, "journal-"));
        Map<Path, byte[]> fewer = new TreeMap<>(files);
        fewer.remove(path);
        if (name.equals("reached") || isHistory) {
          try (DurableFilter<FingerprintFilter> whole = open(SimulatedDisk.of(fewer), Sync.NEVER)) {
            assertThat(whole.version()).isEqualTo(1000);
          }
        } else {
          assertThatThrownBy(() -> open(SimulatedDisk.of(fewer), Sync.NEVER))
              .as(name)
              .isInstanceOf(IOException.class);
          assertThatThrownBy(
                  () ->
                      DurableFilter.at(folder)
                          .disk(SimulatedDisk.of(fewer))
                          .readOnly()
                          .open(FolderDamageTest::keys))
              .as(name)
              .isInstanceOf(IOException.class);
        }
      }
    }
  }

  /** A group of hashes that spells a group, followed by a torn one. */
  @Test
  void chosenHashesAreNotTakenForAGroup() throws IOException {
    ByteBuffer forged = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
    // one put of version 10, with the flag of the first group of a commit
    forged.putInt(8).putInt(1 | 1 << 8).putLong(10).putLong(0).putLong(32, 77);
    forged.putInt(24, checksum(forged.array(), 32, 8));
    forged.putInt(28, checksum(forged.array(), 0, 28));
    long[] chosen = new long[5];
    forged.rewind().asLongBuffer().get(chosen);
    for (Sync sync : List.of(Sync.NEVER, Sync.ALWAYS)) {
      SimulatedDisk disk = new SimulatedDisk();
      Supplier<BloomFilter> maker = () -> BloomFilter.create(1000, 1e-9);
      DurableFilter<BloomFilter> filter =
          DurableFilter.at(folder).disk(disk).sync(sync).open(maker);
      filter.putHashes(new long[] {1L << 40, 2L << 40, 3L << 40}, 0, 3);
      Map<Path, byte[]> before = disk.files();
      filter.putHashes(chosen, 0, 5);
      Map<Path, byte[]> files = disk.files();
      disk.failAfter(0);
      assertThatThrownBy(filter::close).isInstanceOf(IOException.class);
      Path journal = last(files, "journal-");
      // the write of the second group is torn in its header, and was not acknowledged
      byte[] torn = files.get(journal);
      Arrays.fill(torn, before.get(journal).length, before.get(journal).length + 8, (byte) 0);
      before.put(journal, torn);
      try (DurableFilter<BloomFilter> again =
          DurableFilter.at(folder).disk(SimulatedDisk.of(before)).sync(sync).open(maker)) {
        assertThat(again.version()).isEqualTo(3);
        assertThat(again.recovery().cutBytes()).isEqualTo(32 + 8 * 5);
      }
    }
  }

  private static int checksum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  /** The owner takes a snapshot and deletes the journal before each step of the reader. */
  @Test
  void aReaderMissesNoKeyDuringConstantCompaction() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    try (DurableFilter<FingerprintFilter> filter = open(disk, Sync.NEVER)) {
      AtomicLong next = new AtomicLong();
      AtomicInteger left = new AtomicInteger();
      AtomicBoolean isBusy = new AtomicBoolean();
      disk.hook =
          (operation, path) -> {
            boolean isReading = operation.equals("hold") || operation.equals("read");
            if (isReading && left.get() > 0 && !isBusy.getAndSet(true)) {
              left.decrementAndGet();
              try {
                filter.put(next.getAndIncrement());
                filter.compact();
                filter.put(next.getAndIncrement());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              isBusy.set(false);
            }
          };
      for (int steps = 0; steps < 60; steps++) {
        filter.put(next.getAndIncrement());
        long acknowledged = next.get();
        left.set(steps);
        try (DurableFilter<FingerprintFilter> reader =
            DurableFilter.at(folder).disk(disk).readOnly().open(FolderDamageTest::keys)) {
          left.set(0);
          for (long key = 0; key < acknowledged; key++) {
            assertThat(reader.mightContain(key)).isTrue();
          }
          filter.compact();
          Delta delta = reader.since(0);
          assertThat(delta.to()).isEqualTo(reader.version());
        }
      }
    }
  }

  /** The end of following lies in a segment of its own, when a put comes during a checkpoint. */
  @Test
  void aPromotionSurvivesACrashDuringTheNextSnapshot() throws IOException {
    Delta delta;
    try (DurableFilter<FingerprintFilter> source =
        DurableFilter.open(folder.resolve("source"), FolderDamageTest::keys, Sync.NEVER)) {
      source.put(1);
      delta = source.since(0);
    }
    folder = folder.resolve("replica");
    for (boolean isAlone : new boolean[] {true, false}) {
      SimulatedDisk disk = new SimulatedDisk();
      DurableFilter<FingerprintFilter> replica = open(disk, Sync.ALWAYS);
      replica.apply(delta);
      if (isAlone) {
        replica.checkpoint();
      }
      replica.promote();
      List<Map<Path, byte[]>> files = new ArrayList<>();
      disk.hook =
          (operation, path) -> {
            if (operation.equals("create")
                && path.toString().contains("snapshot-")
                && files.isEmpty()) {
              replica.put(2);
              files.add(disk.files());
            }
          };
      replica.checkpoint();
      disk.failAfter(0);
      assertThatThrownBy(replica::close).isInstanceOf(IOException.class);
      try (DurableFilter<FingerprintFilter> again =
          open(SimulatedDisk.of(files.get(0)), Sync.ALWAYS)) {
        assertThat(again.sourceId()).isZero();
        assertThat(again.mightContain(2L)).isTrue();
        assertThat(again.put(3)).isTrue();
      }
    }
  }

  @Test
  void aFolderWithOtherFilesIsRefused() throws IOException {
    Path mine = Files.createFile(folder.resolve("notes.txt"));
    assertThatThrownBy(() -> DurableFilter.open(folder, FolderDamageTest::keys, Sync.NEVER))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("notes.txt");
    assertThat(folder).isDirectoryNotContaining(path -> path.endsWith("filter"));
    Files.delete(mine);
    DurableFilter.open(folder, FolderDamageTest::keys, Sync.NEVER).close();
    Files.createFile(mine);
    DurableFilter.open(folder, FolderDamageTest::keys, Sync.NEVER).close();
    assertThat(mine).exists();
  }

  @Test
  void otherSettingsAreReportedWithTheStoredOnes() throws IOException {
    Supplier<BloomFilter> stored = () -> BloomFilter.builder().keys(1000).fpp(0.01).build();
    DurableFilter.open(folder, stored, Sync.NEVER).close();
    Supplier<BloomFilter> larger = () -> BloomFilter.builder().keys(2000).fpp(0.01).build();
    assertThatThrownBy(() -> DurableFilter.open(folder, larger, Sync.NEVER))
        .hasMessageContaining(stored.get().toString())
        .hasMessageContaining(larger.get().toString());
    HashScheme seeded = HashScheme.xxh3(7);
    assertThatThrownBy(
            () ->
                DurableFilter.open(
                    folder,
                    () -> BloomFilter.builder().keys(1000).fpp(0.01).hashScheme(seeded).build(),
                    Sync.NEVER))
        .hasMessageContaining(seeded.toString());
    assertThatThrownBy(() -> DurableFilter.open(folder, FolderDamageTest::keys, Sync.NEVER))
        .hasMessageContaining("kind bloom")
        .hasMessageContaining(keys().toString());
  }

  @Test
  void aThousandDamagedFolders() throws IOException {
    damage(1000);
  }

  @Test
  @Tag("scale")
  void aHundredThousandDamagedFolders() throws IOException {
    System.out.println(damage(100_000));
  }

  /** Random flips, cuts, deletions and swapped files, one to three of them in each folder. */
  private String damage(int folders) throws IOException {
    Random random = new Random(53);
    int exact = 0;
    int refused = 0;
    int unforced = 0;
    int keys = 300;
    List<Map<Path, byte[]>> others = new ArrayList<>();
    for (int round = 0; round < folders; round++) {
      // each example is damaged in several ways
      Sync sync = List.of(Sync.ALWAYS, Sync.NEVER, RARELY).get(round / 50 % 3);
      if (round % 50 == 0) {
        others.add(0, example(random, sync, keys));
        others.subList(Math.min(3, others.size()), others.size()).clear();
      }
      Map<Path, byte[]> files = new TreeMap<>();
      others.get(0).forEach((path, bytes) -> files.put(path, bytes.clone()));
      String what = damage(random, files, others);
      boolean isForced = !sync.equals(Sync.NEVER);
      try (DurableFilter<FingerprintFilter> filter =
          DurableFilter.at(folder)
              .disk(SimulatedDisk.of(files))
              .readOnly()
              .open(FolderDamageTest::keys)) {
        int found = 0;
        while (found < keys && filter.mightContain((long) found)) {
          found++;
        }
        for (long key = found; key < keys; key++) {
          assertThat(filter.mightContain(key)).as("%d: a key behind a gap", round).isFalse();
        }
        if (found < keys) {
          // the file that says how far the journal was forced may be damaged too
          boolean isKnown = isForced && !what.contains("reached");
          assertThat(isKnown).as("round %d, %s: %s, %d keys", round, sync, what, found).isFalse();
          assertThat(filter.version()).isEqualTo(found);
          unforced++;
        } else {
          exact++;
        }
      } catch (IOException e) {
        refused++;
      }
    }
    assertThat(exact).isPositive();
    assertThat(refused).isPositive();
    return "%,d folders: %,d exact, %,d refused, %,d without an unforced tail"
        .formatted(folders, exact, refused, unforced);
  }

  /** Returns the files of a process that was killed or has closed its folder. */
  private Map<Path, byte[]> example(Random random, Sync sync, int keys) throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    DurableFilter<FingerprintFilter> filter = open(disk, sync);
    for (long key = 0; key < keys; key++) {
      filter.put(key);
      switch (random.nextInt(60)) {
        case 0 -> filter.checkpoint();
        case 1 -> filter.compact();
        case 2, 3 -> filter.force();
        case 4 -> {
          if (sync != RARELY) {
            disk.leaveRoom(5);
            long more = key + keys;
            assertThatThrownBy(() -> filter.put(more)).isInstanceOf(UncheckedIOException.class);
            disk.leaveRoom(Long.MAX_VALUE);
          }
        }
        default -> {}
      }
    }
    if (sync.equals(RARELY)) {
      filter.force();
    }
    Map<Path, byte[]> files = disk.files();
    if (random.nextInt(4) == 0) {
      filter.close();
      return disk.files();
    }
    disk.failAfter(0);
    assertThatThrownBy(filter::close).isInstanceOf(IOException.class);
    return files;
  }

  private static String damage(
      Random random, Map<Path, byte[]> files, List<Map<Path, byte[]>> others) {
    StringBuilder what = new StringBuilder();
    int times = 1 + random.nextInt(3);
    for (int i = 0; i < times && !files.isEmpty(); i++) {
      List<Path> paths = List.copyOf(files.keySet());
      Path path = paths.get(random.nextInt(paths.size()));
      byte[] bytes = files.get(path);
      int kind = random.nextInt(5);
      what.append(kind).append(' ').append(path.getFileName()).append("; ");
      switch (kind) {
        case 0, 1 -> {
          if (bytes.length > 0) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
          }
        }
        case 2 -> files.put(path, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
        case 3 -> files.remove(path);
        default -> {
          Map<Path, byte[]> other = others.get(random.nextInt(others.size()));
          Path its = List.copyOf(other.keySet()).get(random.nextInt(other.size()));
          what.append("from ").append(its.getFileName()).append("; ");
          if (random.nextBoolean() && files.containsKey(its)) {
            files.put(path, files.put(its, bytes));
          } else {
            files.put(path, other.get(its).clone());
          }
        }
      }
    }
    return what.toString();
  }
}
