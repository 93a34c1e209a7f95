package dev.bellows.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.bellows.Means;
import dev.bellows.Rates;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.AutoscalingBloomFilter.Builder;
import dev.bellows.autoscale.AutoscalingBloomFilter.LikelihoodReading;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.autoscale.LikelihoodPlan;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.internal.math.BinomialInterval;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Measured rates of autoscaling filters compared with the predictions of the Autoscaling paper
 * (erratum A11).
 */
class AutoscalingRateTest {
  private static final int[][] SETTINGS = {
    {10_000, 100, 500},
    {10_000, 100, 1000},
    {10_000, 100, 2500},
    {10_000, 20, 3000},
    {4096, 8, 2000},
    {1024, 8, 2000},
    {2000, 30, 300},
    {5000, 50, 250},
    {3000, 5, 3000},
    {65_536, 16, 20_000},
    {1000, 1, 1500},
    {1000, 100, 50},
    {200, 20, 40},
    {100, 20, 30},
    {50, 10, 20},
  };

  private static AutoscalingBloomFilter filled(Builder builder, int[] setting, long seed) {
    AutoscalingBloomFilter filter = builder.bits(setting[0]).hashes(setting[1]).seed(seed).build();
    for (long key = 0; key < setting[2]; key++) {
      filter.put(key);
    }
    return filter;
  }

  @TestFactory
  Stream<DynamicTest> predictionsHold() {
    return Stream.of(SETTINGS)
        .flatMap(
            s ->
                Stream.of(0.0, 0.9)
                    .map(
                        minTpr ->
                            dynamicTest(
                                "%d bits, %d hashes, %d keys, tpr %s"
                                    .formatted(s[0], s[1], s[2], minTpr),
                                () -> compare(s, minTpr))));
  }

  private static void compare(int[] setting, double minTpr) {
    int filters = 24 + 4000 / setting[2];
    int queries = 500;
    Means tpr = new Means();
    Means fpr = new Means();
    Means surprise = new Means();
    ThresholdPlan plan = null;
    for (int seed = 0; seed < filters; seed++) {
      AutoscalingBloomFilter filter =
          filled(AutoscalingBloomFilter.builder().minTpr(minTpr), setting, seed);
      ThresholdPlan.Rates predicted = filter.rates();
      Rates.assertRate(queries, i -> filter.accepts(-1 - i), predicted.fpr());
      long found = Rates.count(setting[2], filter::accepts);
      assertThat(BinomialInterval.of(found, setting[2], Rates.ALPHA).contains(predicted.tpr()))
          .as("%d of %d found, predicted %s", found, setting[2], predicted)
          .isTrue();
      double measured = (double) found / setting[2];
      tpr.add(measured);
      fpr.add(predicted.fpr());
      surprise.add(measured - predicted.tpr());
      plan = filter.plan();
    }
    // the model of independent positions is off by up to 0.015 once k/m reaches 0.1 (erratum A11)
    double bias = setting[1] * 10 >= setting[0] ? 0.015 : 0.003;
    tpr.assertMean(plan.tpr(), bias);
    fpr.assertMean(plan.fpr(), bias);
    surprise.assertMean(0, bias / 3);
    assertThat(plan.tpr()).isGreaterThanOrEqualTo(minTpr);
  }

  /** Section 4.2: m = 10000, k = 100, n = 500 under thetas 0 to 5 with a TPR of 0.97. */
  @Test
  void figureTwo() {
    // what the section prints, at two digits
    Map<Integer, double[]> printed =
        Map.of(
            0, new double[] {1, 0.52}, 1, new double[] {0.97, 0.24}, 4, new double[] {0.98, 0.04});
    for (int theta = 0; theta <= 5; theta++) {
      ThresholdPlan plan =
          ThresholdPlan.forTheta(10_000, 100, 500, theta, Criterion.accuracy(), 0.97);
      if (printed.containsKey(theta)) {
        assertThat(plan.tpr()).isCloseTo(printed.get(theta)[0], Offset.offset(0.005));
        assertThat(plan.fpr()).isCloseTo(printed.get(theta)[1], Offset.offset(0.005));
      }
      Means found = new Means();
      Means accepted = new Means();
      for (int seed = 0; seed < 16; seed++) {
        AutoscalingBloomFilter filter =
            filled(
                AutoscalingBloomFilter.builder().thresholds(theta, plan.decision()),
                SETTINGS[0],
                seed);
        found.add(Rates.count(500, filter::accepts) / 500.0);
        accepted.add(Rates.count(2000, i -> filter.accepts(-1 - i)) / 2000.0);
      }
      found.assertMean(plan.tpr(), 0.003);
      accepted.assertMean(plan.fpr(), 0.003);
    }
    AutoscalingBloomFilter tuned =
        filled(AutoscalingBloomFilter.builder().minTpr(0.97), SETTINGS[0], 1);
    assertThat(tuned.theta()).isEqualTo(4);
    assertThat(tuned.decision()).isEqualTo(65);
  }

