package dev.bellows.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Rates;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The promise of the Partition paper, Figure 1: one rate at every size. */
class PartitionRateTest {
  private static final long UNIVERSE = 1L << 30;
  private static final double FPP = 1e-4;

  @ParameterizedTest
  @CsvSource({"UNIFORM", "CLUSTERED", "SORTED"})
  void theRateHoldsAtEverySize(Spread spread) {
    grow(spread, 1_000_000, 300_000);
  }

  @Test
  @Tag("scale")
  void theRateHoldsUpToTenMillionIds() {
    for (Spread spread : Spread.values()) {
      grow(spread, 10_000_000, 10_000_000);
    }
  }

  enum Spread {
    UNIFORM,
    CLUSTERED,
    SORTED;

    long id(SplittableRandom random, long number) {
      return switch (this) {
        case UNIFORM -> random.nextLong(UNIVERSE);
        case CLUSTERED -> random.nextInt(16) * (UNIVERSE / 16) + random.nextLong(1 + number / 2);
        case SORTED -> UNIVERSE / 3 + number;
      };
    }
  }

  private static void grow(Spread spread, int most, long queries) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .universe(UNIVERSE)
            .depth(20)
            .fpp(FPP)
            .hashes(13)
            .build();
    SplittableRandom random = new SplittableRandom(20);
    StringBuilder table = new StringBuilder();
    for (int size = 10; size <= most; size *= 10) {
      for (long number = filter.approximateElementCount();
          filter.approximateElementCount() < size;
          number++) {
        filter.putId(spread.id(random, number));
      }
      // ids near the keys and ids anywhere
      long[] present = filter.ids();
      SplittableRandom asked = new SplittableRandom(21);
      long hits =
          Rates.count(
              queries,
              i -> {
                long id =
                    (i & 1) == 0
                        ? asked.nextLong(UNIVERSE)
                        : Math.min(
                            UNIVERSE - 1,
                            present[asked.nextInt(present.length)] + 1 + asked.nextInt(1000));
                return Arrays.binarySearch(present, id) < 0 && filter.mightContainId(id);
              });
      assertThat(BinomialInterval.of(hits, queries, Rates.ALPHA).low())
          .as("%s, %d ids: %d of %d", spread, size, hits, queries)
          .isLessThanOrEqualTo(FPP);
      table.append(
          "| %s | %,d | %.2e | %.2e | %.1f |%n"
              .formatted(
                  spread,
                  size,
                  hits / (double) queries,
                  listFpp(size, filter.plan().unitBits()),
                  filter.stats().bits() / (double) size));
    }
    // the rate of the list of equal filters with the same units rises (Partition paper, Appendix A)
    assertThat(listFpp(most, filter.plan().unitBits())).isGreaterThan(500 * FPP);
    if (System.getProperty("bellows.tables") != null) {
      System.out.println(table);
    }
  }

  /** The rate of a list of units of 1024 keys, filled one after the other (erratum D12). */
  private static double listFpp(long keys, long unitBits) {
    double unit = BloomRates.fpp(unitBits, 1024, 13);
    double last = BloomRates.fpp(unitBits, keys % 1024, 13);
    return -Math.expm1((double) (keys / 1024) * Math.log1p(-unit) + Math.log1p(-last));
  }
}
