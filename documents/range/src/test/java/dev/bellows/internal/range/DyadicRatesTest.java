package dev.bellows.internal.range;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.internal.math.BloomRates;
import dev.bellows.range.RangePlan;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;

class DyadicRatesTest {
  private static final double ALPHA = 1e-9;

  /** The fewest intervals, by walking up from the start with the largest that fits. */
  private static int greedy(long start, long range) {
    int count = 0;
    long end = start + range;
    for (long at = start; at < end; count++) {
      long size = at == 0 ? Long.highestOneBit(end) : Long.lowestOneBit(at);
      while (at + size > end) {
        size /= 2;
      }
      at += size;
    }
    return count;
  }

  @Test
  void intervalsAreTheFewest() {
    for (long start = 0; start < 70; start++) {
      for (long range = 1; range < 140; range++) {
        assertThat(DyadicRates.intervals(start, range)).isEqualTo(greedy(start, range));
      }
    }
    assertThat(DyadicRates.intervals(0, 1L << 62)).isEqualTo(1);
    assertThat(DyadicRates.intervals(0, Long.MAX_VALUE)).isEqualTo(63);
    assertThat(DyadicRates.intervals(1, Long.MAX_VALUE)).isEqualTo(63);
    assertThat(DyadicRates.intervals(Long.MAX_VALUE, 1)).isEqualTo(1);
  }

  @Test
  void theDistributionIsACountOverAllAlignments() {
    for (long range : new long[] {1, 2, 3, 4, 5, 7, 8, 63, 64, 65, 100, 127, 500, 1000}) {
      long alignments = 2 * Long.highestOneBit(range);
      double[] counted = new double[2 * Long.SIZE];
      for (long start = 0; start < alignments; start++) {
        counted[DyadicRates.intervals(start, range)] += 1.0 / alignments;
      }
      double[] distribution = DyadicRates.distribution(range);
      assertThat(distribution).containsExactly(Arrays.copyOf(counted, distribution.length));
      assertThat(Arrays.stream(distribution).sum()).isEqualTo(1);
      assertThat(DyadicRates.mostIntervals(range))
          .isLessThanOrEqualTo(Math.max(1, 2 * (DyadicRates.levels(range) - 1)));
    }
    assertThat(DyadicRates.mostIntervals(Long.MAX_VALUE)).isLessThan(2 * Long.SIZE);
    assertClose(Arrays.stream(DyadicRates.distribution(Long.MAX_VALUE)).sum(), 1, CLOSED_FORM);
  }

  @Test
  void smallDomainsAreCountedStartByStart() {
    assertThat(DyadicRates.meanIntervals(8, 8)).isEqualTo(1);
    assertThat(DyadicRates.meanIntervals(9, 8)).isEqualTo((1 + 4) / 2.0);
    assertThat(DyadicRates.levels(8)).isEqualTo(4);
    assertThat(DyadicRates.levels(10_000)).isEqualTo(14);
  }

  /** Filters with fresh hashes, one absent key each, against the model. */
  @Test
  void simulationAgrees() {
    simulate(128, 6, 1000, 100, 11);
    simulate(96, 4, 300, 37, 12);
    simulate(256, 8, 10_000, 1000, 13);
    simulate(64, 3, 50, 20, 14);
  }

  private static void simulate(int bits, int hashes, int domain, int range, long seed) {
    int trials = 200_000;
    int hits = 0;
    SplittableRandom random = new SplittableRandom(seed);
    int levels = DyadicRates.levels(domain);
    for (int trial = 0; trial < trials; trial++) {
      long salt = random.nextLong();
      int start = random.nextInt(domain - range + 1);
      int absent = random.nextInt(domain - range);
      absent += absent >= start ? range : 0;
      BitSet filter = new BitSet(bits);
      int low = start;
      int end = start + range;
      for (int level = 0; low < end; level++, low >>= 1, end >>= 1) {
        if ((low & 1) == 1) {
          put(filter, bits, hashes, salt, level, low++);
        }
        if ((end & 1) == 1) {
          put(filter, bits, hashes, salt, level, --end);
        }
      }
      boolean found = false;
      for (int level = 0; level < levels; level++) {
        found |= contains(filter, bits, hashes, salt, level, absent >> level);
      }
      hits += found ? 1 : 0;
    }
    double model = DyadicRates.fpp(bits, hashes, domain, range);
    double slack = 1 + hashes * (hashes + 1) / (4.0 * bits);
    assertThat(hits)
        .as("%d bits, %d hashes, %d of %d", bits, hashes, range, domain)
        .isBetween(
            BinomialDistribution.of(trials, model).inverseCumulativeProbability(ALPHA / 2),
            BinomialDistribution.of(trials, Math.min(1, model * slack))
                .inverseSurvivalProbability(ALPHA / 2));
  }

