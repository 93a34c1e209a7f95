package dev.bellows.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.AutoscalingBloomFilter.LikelihoodReading;
import dev.bellows.autoscale.GradedMembership;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Readers share no scratch memory: many concurrent readers of several filters get the answers of a
 * single one.
 */
class AutoscalingReadersTest {
  @Test
  void manyReadersSeeTheSameAsOne() throws Exception {
    AutoscalingBloomFilter wide = AutoscalingBloomFilter.create(10_000, 100);
    AutoscalingBloomFilter narrow = AutoscalingBloomFilter.create(300, 200);
    for (long key = 0; key < 600; key++) {
      wide.put(key);
      narrow.put(key);
    }
    LikelihoodReading likelihood = wide.likelihood();
    List<GradedMembership> filters = List.of(wide.copy(), narrow, wide.binarize(), likelihood);
    List<long[]> alone = filters.stream().map(AutoscalingReadersTest::evidence).toList();
    // a copy that has not been queried yet is tuned while several threads read it
    List<GradedMembership> asked = List.of(wide.copy(), narrow, wide.binarize(), likelihood);
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      List<Future<List<long[]>>> answers =
          IntStream.range(0, 16)
              .mapToObj(
                  i ->
                      threads.submit(
                          () -> asked.stream().map(AutoscalingReadersTest::evidence).toList()))
              .toList();
      for (Future<List<long[]>> answer : answers) {
        for (int i = 0; i < filters.size(); i++) {
          assertThat(answer.get().get(i)).isEqualTo(alone.get(i));
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static long[] evidence(GradedMembership filter) {
    return LongStream.range(-600, 600)
        .map(key -> 2 * filter.evidence(key) + (filter.accepts(key) ? 1 : 0))
        .toArray();
  }
}
