package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class PutIfAbsentTest {
  /** Each key is new for exactly one thread, or for none if it was a false positive. */
  @Test
  void putIfAbsentReturnsTrueOncePerKey() throws Exception {
    int keys = 50_000;
    int threads = 4;
    BloomFilter filter = BloomFilter.create(keys, 1e-6);
    int[] news = new int[keys];
    CyclicBarrier barrier = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Callable<int[]>> tasks = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      tasks.add(
          () -> {
            int[] mine = new int[keys];
            barrier.await();
            for (int key = 0; key < keys; key++) {
              mine[key] = filter.putIfAbsent(key) ? 1 : 0;
            }
            return mine;
          });
    }
    for (Future<int[]> future : pool.invokeAll(tasks)) {
      int[] mine = future.get();
      for (int key = 0; key < keys; key++) {
        news[key] += mine[key];
      }
    }
    pool.shutdown();
    int missing = 0;
    for (int key = 0; key < keys; key++) {
      assertThat(news[key]).isLessThanOrEqualTo(1);
      missing += 1 - news[key];
      assertThat(filter.mightContain((long) key)).isTrue();
    }
    // the mean is below 0.05: more than 5 have a probability below 1e-10
    assertThat(missing).isLessThanOrEqualTo(5);
  }

  @Test
  void allFormsOfAKeyAreTheSameKey() {
    BloomFilter filter = BloomFilter.create(100, 1e-9);
    assertThat(filter.putIfAbsent("key")).isTrue();
    assertThat(filter.putIfAbsent("key")).isFalse();
    assertThat(filter.putIfAbsent("key".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
        .isFalse();
    assertThat(filter.putIfAbsent("key", KeyHasher.TEXT)).isFalse();
    assertThat(filter.putIfAbsent(7L)).isTrue();
    assertThat(filter.putIfAbsent(7L)).isFalse();
  }
}
