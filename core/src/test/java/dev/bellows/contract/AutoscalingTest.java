package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.AutoscalingBloomFilter;
import dev.bellows.BinarizedFilter;
import dev.bellows.Filter;
import dev.bellows.HashScheme;
import java.io.IOException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** With a least TPR of 1 it keeps every promise of a filter without false negatives. */
class AutoscalingTest extends KeyFilterContract<AutoscalingBloomFilter> {
  @Override
  AutoscalingBloomFilter create(HashScheme scheme) {
    return AutoscalingBloomFilter.builder()
        .bits(100_003)
        .hashes(6)
        .minTpr(1)
        .hashScheme(scheme)
        .build();
  }

  @Test
  void theShippedBitsAnswerAlikeAndComeBackFromBytes() throws IOException {
    AutoscalingBloomFilter filter = create();
    assertRoundTrip(filter.binarize());
    for (long i = 0; i < 3000; i++) {
      filter.put(i);
    }
    BinarizedFilter shipped = filter.binarize();
    assertRoundTrip(shipped);
    assertThat(LongStream.range(0, 3000)).allMatch(shipped::mightContain);
    assertThat(LongStream.range(-20_000, 0))
        .allMatch(key -> shipped.mightContain(key) == filter.mightContain(key));
    assertThat(shipped.explain()).contains("bits", "false positives", "theta", "decision");
    assertThat(shipped.toString()).contains("theta 0, decision 6");
  }

  private static void assertRoundTrip(BinarizedFilter filter) throws IOException {
    byte[] bytes = filter.toBytes();
    assertThat(Filter.fromBytes(bytes)).isEqualTo(filter).hasSameHashCodeAs(filter);
    assertThat(BinarizedFilter.fromBytes(bytes).stats()).isEqualTo(filter.stats());
    assertThat(filter.stats().bytes()).isEqualTo(bytes.length);
  }
}
