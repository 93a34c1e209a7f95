package dev.bellows.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.AutoscalingBloomFilter.LikelihoodReading;
import dev.bellows.autoscale.BinarizedFilter;
import org.junit.jupiter.api.Test;

/** An autoscaling filter that several threads change and read. */
class AutoscalingThreadsTest {
  private static final int KEYS = 30_000;

  /** A plain reading misses no stored key; a file is refused unless keys and counters agree. */
  @Test
  void noCountIsLostAndFilesAreOfOneMoment() throws Exception {
    AutoscalingBloomFilter shared = filter();
    LikelihoodReading likelihood = shared.likelihood();
    new Stress()
        .concurrently(shared::accepts)
        .concurrently(key -> likelihood.evidence(key) != LikelihoodReading.NEVER)
        .besideMade(() -> shared.copy()::accepts)
        .besideMade(() -> shared.binarize()::accepts)
        .besideMade(
            () -> AutoscalingBloomFilter.fromBytes(shared.union(filter(), 1).toBytes())::accepts)
        .besideMade(() -> AutoscalingBloomFilter.fromBytes(shared.toBytes())::accepts)
        .put(
            KEYS,
            (writer, key) -> {
              shared.put(key);
              shared.put(-1 - key);
              if (!shared.remove(-1 - key)) {
                throw new AssertionError("lost key " + key);
              }
            });
    AutoscalingBloomFilter alone = filter();
    for (long key = 0; key < (long) KEYS * Stress.WRITERS; key++) {
      alone.put(key);
    }
    assertThat(shared).isEqualTo(alone);
    BinarizedFilter binarized = shared.binarize();
    assertThat(binarized).isEqualTo(alone.binarize());
  }

  private static AutoscalingBloomFilter filter() {
    return AutoscalingBloomFilter.builder().bits(200_000).hashes(6).thresholds(0, 6).build();
  }
}
