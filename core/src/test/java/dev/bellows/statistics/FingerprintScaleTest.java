package dev.bellows.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Rates;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.math.BinomialInterval;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hundred million keys without a size: {@code mvn -B verify -Pscale}; docs/scale.md. */
@Tag("scale")
class FingerprintScaleTest {
  private static final int KEYS = 100_000_000;
  private static final int ABSENT = 5_000_000;
  private static final double FPP = 0.004;

  @Test
  void theRateAndTheBitsHoldAtEveryPowerOfTwoAndNoKeyIsLost() {
    FingerprintFilter filter = FingerprintFilter.create(FPP);
    long stored = 0;
    for (long key = 0; key < KEYS; key++) {
      stored += filter.put(key) ? 1 : 0;
      long keys = key + 1;
      if (keys >= 1024 && (Long.bitCount(keys) == 1 || keys == KEYS)) {
        assertRate(filter, keys);
        assertThat(filter.approximateElementCount()).isEqualTo(stored);
      }
    }
    for (long key = 0; key < KEYS; key++) {
      if (!filter.mightContain(key)) {
        throw new AssertionError("key " + key + " is lost");
      }
    }
  }

  private static void assertRate(FingerprintFilter filter, long keys) {
    long passed = Rates.count(ABSENT, i -> filter.mightContain(-1 - i));
    BinomialInterval interval = BinomialInterval.of(passed, ABSENT, Rates.ALPHA);
    double bits = 8.0 * filter.heapBytes() / keys;
    System.out.printf(
        "| %,d | %.4f %% | %.4f %% | %.2f |%n",
        keys, 100 * filter.expectedFpp(), 100.0 * passed / ABSENT, bits);
    assertThat(interval.contains(filter.expectedFpp())).as("%d keys, %s", keys, interval).isTrue();
    assertThat(filter.expectedFpp()).isLessThanOrEqualTo(FPP);
    assertThat((double) passed / ABSENT).isLessThanOrEqualTo(FPP);
    assertThat(bits).as("bits of %d keys", keys).isLessThan(keys < 100_000 ? 25 : 19.5);
  }
}
