package dev.bellows.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.Durable;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.journal.RecoveryPlan;
import dev.bellows.io.Filters;
import dev.bellows.scalable.ScalableBloomFilter;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Keys survive closing and reopening, for every kind and every Sync. */
class DurableFilterTest {
  private static final Sync EVERY = Sync.every(Duration.ofMillis(10));

  @TempDir Path folder;

  record Kind(String name, Supplier<Durable> maker, Sync sync) {
    @Override
    public String toString() {
      return name + ", sync " + sync;
    }
  }

  static Stream<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>();
    for (Sync sync : List.of(EVERY, Sync.NEVER, Sync.ALWAYS)) {
      kinds.add(new Kind("bloom", () -> BloomFilter.create(3000, 0.01), sync));
      kinds.add(
          new Kind(
              "bloom with an id",
              () -> BloomFilter.builder().keys(99).fpp(0.1).id(7).build(),
              sync));
      kinds.add(new Kind("fingerprint", () -> FingerprintFilter.create(1e-4), sync));
      kinds.add(
          new Kind(
              "removable", () -> FingerprintFilter.builder().fpp(1e-4).removable().build(), sync));
      kinds.add(
          new Kind("scalable", () -> ScalableBloomFilter.builder().initialKeys(50).build(), sync));
    }
    return kinds.stream();
  }

  private static int keys(Kind kind) {
    return kind.sync.equals(Sync.ALWAYS) ? 100 : 3000;
  }

  private DurableFilter<Durable> open(Kind kind) throws IOException {
    return DurableFilter.open(folder, kind.maker, kind.sync);
  }

  @Test
  void theFilterAloneIsNotWrittenIntoItsFolder(@TempDir Path elsewhere) throws IOException {
    try (DurableFilter<BloomFilter> filter =
        DurableFilter.open(folder, () -> BloomFilter.create(100, 0.01), EVERY)) {
      filter.put(1);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> filter.writeTo(folder.resolve("filter")));
      filter.writeTo(elsewhere.resolve("filter"));
    }
    assertThat(BloomFilter.readFrom(elsewhere.resolve("filter")).mightContain(1)).isTrue();
    try (DurableFilter<BloomFilter> again =
        DurableFilter.open(folder, () -> BloomFilter.create(100, 0.01), EVERY)) {
      assertThat(again.mightContain(1)).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void keysSurviveReopening(Kind kind) throws IOException {
    Durable expected = kind.maker.get();
    try (DurableFilter<Durable> filter = open(kind)) {
      assertThat(filter.isEmpty()).isTrue();
      for (long i = 0; i < keys(kind); i++) {
        assertThat(filter.put(i)).as("key %d", i).isEqualTo(expected.put(i));
        assertThat(filter.mightContain(i)).isTrue();
      }
      assertThat(filter.copy()).isEqualTo(expected);
    }
    try (DurableFilter<Durable> filter = open(kind)) {
      assertThat(filter.copy()).isEqualTo(expected);
      assertThat(filter.recovery().changes()).as("a closed folder has no journal").isZero();
      assertThat(filter.recovery().snapshotVersion()).isEqualTo(filter.version());
      for (long i = keys(kind); i < 2L * keys(kind); i++) {
        assertThat(filter.put(i)).isEqualTo(expected.put(i));
      }
    }
    try (DurableFilter<Durable> filter = DurableFilter.at(folder).readOnly().open(kind.maker)) {
      assertThat(filter.copy()).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aBackupEqualsTheFilter(Kind kind) throws IOException {
    Durable expected = kind.maker.get();
    Path live = folder.resolve("live");
    Path backup = folder.resolve("backup");
    try (DurableFilter<Durable> filter = DurableFilter.open(live, kind.maker, kind.sync)) {
      for (long i = 0; i < keys(kind); i++) {
        filter.put(i);
        expected.put(i);
        if (i == 20) {
          filter.checkpoint();
        }
      }
      filter.backupTo(backup);
      filter.put(-1);
      assertThatThrownBy(() -> filter.backupTo(backup)).isInstanceOf(FileSystemException.class);
    }
    try (DurableFilter<Durable> filter = DurableFilter.open(backup, kind.maker, kind.sync)) {
      assertThat(filter.copy()).isEqualTo(expected);
      assertThat(filter.recovery().changes()).isPositive();
    }
  }

  /** A snapshot of many chunks, and large groups behind it. */
  @Test
  void recoveryOfLargeGroupsGivesTheSameFilter() throws IOException {
    List<Supplier<Durable>> makers =
        List.of(
            () -> BloomFilter.create(30_000, 0.01),
            () -> FingerprintFilter.create(1e-4),
            () -> FingerprintFilter.builder().fpp(1e-4).removable().build(),
            () -> ScalableBloomFilter.builder().initialKeys(50).build());
    for (int kind = 0; kind < makers.size(); kind++) {
      Durable expected = makers.get(kind).get();
      long[] hashes =
          LongStream.range(0, 30_000).map(key -> expected.hashScheme().hash(key)).toArray();
      Path backup = folder.resolve("backup" + kind);
      try (DurableFilter<Durable> filter =
          DurableFilter.open(folder.resolve("live" + kind), makers.get(kind), Sync.NEVER)) {
        filter.putHashes(hashes, 0, 10_000);
        filter.checkpoint();
        filter.putHashes(hashes, 10_000, 20_000);
        filter.putHashes(hashes, 20_000, 30_000);
        filter.backupTo(backup);
      }
      expected.putHashes(hashes, 0, hashes.length);
      try (DurableFilter<Durable> filter =
          DurableFilter.open(backup, makers.get(kind), Sync.NEVER)) {
        assertThat(filter.recovery().changes()).isPositive();
        assertThat(filter.copy()).isEqualTo(expected);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void clearingIsRemembered(Kind kind) throws IOException {
    Durable expected = kind.maker.get();
    expected.put(7);
    try (DurableFilter<Durable> filter = open(kind)) {
      filter.put(1);
      filter.put(2);
      filter.clear();
      filter.put(7);
      filter.backupTo(folder.resolve("copy"));
      assertThat(filter.numbers().epoch()).isEqualTo(3);
    }
    for (Path path : List.of(folder, folder.resolve("copy"))) {
      try (DurableFilter<Durable> filter = DurableFilter.open(path, kind.maker, kind.sync)) {
        assertThat(filter.copy()).isEqualTo(expected);
        assertThat(filter.numbers().epoch()).isEqualTo(3);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void exactlyOneOfManyThreadsGetsTrue(Kind kind) throws Exception {
    int threads = 6;
    int keys = keys(kind) / 5;
    AtomicInteger[] wins = new AtomicInteger[keys];
    for (int i = 0; i < keys; i++) {
      wins[i] = new AtomicInteger();
    }
    try (DurableFilter<Durable> filter = open(kind)) {
      CountDownLatch ready = new CountDownLatch(threads);
      List<Thread> all = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Thread thread =
            new Thread(
                () -> {
                  ready.countDown();
                  for (int i = 0; i < keys; i++) {
                    if (filter.putIfAbsent(i)) {
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
      int passed = 0;
      for (int i = 0; i < keys; i++) {
        assertThat(wins[i].get()).isLessThanOrEqualTo(1);
        passed += 1 - wins[i].get();
        assertThat(filter.mightContain((long) i)).isTrue();
      }
      // a key that is a false positive is new for no thread
      assertThat(passed).isLessThan(kind.name.startsWith("bloom with") ? keys : keys / 10 + 5);
    }
    try (DurableFilter<Durable> filter = open(kind)) {
      assertThat(LongStream.range(0, keys)).allMatch(filter::mightContain);
    }
  }

  @Test
  void removalsAreRemembered() throws IOException {
    Supplier<FingerprintFilter> maker =
        () -> FingerprintFilter.builder().fpp(1e-3).removable().build();
    for (Sync sync : List.of(EVERY, Sync.NEVER)) {
      Path path = folder.resolve(sync.toString().replace(' ', '-'));
      FingerprintFilter expected = maker.get();
      Random random = new Random(5);
      try (DurableFilter<FingerprintFilter> filter = DurableFilter.open(path, maker, sync)) {
        for (int i = 0; i < 4000; i++) {
          long key = random.nextInt(700);
          switch (random.nextInt(3)) {
            case 0 -> assertThat(filter.remove(key)).isEqualTo(expected.remove(key));
            case 1 -> assertThat(filter.put(key)).isEqualTo(expected.put(key));
            default -> {
              boolean isNew = !expected.mightContain(key);
              assertThat(filter.putIfAbsent(key)).isEqualTo(isNew);
              if (isNew) {
                expected.put(key);
              }
            }
          }
          if (i % 1000 == 500) {
            filter.checkpoint();
          }
        }
        filter.backupTo(path.resolveSibling(path.getFileName() + "-copy"));
      }
      for (Path folder : List.of(path, path.resolveSibling(path.getFileName() + "-copy"))) {
        try (DurableFilter<FingerprintFilter> filter = DurableFilter.open(folder, maker, sync)) {
          assertThat(filter.copy()).isEqualTo(expected);
        }
      }
    }
  }

  @Test
  void aSetRefusesToRemove() throws IOException {
    try (DurableFilter<BloomFilter> filter =
        DurableFilter.open(folder, () -> BloomFilter.create(10, 0.1), Sync.NEVER)) {
      assertThatThrownBy(() -> filter.remove(1)).isInstanceOf(IllegalStateException.class);
    }
  }

  @Test
  void aSecondOpenNamesThePid() throws IOException {
    Supplier<BloomFilter> maker = () -> BloomFilter.create(10, 0.1);
    try (DurableFilter<BloomFilter> filter = DurableFilter.open(folder, maker, Sync.NEVER)) {
      assertThatThrownBy(() -> DurableFilter.open(folder, maker, Sync.NEVER))
          .isInstanceOf(FileSystemException.class)
          .hasMessageContaining("pid " + ProcessHandle.current().pid());
      filter.put(1);
      try (DurableFilter<BloomFilter> reader = DurableFilter.at(folder).readOnly().open(maker)) {
        assertThat(reader.mightContain(1L)).isTrue();
        assertThatThrownBy(() -> reader.put(2)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(reader::checkpoint).isInstanceOf(UnsupportedOperationException.class);
      }
    }
    // and it is free again
    DurableFilter.open(folder, maker, Sync.NEVER).close();
  }

  @Test
  void otherSettingsAreRefused() throws IOException {
    DurableFilter.open(folder, () -> FingerprintFilter.create(0.01), Sync.NEVER).close();
    assertThatThrownBy(
            () -> DurableFilter.open(folder, () -> FingerprintFilter.create(0.02), Sync.NEVER))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("other settings");
    assertThatThrownBy(
            () -> DurableFilter.open(folder, () -> BloomFilter.create(5, 0.02), Sync.NEVER))
        .isInstanceOf(FileSystemException.class);
    assertThatThrownBy(
            () ->
                DurableFilter.at(folder.resolve("none"))
                    .readOnly()
                    .open(() -> BloomFilter.create(5, 0.02)))
        .isInstanceOf(NoSuchFileException.class);
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void aFolderRestoresItsOwnSettings(Kind kind) throws IOException {
    try (DurableFilter<Durable> filter = open(kind)) {
      filter.put(5);
      Durable empty =
          (Durable)
              Filters.format(filter.stats().kind())
                  .empty(DurableFilter.settings(folder), dev.bellows.io.ReadOptions.DEFAULT);
      assertThat(empty).isEqualTo(kind.maker.get());
    }
  }

  @Test
  void aFilterWithKeysBecomesDurable() throws IOException {
    FingerprintFilter old = FingerprintFilter.create(1e-5);
    LongStream.range(0, 2000).forEach(old::put);
    try (DurableFilter<FingerprintFilter> filter = DurableFilter.open(folder, old::copy, EVERY)) {
      filter.put(5000);
      filter.force();
      assertThat(filter.version()).isEqualTo(1);
    }
    old.put(5000);
    try (DurableFilter<FingerprintFilter> filter = DurableFilter.open(folder, old::copy, EVERY)) {
      assertThat(filter.copy()).isEqualTo(old);
    }
  }

  @Test
  void aFolderWithoutItsDescriptionIsRefused() throws IOException {
    Supplier<BloomFilter> maker = () -> BloomFilter.create(10, 0.1);
    try (DurableFilter<BloomFilter> filter = DurableFilter.open(folder, maker, Sync.NEVER)) {
      filter.put(1);
    }
    Files.delete(folder.resolve("filter"));
    assertThatThrownBy(() -> DurableFilter.open(folder, maker, Sync.NEVER))
        .isInstanceOf(FileSystemException.class)
        .hasMessageContaining("filter");
  }

  @Test
  void theBoundOfTheJournalMayBeForever() throws IOException {
    DurableFilter.Builder builder = DurableFilter.at(folder).sync(EVERY);
    try (DurableFilter<FingerprintFilter> filter =
        builder
            .recoverWithin(Duration.ofSeconds(Long.MAX_VALUE))
            .open(() -> FingerprintFilter.create(1e-3))) {
      filter.put(1);
      assertThat(filter.mightContain(1)).isTrue();
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> builder.recoverWithin(Duration.ofSeconds(Long.MIN_VALUE)));
    assertThatIllegalArgumentException().isThrownBy(() -> builder.recoverWithin(Duration.ZERO));
  }

  @Test
  void theBoundOfTheJournalTriggersSnapshots() throws IOException {
    RecoveryPlan plan = new RecoveryPlan(1000, 1);
    assertThat(plan.mostChanges(1_000_000_000, 0)).isEqualTo(1_000_000);
    assertThat(plan.mostChanges(1_000_000_000, 600_000_000)).isEqualTo(400_000);
    assertThat(plan.mostChanges(1_000_000_000, 8_000_000_000L)).isEqualTo(1_000_000);
    assertThat(plan.mostChanges(1, 0)).isEqualTo(RecoveryPlan.LEAST_CHANGES);

    Supplier<FingerprintFilter> maker = () -> FingerprintFilter.create(1e-3);
    int keys = (int) (5 * RecoveryPlan.LEAST_CHANGES);
    try (DurableFilter<FingerprintFilter> filter =
        DurableFilter.at(folder).sync(EVERY).recoverWithin(Duration.ofNanos(1)).open(maker)) {
      for (long i = 0; i < keys; i++) {
        filter.put(i);
        if (i % 4096 == 0) {
          filter.force();
          DurableFilter.Numbers now = filter.numbers();
          assertThat(now.version() - now.snapshotVersion())
              .isLessThanOrEqualTo(RecoveryPlan.LEAST_CHANGES + 4096);
        }
      }
      DurableFilter.Numbers now = filter.numbers();
      assertThat(now.snapshots()).isGreaterThanOrEqualTo(4);
      assertThat(now.journalBytes()).isLessThan(9L * keys);
      assertThat(now.bytesWritten()).isGreaterThan(8 * now.version());
      assertThat(LongStream.range(0, keys)).allMatch(filter::mightContain);
    }
    try (DurableFilter<FingerprintFilter> filter =
        DurableFilter.at(folder).sync(EVERY).open(maker)) {
      assertThat(LongStream.range(0, keys)).allMatch(filter::mightContain);
    }
  }

  @Test
  void compactLeavesOneSnapshot() throws IOException {
    Supplier<FingerprintFilter> maker = () -> FingerprintFilter.create(1e-3);
    try (DurableFilter<FingerprintFilter> filter = DurableFilter.open(folder, maker, EVERY)) {
      LongStream.range(0, 100).forEach(filter::put);
      filter.checkpoint();
      filter.put(1000);
      filter.compact();
      assertThat(filter.numbers().journalBytes()).isZero();
      try (Stream<Path> files = Files.list(folder)) {
        assertThat(files.map(file -> file.getFileName().toString()))
            .containsExactlyInAnyOrder(
                "filter", "lock", "owner", "reached", "manifest-1", "snapshot-1-3");
      }
      assertThat(filter.since(100).hasContent()).isTrue();
    }
  }

  @Test
  void aClosedFilterRefusesPuts() throws IOException {
    for (Sync sync : List.of(EVERY, Sync.NEVER)) {
      DurableFilter<BloomFilter> filter =
          DurableFilter.open(
              folder.resolve(sync.toString()), () -> BloomFilter.create(10, 0.1), sync);
      filter.put(1);
      filter.close();
      filter.close();
      assertThatThrownBy(() -> filter.put(2)).isInstanceOf(IllegalStateException.class);
      assertThat(filter.mightContain(1L)).isTrue();
    }
  }

  @Test
  void syncsAreChecked() {
    assertThatThrownBy(() -> Sync.every(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Sync.every(Duration.ofDays(1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Sync.every(Duration.ofMillis(10))).isEqualTo(EVERY).hasToString("every 10 ms");
    assertThat(Sync.ALWAYS).isNotEqualTo(Sync.NEVER).hasToString("always");
  }
}
