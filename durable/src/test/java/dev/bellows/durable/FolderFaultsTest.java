package dev.bellows.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.Durable;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.journal.RecoveryPlan;
import dev.bellows.io.FilterFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
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
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What happens to a folder apart from crashes and full disks: other processes and their files,
 * interrupts, steps that fail once, damage where only replicas read, and very large groups.
 */
class FolderFaultsTest {
  /** Longer than any test, so that only the calls of the test write. */
  private static final Sync RARELY = Sync.every(Duration.ofMinutes(50));

  @TempDir Path folder;

  private static FingerprintFilter keys() {
    return FingerprintFilter.create(1e-6);
  }

  private static FingerprintFilter removable() {
    return FingerprintFilter.builder().fpp(1e-6).removable().build();
  }

  private static long[] hashes(long from, int count) {
    return LongStream.range(from, from + count).map(i -> i * 0x9E3779B97F4A7C15L).toArray();
  }

  private DurableFilter<FingerprintFilter> open(SimulatedDisk disk, Sync sync) throws IOException {
    return DurableFilter.at(folder).disk(disk).sync(sync).open(FolderFaultsTest::keys);
  }

  /** On POSIX systems a process loses its lock when it closes any stream to the locked file. */
  @Test
  void openingReadOnlyInTheSameProcessKeepsTheLock() throws Exception {
    try (DurableFilter<Durable> filter =
        DurableFilter.open(folder, () -> KilledWriter.empty(folder), RARELY)) {
      filter.put(1);
      filter.force();
      try (DurableFilter<Durable> other =
          DurableFilter.at(folder).readOnly().open(() -> KilledWriter.empty(folder))) {
        assertThat(other.mightContain(1L)).isTrue();
        assertThat(other.sync()).isEqualTo(RARELY);
      }
      Process process = KillTest.start(folder, "never", 0, ProcessBuilder.Redirect.DISCARD);
      try {
        assertThat(process.getInputStream().read()).as("what another process puts").isEqualTo(-1);
        assertThat(process.waitFor()).isEqualTo(1);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void filesOfOtherProgramsStay() throws IOException {
    DurableFilter.open(folder, FolderFaultsTest::keys, Sync.NEVER).close();
    Path other = Files.createFile(folder.resolve("film.part"));
    Path unfinished = Files.createFile(folder.resolve("snapshot-1-7"));
    DurableFilter.open(folder, FolderFaultsTest::keys, Sync.NEVER).close();
    assertThat(other).exists();
    assertThat(unfinished).doesNotExist();
  }

  @Test
  void aBackupIsNotMixedWithOtherFiles() throws IOException {
    Path target = Files.createDirectories(folder.resolve("backup"));
    Files.createFile(target.resolve("journal-1-0"));
    Path live = folder.resolve("live");
    try (DurableFilter<FingerprintFilter> filter =
        DurableFilter.open(live, FolderFaultsTest::keys, Sync.NEVER)) {
      filter.put(1);
      assertThatThrownBy(() -> filter.backupTo(target)).isInstanceOf(FileSystemException.class);
    }
  }

  @Test
  void anInterruptedThreadPutsLikeAnyOther() throws IOException {
    for (Sync sync : List.of(Sync.ALWAYS, Sync.NEVER, Sync.every(Duration.ofMillis(1)))) {
      Path path = folder.resolve(sync.toString());
      try (DurableFilter<FingerprintFilter> filter =
          DurableFilter.open(path, FolderFaultsTest::keys, sync)) {
        Thread.currentThread().interrupt();
        assertThat(filter.put(1)).isTrue();
        filter.force();
        assertThat(filter.put(2)).isTrue();
        filter.checkpoint();
        assertThat(filter.put(3)).isTrue();
      }
      assertThat(Thread.interrupted()).as("the interrupt is kept for the caller").isTrue();
      try (DurableFilter<FingerprintFilter> filter =
          DurableFilter.open(path, FolderFaultsTest::keys, sync)) {
        assertThat(filter.version()).isEqualTo(3);
      }
    }
  }

  /** After a force that failed only a snapshot can say that the changes are on disk. */
  @Test
  void aForceThatFailedIsNotTakenForDone() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    DurableFilter<FingerprintFilter> filter = open(disk, Sync.NEVER);
    filter.put(1);
    disk.failToForce(true);
    assertThatThrownBy(filter::force).isInstanceOf(IOException.class);
    disk.failToForce(false);
    assertThatThrownBy(filter::force).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> filter.since(0)).isInstanceOf(IOException.class);
    filter.put(2);
    filter.checkpoint();
    filter.force();
    SimulatedDisk next = disk.restarted(new Random(1));
    assertThatThrownBy(filter::close).isInstanceOf(IOException.class);
    try (DurableFilter<FingerprintFilter> again = open(next, Sync.NEVER)) {
      assertThat(again.mightContain(1L)).isTrue();
      assertThat(again.mightContain(2L)).isTrue();
    }
  }

  /** A put that fails ends its segment; what was put there before is forced nevertheless. */
  @Test
  void aFailedPutLeavesTheOnesBeforeItForceable() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    DurableFilter<FingerprintFilter> filter = open(disk, Sync.NEVER);
    filter.put(1);
    disk.leaveRoom(5);
    assertThatThrownBy(() -> filter.put(2)).isInstanceOf(UncheckedIOException.class);
    filter.force();
    SimulatedDisk next = disk.restarted(new Random(1));
    assertThatThrownBy(filter::close).isInstanceOf(IOException.class);
    try (DurableFilter<FingerprintFilter> again = open(next, Sync.NEVER)) {
      assertThat(again.mightContain(1L)).isTrue();
      assertThat(again.mightContain(2L)).isFalse();
    }
  }

