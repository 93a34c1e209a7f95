package dev.bellows.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.prefixes.PrefixHooks;
import dev.bellows.internal.prefixes.PrefixStore;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fingerprint filters that several threads fill, query, copy, fold, merge and write. */
class FingerprintThreadsTest {
  private static final int KEYS = 20_000;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noPutIsLostWhileChunksSplit(boolean removable) throws Exception {
    FingerprintFilter.Builder builder = FingerprintFilter.builder().fpp(0.001);
    FingerprintFilter shared = (removable ? builder.removable() : builder).build();
    FingerprintFilter empty = shared.copy();
    AtomicLong news = new AtomicLong();
    new Stress()
        .concurrently(shared::mightContain)
        .concurrently(shared::mightContain)
        .besideMade(() -> shared.copy()::mightContain)
        .besideMade(() -> shared.foldToFpp(0.2)::mightContain)
        .besideMade(() -> empty.union(shared)::mightContain)
        .besideMade(() -> shared.intersection(shared)::mightContain)
        .besideMade(() -> FingerprintFilter.fromBytes(shared.toBytes())::mightContain)
        .put(
            KEYS,
            (writer, key) -> {
              if (shared.put(key)) {
                news.incrementAndGet();
              }
            },
            shared::mightContain);
    assertThat(shared.approximateElementCount()).isEqualTo(news.get());
    assertThat(shared.expectedFpp()).isLessThanOrEqualTo(0.001);
    assertThat(shared.copy().expectedFpp()).isEqualTo(shared.expectedFpp());
  }

  /** All chunks are replaced again and again while other threads put and query. */
  @Test
  void noPutIsLostWhileItFoldsInPlace() throws Exception {
    FingerprintFilter shared = FingerprintFilter.create(1e-9);
    new Stress()
        .concurrently(shared::mightContain)
        .put(
            KEYS,
            (writer, key) -> {
              long fold = key / Stress.WRITERS / 500;
              if (writer == 0 && key / Stress.WRITERS % 500 == 499) {
                // far above the rate that all keys have
                shared.foldInPlace(1e-6 * Math.pow(1.3, fold));
              }
              shared.put(key);
            },
            shared::mightContain);
  }

  /**
   * The new chunks accept puts immediately: from then on, queries must not answer from the old
   * ones.
   */
  @Test
  void noPutIsLostDuringAFullReplacement() throws Exception {
    PrefixStore store = new PrefixStore(false, 40, 511);
    new Stress()
        .concurrently(() -> store.replaceBy(PrefixStore::copy))
        .put(
            60_000,
            (writer, key) -> {
              // few keys, so that writers meet in one chunk and it is replaced often
              assertThat(store.put(mix(key))).isTrue();
              assertThat(store.contains(mix(key))).isTrue();
              assertThat(store.remove(mix(key))).isTrue();
            });
  }

  private static long mix(long key) {
    return (key + 1) * 0x9E37_79B9_7F4A_7C15L;
  }

  /** Each thread puts and removes keys of its own: whatever it has put is there. */
  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void concurrentRemovalsAndPutsLoseNothing(int threads) throws Exception {
    FingerprintFilter shared = FingerprintFilter.builder().fpp(0.02).removable().build();
    List<Future<?>> running = new ArrayList<>();
    ExecutorService pool = Executors.newFixedThreadPool(threads + 1);
    AtomicBoolean isOver = new AtomicBoolean();
    for (long key = 0; key < 2000; key++) {
      shared.put(key);
    }
    Future<?> reader =
        pool.submit(
            () -> {
              long[] hashes = new long[2000];
              boolean[] hits = new boolean[2000];
              for (int i = 0; i < hashes.length; i++) {
                hashes[i] = shared.hashScheme().hash((long) i);
              }
              while (!isOver.get()) {
                assertThat(shared.countMightContainHashes(hashes, 0, 2000, hits)).isEqualTo(2000);
              }
            });
    for (int thread = 0; thread < threads; thread++) {
      int me = thread;
      running.add(
          pool.submit(
              () -> {
                SplittableRandom random = new SplittableRandom(me);
                boolean[] has = new boolean[5000];
                for (int i = 0; i < 60_000; i++) {
                  int number = random.nextInt(has.length);
                  long key = (long) (me + 1) << 40 | number;
                  if (has[number]) {
                    assertThat(shared.mightContain(key)).isTrue();
                    assertThat(shared.remove(key)).isTrue();
                  } else {
                    shared.put(key);
                  }
                  has[number] = !has[number];
                }
                for (int number = 0; number < has.length; number++) {
                  long key = (long) (me + 1) << 40 | number;
                  assertThat(!has[number] || shared.mightContain(key)).isTrue();
                }
              }));
    }
    for (Future<?> one : running) {
      one.get();
    }
    isOver.set(true);
    reader.get();
    pool.shutdown();
  }

