package dev.bellows.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.plan.Layout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConcurrentPutTest {
  private static final int THREADS = 4;

  /** Few words and many threads: a put that is not atomic loses bits here within a few rounds. */
  @ParameterizedTest
  @EnumSource(Layout.class)
  void noBitIsLostAndEachChangeIsToldOnce(Layout layout) throws Exception {
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
        assertThat(changed).isLessThanOrEqualTo((int) shared.stats().ones());
      }
    } finally {
      pool.shutdownNow();
    }
  }

  private static BloomFilter filter(Layout layout, long seed) {
    return BloomFilter.builder().bits(1024).hashes(8).layout(layout).seed(seed).build();
  }
}
