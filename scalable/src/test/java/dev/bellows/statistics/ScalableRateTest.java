package dev.bellows.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Rates;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.scalable.ScalableBloomFilter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ScalableRateTest {
  private static final double FPP = 0.004;

  @Test
  void theRateHoldsAtEveryPowerOfTwoUpToTenMillion() {
    feed(10_000_000, 100_000);
  }

  @Test
  @Tag("scale")
  void theRateHoldsAtEveryPowerOfTwoUpToAHundredMillion() {
    feed(100_000_000, 1_000_000);
  }

  private static void feed(long keys, long queries) {
    ScalableBloomFilter filter = ScalableBloomFilter.create(FPP);
    StringBuilder table = new StringBuilder();
    for (long key = 0; key < keys; key++) {
      filter.put(key);
      long size = key + 1;
      if (size >= 8 && (Long.bitCount(size) == 1 || size == keys)) {
        long hits = Rates.count(queries, i -> filter.mightContain(-1 - i));
        assertThat(BinomialInterval.of(hits, queries, Rates.ALPHA).low())
            .as("%d of %d absent keys pass %d keys", hits, queries, size)
            .isLessThanOrEqualTo(FPP);
        table.append(
            "| %,d | %d | %.2f | %.2e | %.2e |%n"
                .formatted(
                    size,
                    filter.levels().size(),
                    filter.stats().bits() / (double) size,
                    hits / (double) queries,
                    filter.expectedFpp()));
      }
    }
    for (long key = 0; key < keys; key += 1 + keys / 1_000_000) {
      if (!filter.mightContain(key)) {
        throw new AssertionError("lost key " + key);
      }
    }
    if (System.getProperty("bellows.tables") != null) {
      System.out.println(table);
    }
  }
}