  /** The thread that writes regularly survives what it does not expect. */
  @Test
  @Timeout(60)
  void anUnexpectedFailureDoesNotEndTheWriting() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    AtomicInteger failures = new AtomicInteger();
    disk.hook =
        (operation, path) -> {
          if (operation.equals("write") && path.toString().contains("journal-")) {
            failures.incrementAndGet();
            throw new IllegalStateException("not expected");
          }
        };
    try (DurableFilter<FingerprintFilter> filter = open(disk, Sync.every(Duration.ofMillis(1)))) {
      filter.put(1);
      while (failures.get() == 0) {
        Thread.onSpinWait();
      }
      assertThat(filter.numbers().unsynced()).isEqualTo(1);
      disk.hook = (operation, path) -> {};
      while (filter.version() == 0) {
        Thread.onSpinWait();
      }
      assertThat(filter.numbers().unsynced()).isZero();
    }
  }

  @Test
  void damageInOldChangesGivesReplicasTheContent() throws IOException {
    try (DurableFilter<FingerprintFilter> filter =
        DurableFilter.open(folder, FolderFaultsTest::keys, Sync.NEVER)) {
      for (long key = 0; key < 1000; key++) {
        filter.put(key);
      }
      filter.checkpoint();
      filter.put(-1);
    }
    Path oldest = folder.resolve("journal-1-0");
    byte[] bytes = Files.readAllBytes(oldest);
    bytes[bytes.length / 2] ^= 1;
    Files.write(oldest, bytes);
    try (DurableFilter<FingerprintFilter> filter =
        DurableFilter.open(folder, FolderFaultsTest::keys, Sync.NEVER)) {
      Delta late = filter.since(1000);
      assertThat(late.hasContent()).isFalse();
      Delta all = filter.since(900);
      assertThat(all.hasContent()).isTrue();
      Files.delete(oldest);
      assertThat(filter.since(900)).isEqualTo(all);
    }
  }

  /** The owner takes a snapshot, and deletes the journal, while another process reads the last. */
  @Test
  void aSnapshotWhileTheFolderIsOpenedReadOnly() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    try (DurableFilter<FingerprintFilter> filter = open(disk, Sync.NEVER)) {
      filter.put(1);
      filter.checkpoint();
      AtomicBoolean isFirst = new AtomicBoolean(true);
      disk.hook =
          (operation, path) -> {
            boolean isSnapshot = path.getFileName().toString().startsWith("snapshot-");
            if (operation.equals("hold") && isSnapshot && isFirst.getAndSet(false)) {
              try {
                filter.put(2);
                filter.compact();
                filter.put(3);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          };
      try (DurableFilter<FingerprintFilter> other =
          DurableFilter.at(folder).disk(disk).readOnly().open(FolderFaultsTest::keys)) {
        assertThat(other.version()).isEqualTo(3);
      }
    }
  }

  /** A snapshot for which there is no room is not begun again with every put. */
  @Test
  void aSnapshotThatFailsIsTriedAgainAfterSomeTime() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    AtomicInteger attempts = new AtomicInteger();
    try (DurableFilter<FingerprintFilter> filter =
        DurableFilter.at(folder)
            .disk(disk)
            .sync(Sync.NEVER)
            .plan(new RecoveryPlan(1, 1))
            .recoverWithin(Duration.ofNanos(1))
            .open(FolderFaultsTest::keys)) {
      disk.hook =
          (operation, path) -> {
            if (operation.equals("create") && path.toString().contains("snapshot-")) {
              attempts.incrementAndGet();
              throw new UncheckedIOException(new IOException("no room"));
            }
          };
      int most = (int) RecoveryPlan.LEAST_CHANGES;
      filter.putHashes(hashes(0, most - 500), 0, most - 500);
      for (long key = 0; key < 400; key++) {
        filter.put(key);
      }
      assertThat(attempts.get()).isLessThanOrEqualTo(1);
      disk.hook = (operation, path) -> {};
    }
  }

  /** A frame of the journal has a limit, so that a call with very many hashes makes several. */
  @Test
  void manyHashesAreSeveralGroups() throws IOException {
    int many = (1 << 20) + 1;
    try (DurableFilter<BloomFilter> filter =
        DurableFilter.open(folder, () -> BloomFilter.create(4 * many, 0.5), Sync.NEVER)) {
      assertThat(filter.putHashes(hashes(0, many), 0, many)).isPositive();
      assertThat(filter.numbers().groups()).isEqualTo(2);
    }
  }

  /** Changes do not fill the memory, however long the interval is. */
  @Test
  void manyChangesAreWrittenBeforeTheIntervalEnds() throws IOException {
    int many = 6_000_000;
    try (DurableFilter<BloomFilter> filter =
        DurableFilter.open(folder, () -> BloomFilter.create(2 * many, 0.5), RARELY)) {
      for (int from = 0; from < many; from += 1000) {
        filter.putHashes(hashes(from, 1000), 0, 1000);
      }
      assertThat(filter.numbers().groups()).isPositive();
      assertThat(filter.numbers().unsynced()).isLessThan(5_000_000);
    }
  }

  /** Each group of a delta says how far it brings the replica, so that none is applied twice. */
  @Test
  void aCrashAfterTheHashesOfADeltaDoesNotRepeatThem() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    Delta delta;
    try (DurableFilter<FingerprintFilter> source =
        DurableFilter.open(folder.resolve("source"), FolderFaultsTest::removable, Sync.NEVER)) {
      for (long key = 0; key < 20; key++) {
        source.put(key);
      }
      delta = source.since(0);
      assertThat(delta.hasContent()).isFalse();
    }
    Path path = folder.resolve("replica");
    DurableFilter<FingerprintFilter> replica =
        DurableFilter.at(path).disk(disk).open(FolderFaultsTest::removable);
    replica.apply(delta);
    Map<Path, byte[]> files = new TreeMap<>(disk.files());
    FingerprintFilter expected = replica.copy();
    replica.close();
    Path journal = path.resolve("journal-1-0");
    files.remove(path.resolve("reached"));
    byte[] whole = files.get(journal);
    // behind the frame of the hashes
    int end = 32 + 32 + 8 * 4 + 32 + 8 * (4 + 20);
    List<Integer> lengths = new ArrayList<>(List.of(end, end + 1, whole.length));
    for (int length : lengths) {
      files.put(journal, Arrays.copyOf(whole, length));
      try (DurableFilter<FingerprintFilter> again =
          DurableFilter.at(path).disk(SimulatedDisk.of(files)).open(FolderFaultsTest::removable)) {
        again.apply(delta);
        assertThat(again.sourceVersion()).isEqualTo(20);
        assertThat(again.copy()).isEqualTo(expected);
      }
    }
  }

  @Test
  void whatWasClosedIsNotUsed() throws IOException {
    DurableFilter<FingerprintFilter> filter =
        DurableFilter.open(folder, FolderFaultsTest::keys, Sync.NEVER);
    filter.put(1);
    filter.close();
    filter.close();
    assertThat(filter.mightContain(1L)).as("queries need no folder").isTrue();
    assertThatThrownBy(() -> filter.put(2)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(filter::clear).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(filter::checkpoint).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> filter.since(0)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> filter.backupTo(folder.resolve("backup")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void aFileInPlaceOfTheFolderIsNamed() throws IOException {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> DurableFilter.open(file, FolderFaultsTest::keys, Sync.NEVER))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("not a folder");
  }

  @Test
  void foldersInPlaceOfFilesAreNamed() throws IOException {
    for (String name : List.of("filter", "manifest-1", "journal-1-2", "snapshot-1-1")) {
      Path path = folder.resolve("with-" + name);
      try (DurableFilter<FingerprintFilter> filter =
          DurableFilter.open(folder.resolve("live-" + name), FolderFaultsTest::keys, Sync.NEVER)) {
        filter.put(1);
        filter.checkpoint();
        filter.put(2);
        filter.backupTo(path);
      }
      Files.deleteIfExists(path.resolve(name));
      Files.createDirectory(path.resolve(name));
      assertThatThrownBy(() -> DurableFilter.open(path, FolderFaultsTest::keys, Sync.NEVER))
          .isInstanceOf(IOException.class)
          .isNotInstanceOf(FilterFormatException.class)
          .hasMessageContaining(name);
    }
  }
}
