package dev.bellows.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.Means;
import dev.bellows.Rates;
import dev.bellows.internal.math.BinomialInterval;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A hundred million keys: {@code mvn -B verify -Pscale}; the figures are in docs/scale.md. */
@Tag("scale")
class ScaleTest {
  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void aHundredMillionKeysHaveThePlannedRate(Layout.Family layout) {
    int keys = 100_000_000;
    long absent = 20_000_000;
    BloomFilter filter = BloomFilter.builder().keys(keys).fpp(0.01).layout(layout).build();
    long[] batch = new long[1 << 16];
    for (long next = 0; next < keys; ) {
      int size = (int) Math.min(batch.length, keys - next);
      for (int i = 0; i < size; i++) {
        batch[i] = filter.hashScheme().hash(next++);
      }
      filter.putHashes(batch, 0, size);
    }
    long passed = Rates.count(absent, i -> filter.mightContain(-1 - i));
    BinomialInterval interval = BinomialInterval.of(passed, absent, Rates.ALPHA);
    System.out.printf(
        "%s: %,d bits, expected %.6f %%, measured %.6f %%, estimated keys %,d%n",
        layout,
        filter.bits(),
        100 * filter.expectedFpp(),
        100.0 * passed / absent,
        filter.approximateElementCount());
    assertThat(interval.contains(filter.expectedFpp())).as("%s", interval).isTrue();
    assertThat(filter.expectedFpp()).isLessThan(0.01);
    Means.assertEstimate(
        filter.approximateElementCount(),
        keys,
        filter.bits(),
        filter.hashes(),
        layout == Layout.Family.CLASSIC ? filter.bits() : 512);
    for (long key = 0; key < keys; key += 99_991) {
      assertThat(filter.mightContain(key)).isTrue();
    }
  }
}
