package dev.bellows.autoscale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.bellows.Filter;
import dev.bellows.fuzz.Forgery;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.Filters;
import org.junit.jupiter.api.Test;

/** Invalid parameters of autoscaling filters, and of their bits, under a correct checksum. */
class HostileThresholdsTest {
  private static final Filter FILTER = autoscaling();
  private static final Filter BITS = autoscaling().binarize();

  static AutoscalingBloomFilter autoscaling() {
    AutoscalingBloomFilter filter =
        AutoscalingBloomFilter.builder()
            .bits(101)
            .hashes(7)
            .criterion(Criterion.cost(1, 2, 0.5))
            .minTpr(0.9)
            .build();
    for (long i = 0; i < 60; i++) {
      filter.put(i);
    }
    return filter;
  }

  private static byte[] forge(Filter filter, int parameter, long value) {
    return Forgery.withParameter(filter.toBytes(), parameter, value);
  }

  @Test
  void forgedThresholdsAreRefused() {
    long notANumber = Double.doubleToLongBits(Double.NaN);
    long two = Double.doubleToLongBits(2);
    assertForged(forge(FILTER, 0, 1), 64, "layout 1");
    assertForged(forge(FILTER, 2, 102), 80, "102 hashes need as many distinct positions");
    assertForged(forge(FILTER, 2, 8), 64 + 48, "60 keys with 8 hashes");
    assertForged(forge(FILTER, 3, 1), 88, "words of the pattern 1");
    assertForged(forge(FILTER, 4, 5), 96, "4, 8, 16 or 32");
    assertForged(forge(FILTER, 4, 16), 64 + 8 * 15, "but the parameters need");
    assertForged(forge(FILTER, 5, 2), 104, "widening 2");
    assertForged(forge(FILTER, 6, 61), 112, "61 keys with 7 hashes");
    assertForged(forge(FILTER, 6, -1), 112, "keys -1");
    assertForged(forge(FILTER, 6, Long.MAX_VALUE), 112, "keys");
    assertForged(forge(FILTER, 7, 2), 120, "threshold mode 2");
    assertForged(forge(FILTER, 7, 1), 144, "threshold rule");
    assertForged(forge(FILTER, 8, -1), 128, "theta -1");
    assertForged(forge(FILTER, 8, 1L << 32), 128, "theta 4294967296");
    assertForged(forge(FILTER, 9, 8), 136, "decision 8");
    assertForged(forge(FILTER, 10, 4), 144, "criterion 4");
    assertForged(forge(FILTER, 10, 0), 144, "threshold rule");
    assertForged(forge(FILTER, 11, notANumber), 152, "costFp");
    assertForged(forge(FILTER, 11, Double.doubleToLongBits(1e301)), 144, "costs must be finite");
    assertForged(forge(FILTER, 13, two), 144, "presentShare");
    assertForged(forge(FILTER, 14, two), 144, "minTpr");
    assertForged(forge(FILTER, 14, Long.MIN_VALUE), 176, "minTpr");
    assertForged(forge(BITS, 0, 1), 64, "layout 1");
    assertForged(forge(BITS, 4, -1), 96, "theta -1");
    assertForged(forge(BITS, 5, 8), 104, "decision 8");
    assertForged(forge(BITS, 6, -1), 112, "keys -1");
    assertForged(forge(BITS, 6, 0), 120, "tpr that is unknown");
    assertForged(forge(BITS, 7, two), 120, "tpr");
    assertForged(forge(BITS, 7, notANumber + 1), 120, "tpr");
  }

  private static void assertForged(byte[] bytes, long offset, String what) {
    Throwable thrown = catchThrowable(() -> Filters.fromBytes(bytes));
    assertThat(thrown).isInstanceOf(FilterFormatException.class).hasMessageContaining(what);
    assertThat(((FilterFormatException) thrown).offset()).isEqualTo(offset);
  }
}