  /** The same keys from all threads: each is stored once. */
  @Test
  void aKeyIsReportedNewOnce() throws Exception {
    FingerprintFilter shared = FingerprintFilter.create(1e-9);
    AtomicLong news = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      threads.add(
          new Thread(
              () -> {
                for (long key = 0; key < 50_000; key++) {
                  if (shared.put(key)) {
                    news.incrementAndGet();
                  }
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(news.get()).isEqualTo(50_000);
    assertThat(shared.approximateElementCount()).isEqualTo(50_000);
  }

  /** Copying a filter that other threads clear terminates, and the copy is one of its states. */
  @Test
  void copiesDuringClearsTerminate() throws Exception {
    FingerprintFilter shared = FingerprintFilter.create(0.01);
    AtomicBoolean isOver = new AtomicBoolean();
    Thread clearing =
        new Thread(
            () -> {
              for (int round = 0; round < 150; round++) {
                for (long key = 0; key < 3000; key++) {
                  shared.put(key);
                }
                shared.clear();
              }
              isOver.set(true);
            });
    clearing.start();
    while (!isOver.get()) {
      assertThat(shared.copy().approximateElementCount()).isBetween(0L, 3000L);
      assertThat(shared.heapBytes()).isPositive();
      assertThat(shared.union(shared, 1).approximateElementCount()).isBetween(0L, 3000L);
    }
    clearing.join();
    assertThat(shared.approximateElementCount()).isZero();
  }

  @Test
  void noKeyIsLostWhileChunksSplitAndJoin() throws Exception {
    splitAndJoin(400_000);
  }

  /** {@code mvn -B verify -Pscale}. */
  @Test
  @Tag("scale")
  void noKeyOfTenMillionOperationsIsLostWhileChunksSplitAndJoin() throws Exception {
    splitAndJoin(10_000_000);
  }

  /**
   * Four threads whose keys come and go in waves, in chunks of so few keys that they split and join
   * all the time, while a fifth one copies.
   */
  private static void splitAndJoin(int operations) throws Exception {
    int threads = 4;
    PrefixStore store = new PrefixStore(false, 40, 24);
    ExecutorService pool = Executors.newFixedThreadPool(threads + 1);
    AtomicBoolean isOver = new AtomicBoolean();
    List<Future<Long>> running = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      long me = thread;
      running.add(pool.submit(() -> comeAndGo(store, me, operations / threads)));
    }
    Future<?> copying =
        pool.submit(
            () -> {
              while (!isOver.get()) {
                assertThat(store.copy().tally().total()).isNotNegative();
              }
            });
    long kept = 0;
    try {
      for (Future<Long> one : running) {
        kept += one.get();
      }
    } finally {
      isOver.set(true);
    }
    copying.get();
    pool.shutdown();
    assertThat(store.tally().total()).isEqualTo(kept);
    assertThat(store.copy().tally().total()).isEqualTo(kept);
    assertThat(PrefixHooks.isAnyLocked(store)).isFalse();
    assertThat(Math.min(store.splits(), store.joins())).isGreaterThan(operations / 1000);
  }

  /** Puts and removes keys of one thread, and queries those that are there; how many are left. */
  private static long comeAndGo(PrefixStore store, long thread, int operations) {
    SplittableRandom random = new SplittableRandom(thread);
    boolean[] has = new boolean[3000];
    int count = 0;
    boolean grows = true;
    for (int i = 0; i < operations; i++) {
      int number = random.nextInt(has.length);
      long hash = mix(thread << 32 | number);
      if (store.contains(hash) != has[number]) {
        throw new AssertionError("key %d of thread %d: %s".formatted(number, thread, has[number]));
      }
      if (has[number] != grows || random.nextInt(8) == 0) {
        assertThat(has[number] ? store.remove(hash) : store.put(hash)).isTrue();
        has[number] = !has[number];
        count += has[number] ? 1 : -1;
      }
      grows = grows ? count < has.length * 4 / 5 : count < has.length / 5;
    }
    for (int number = 0; number < has.length; number++) {
      assertThat(store.contains(mix(thread << 32 | number))).isEqualTo(has[number]);
    }
    return count;
  }
}
