package dev.bellows.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConcurrentPutTest {
  private static final int THREADS = 4;

  /** Few words and many threads: a put that is not atomic loses bits here within a few rounds. */
  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void noBitIsLostAndEachChangeIsReportedOnce(Layout.Family layout) throws Exception {
    int keys = 400;
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      for (int round = 0; round < 500; round++) {
        BloomFilter shared = filter(layout, round);
        BloomFilter alone = filter(layout, round);
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<Future<Integer>> results = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
          long first = t;
          results.add(
              pool.submit(
                  () -> {
                    start.await();
                    int changed = 0;
                    for (long key = first; key < keys; key += THREADS) {
                      changed += shared.put(key) ? 1 : 0;
                      if (!shared.mightContain(key)) {
                        throw new AssertionError("lost key " + key);
                      }
                    }
                    return changed;
                  }));
        }
        int changed = 0;
        for (Future<Integer> result : results) {
          changed += result.get();
        }
        for (long key = 0; key < keys; key++) {
          alone.put(key);
        }
        assertThat(shared).isEqualTo(alone);
        assertThat(changed).isLessThanOrEqualTo((int) (long) shared.stats().ones());
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /**
   * Two threads put the same key at the same time: at least one of them reports that it changed the
   * filter.
   */
  @ParameterizedTest
  @ValueSource(ints = {8, 16})
  void aNewKeyIsReportedByAtLeastOneThread(int hashes) throws Exception {
    BloomFilter[] filters = new BloomFilter[50_000];
    for (int i = 0; i < filters.length; i++) {
      filters[i] = BloomFilter.builder().bits(512).hashes(hashes).build();
    }
    AtomicInteger steps = new AtomicInteger();
    ExecutorService pool = Executors.newFixedThreadPool(2);
    try {
      Future<BitSet> one = pool.submit(() -> putInStep(filters, steps));
      Future<BitSet> other = pool.submit(() -> putInStep(filters, steps));
      BitSet told = one.get();
      told.or(other.get());
      assertThat(told.cardinality()).isEqualTo(filters.length);
    } finally {
      pool.shutdownNow();
    }
    for (int i = 0; i < filters.length; i++) {
      assertThat(filters[i].mightContain(i)).isTrue();
    }
  }

  private static BitSet putInStep(BloomFilter[] filters, AtomicInteger steps) {
    BitSet changed = new BitSet(filters.length);
    for (int i = 0; i < filters.length; i++) {
      steps.incrementAndGet();
      for (int spins = 0; steps.get() < 2 * (i + 1); spins++) {
        if (spins > 1000) {
          Thread.yield();
        }
      }
      changed.set(i, filters[i].put(i));
    }
    return changed;
  }

  private static BloomFilter filter(Layout.Family layout, long seed) {
    return BloomFilter.builder().bits(1024).hashes(8).layout(layout).seed(seed).build();
  }
}