  /** Figure 4 at its ends, n = 50 and n = 5000 with a TPR of at least 0.9. */
  @Test
  void endsOfFigureFour() {
    int[] few = {10_000, 100, 50};
    int[] many = {10_000, 100, 5000};
    AutoscalingBloomFilter start = filled(AutoscalingBloomFilter.builder().minTpr(0.9), few, 3);
    assertThat(start.plan().accuracy()).isGreaterThan(1 - 1e-12);
    assertThat(Rates.count(50, start::accepts)).isEqualTo(50);
    assertThat(Rates.count(10_000, i -> start.accepts(-1 - i))).isZero();
    ThresholdPlan end = ThresholdPlan.tune(10_000, 100, 5000, Criterion.accuracy(), 0.9);
    assertThat(end.theta()).isEqualTo(48);
    assertThat(end.decision()).isEqualTo(57);
    assertThat(end.fpr()).isBetween(0.5865, 0.5875);
    assertThat(end.accuracy()).isBetween(0.6621, 0.6623);
    Means found = new Means();
    Means accepted = new Means();
    for (int seed = 0; seed < 12; seed++) {
      AutoscalingBloomFilter filter =
          filled(AutoscalingBloomFilter.builder().thresholds(48, 57), many, seed);
      found.add(Rates.count(5000, filter::accepts) / 5000.0);
      accepted.add(Rates.count(5000, i -> filter.accepts(-1 - i)) / 5000.0);
    }
    found.assertMean(end.tpr(), 0.003);
    accepted.assertMean(end.fpr(), 0.003);
    assertThat(ThresholdPlan.plainAlternative(10_000, 8, 5000, end.rates(), Criterion.accuracy()))
        .contains("10,000 bits with 1 hash", "accuracy 0.803");
  }

  @Test
  void likelihoodReadingKeepsItsPromise() {
    Criterion leastFpr = Criterion.cost(1, 0, 0.5);
    for (int[] s : new int[][] {{10_000, 100, 500}, {2000, 30, 300}, {4096, 8, 2000}}) {
      Means tpr = new Means();
      Means fpr = new Means();
      LikelihoodPlan plan = null;
      for (int seed = 0; seed < 16; seed++) {
        AutoscalingBloomFilter filter = filled(AutoscalingBloomFilter.builder(), s, seed);
        LikelihoodReading reading = filter.likelihood(leastFpr, 0.98);
        plan = reading.plan();
        ThresholdPlan.Rates predicted = reading.rates();
        Rates.assertRate(2000, i -> reading.accepts(-1 - i), predicted.fpr());
        long found = Rates.count(s[2], reading::accepts);
        assertThat(BinomialInterval.of(found, s[2], Rates.ALPHA).contains(predicted.tpr()))
            .isTrue();
        tpr.add((double) found / s[2]);
        fpr.add(Rates.count(4000, i -> reading.accepts(-1 - i)) / 4000.0);
      }
      tpr.assertMean(plan.tpr(), 0.003);
      fpr.assertMean(plan.fpr(), 0.003);
      assertThat(plan.tpr()).isBetween(0.98, 0.99);
    }
    AutoscalingBloomFilter example = filled(AutoscalingBloomFilter.builder(), SETTINGS[0], 5);
    assertThat(example.likelihood(leastFpr, 0.98).plan().fpr()).isBetween(0.0033, 0.0035);
    assertThat(accuracy(example.likelihood(), 500)).isGreaterThan(accuracy(example, 500));
  }

  private static double accuracy(GradedMembership filter, int keys) {
    double tpr = (double) Rates.count(keys, filter::accepts) / keys;
    double fpr = Rates.count(5000, i -> filter.accepts(-1 - i)) / 5000.0;
    return (tpr + 1 - fpr) / 2;
  }

  /**
   * The cost of saturation once keys are removed: counters of 4 bits hold a peak number of keys,
   * and all but 500 are removed. Saturated counters stay set; for comparison, a filter with
   * unlimited counters, which equals one that only ever contained the 500.
   */
  @Test
  void saturationIsHarmlessUntilKeysAreRemoved() {
    int[] peaks = {750, 1000, 1250, 1500, 2000};
    for (int p = 0; p < peaks.length; p++) {
      Means predicted = new Means();
      for (int seed = 0; seed < 12; seed++) {
        int[] peak = {10_000, 100, peaks[p]};
        AutoscalingBloomFilter narrow =
            filled(AutoscalingBloomFilter.builder().thresholds(4, 67).counterBits(4), peak, seed);
        AutoscalingBloomFilter exact =
            filled(AutoscalingBloomFilter.builder().thresholds(4, 67), peak, seed);
        assertThat(narrow.binarize()).isEqualTo(exact.binarize());
        double share = ThresholdPlan.saturatedShare(10_000, 100, peaks[p], 4);
        assertThat(BinomialInterval.of(narrow.saturatedCounters(), 10_000, 1e-9).contains(share))
            .isTrue();
        for (long key = 500; key < peaks[p]; key++) {
          narrow.remove(key);
          exact.remove(key);
        }
        assertThat(exact.binarize())
            .isEqualTo(
                filled(AutoscalingBloomFilter.builder().thresholds(4, 67), SETTINGS[0], seed)
                    .binarize());
        for (long key = 0; key < 500; key++) {
          // saturated counters hit more often, never less: no stored key is lost
          assertThat(narrow.evidence(key)).isGreaterThanOrEqualTo(exact.evidence(key));
        }
        // the rates can still be estimated from the remaining counters
        Rates.assertRate(500, i -> narrow.accepts(-1 - i), narrow.rates().fpr());
        Rates.assertRate(500, narrow::accepts, narrow.rates().tpr());
        predicted.add(narrow.rates().fpr());
      }
      // as far as the binomial model goes (erratum A11)
      predicted.assertMean(stuckFpr(peaks[p]), 0.0075);
    }
  }

  /** The rate of 500 keys in 10,000 counters that hold at most 15 and were once at the peak. */
  private static double stuckFpr(int peak) {
    BinomialDistribution left = BinomialDistribution.of(500, 0.01);
    BinomialDistribution removed = BinomialDistribution.of(peak - 500, 0.01);
    double hit = left.survivalProbability(4);
    for (int count = 0; count <= 4; count++) {
      hit += left.probability(count) * removed.survivalProbability(14 - count);
    }
    return BinomialDistribution.of(100, Math.min(1, hit)).survivalProbability(66);
  }
}