  private static void put(BitSet filter, int bits, int hashes, long salt, int level, int index) {
    SplittableRandom positions = positions(salt, level, index);
    for (int i = 0; i < hashes; i++) {
      filter.set(positions.nextInt(bits));
    }
  }

  private static boolean contains(
      BitSet filter, int bits, int hashes, long salt, int level, int index) {
    SplittableRandom positions = positions(salt, level, index);
    for (int i = 0; i < hashes; i++) {
      if (!filter.get(positions.nextInt(bits))) {
        return false;
      }
    }
    return true;
  }

  private static SplittableRandom positions(long salt, int level, int index) {
    return new SplittableRandom(salt ^ (level * 0x9E3779B97F4A7C15L + index * 0xD1342543DE82EF95L));
  }

  @Test
  void theSettingOfTheDocumentFallsToTheOrderOfOneInAHundredMillion() {
    RangePlan dyadic = RangePlan.bestUpTo(RangePlan.Scheme.DYADIC, 512, 64, 10_000, 1000);
    assertThat(dyadic.fpp()).isBetween(1e-8, 1e-7);
    assertThat(dyadic.levels()).isEqualTo(14);
    assertThat(dyadic.hashes()).isEqualTo(25);
    RangePlan thesis =
        RangePlan.bestUpTo(RangePlan.Scheme.DIVISION_OVERLAPPING, 512, 24, 10_000, 1000);
    assertThat(thesis.fpp()).isBetween(8.8e-4, 8.83e-4);
    // with the exact rate of each interval count instead of the exponential one (erratum C1)
    double exact = 0;
    double[] distribution = DyadicRates.distribution(1000);
    for (int c = 1; c < distribution.length; c++) {
      exact += distribution[c] * 14 * BloomRates.fppExact(512, c, dyadic.hashes());
    }
    double slack = 1 + dyadic.hashes() * (dyadic.hashes() + 1) / (4.0 * 512);
    assertThat(exact).isBetween(dyadic.fpp(), dyadic.fpp() * slack);
    assertThat(RangePlan.Scheme.DYADIC.comparable()).isFalse();
  }

  @Test
  void refusals() {
    assertThatThrownBy(() -> DyadicRates.fpp(512, 8, 9, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("domain", "10", "9");
    assertThatThrownBy(() -> DyadicRates.intervals(-1, 10)).hasMessageContaining("start");
    assertThatThrownBy(() -> DyadicRates.distribution(0)).hasMessageContaining("range");
    assertThatThrownBy(() -> DyadicRates.fpp(512, 0, 100, 10)).hasMessageContaining("hashes");
    assertThatThrownBy(() -> RangePlan.of(RangePlan.Scheme.DYADIC, 512, 8, 100, 10, 1, 2))
        .hasMessageContaining("scheme dyadic has shift = hashes = 8");
  }

  @Test
  void aCoverHoldsEveryNumberOnce() {
    for (long start : new long[] {0, 1, 5, 63, 64, 1000}) {
      for (long range = 1; range < 200; range++) {
        boolean[] covered = new boolean[1300];
        for (DyadicRates.Interval interval : DyadicRates.cover(start, range)) {
          for (long i = 0; i < 1L << interval.level(); i++) {
            int number = (int) ((interval.index() << interval.level()) + i);
            assertThat(covered[number]).isFalse();
            covered[number] = true;
          }
        }
        for (int number = 0; number < covered.length; number++) {
          assertThat(covered[number]).isEqualTo(number >= start && number < start + range);
        }
      }
    }
  }
}
