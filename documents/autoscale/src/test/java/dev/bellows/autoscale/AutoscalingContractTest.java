package dev.bellows.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.HashScheme;
import dev.bellows.KeyFilter;
import dev.bellows.Membership;
import dev.bellows.contract.KeyFilterContract;
import dev.bellows.io.Filters;
import java.io.IOException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** With a minimum TPR of 1 it keeps every promise of a filter without false negatives. */
class AutoscalingContractTest extends KeyFilterContract<AutoscalingBloomFilter> {
  @Override
  protected AutoscalingBloomFilter create(HashScheme scheme) {
    return AutoscalingBloomFilter.builder()
        .bits(100_003)
        .hashes(6)
        .minTpr(1)
        .hashScheme(scheme)
        .build();
  }

  /** With a TPR of 1 "no" is certain, which the type does not say. */
  @Override
  protected Membership answers(KeyFilter filter) {
    AutoscalingBloomFilter graded = (AutoscalingBloomFilter) filter;
    return new Membership() {
      @Override
      public HashScheme hashScheme() {
        return graded.hashScheme();
      }

      @Override
      public boolean mightContainHash(long hash) {
        return graded.acceptsHash(hash);
      }
    };
  }

  @Test
  void binarizedBitsAnswerTheSameAndSurviveSerialization() throws IOException {
    AutoscalingBloomFilter filter = create();
    assertRoundTrip(filter.binarize());
    for (long i = 0; i < 3000; i++) {
      filter.put(i);
    }
    BinarizedFilter shipped = filter.binarize();
    assertRoundTrip(shipped);
    assertThat(LongStream.range(0, 3000)).allMatch(shipped::accepts);
    assertThat(LongStream.range(-20_000, 0))
        .allMatch(key -> shipped.accepts(key) == filter.accepts(key));
    assertThat(shipped.explain()).contains("bits", "false positives", "theta", "decision");
    assertThat(shipped.toString()).contains("theta 0, decision 6");
  }

  private static void assertRoundTrip(BinarizedFilter filter) throws IOException {
    byte[] bytes = filter.toBytes();
    assertThat(Filters.fromBytes(bytes)).isEqualTo(filter).hasSameHashCodeAs(filter);
    assertThat(BinarizedFilter.fromBytes(bytes).stats()).isEqualTo(filter.stats());
    assertThat(filter.sizeInBytes()).isEqualTo(bytes.length);
  }
}
