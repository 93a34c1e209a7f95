package dev.bellows.autoscale;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.Means;
import dev.bellows.internal.autoscale.CounterLoad;
import dev.bellows.internal.autoscale.DistinctRates;
import dev.bellows.internal.math.Binomial;
import java.util.List;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class LikelihoodPlanTest {
  private static final Criterion LEAST_FPR = Criterion.cost(1, 0, 0.5);

  @Test
  void beatsTheTwoThresholdsOnTheExampleOfThePaper() {
    LikelihoodPlan plan = LikelihoodPlan.tune(10_000, 100, 500, LEAST_FPR, 0.98, 32);
    assertThat(plan.tpr()).isBetween(0.98, 0.981);
    assertThat(plan.fpr()).isCloseTo(0.0034, Offset.offset(5e-5));
    ThresholdPlan thresholds = ThresholdPlan.fixed(10_000, 100, 500, 4, 65);
    assertThat(thresholds.tpr()).isLessThan(0.98);
    assertThat(thresholds.fpr()).isCloseTo(0.0431, Offset.offset(5e-5));
  }

  @Test
  void isNeverWorseThanTheTwoThresholds() {
    for (int[] s : new int[][] {{100, 20, 30}, {1024, 8, 2000}, {10_000, 100, 3000}, {64, 5, 9}}) {
      for (Criterion criterion :
          List.of(Criterion.accuracy(), Criterion.f1(0.2), Criterion.mcc(0.4))) {
        ThresholdPlan thresholds = ThresholdPlan.tune(s[0], s[1], s[2], criterion, 0);
        LikelihoodPlan plan = LikelihoodPlan.tune(s[0], s[1], s[2], criterion, 0, 32);
        assertThat(criterion.score(plan.tpr(), plan.fpr()))
            .isGreaterThan(criterion.score(thresholds.tpr(), thresholds.fpr()) - 1e-3);
      }
    }
  }

  @Test
  void distributionIsTheOneOfAllCombinationsOfCounts() {
    int bits = 20;
    int hashes = 3;
    int keys = 4;
    LogTable table = LogTable.of(bits, hashes, keys, 255);
    LikelihoodScores scores = LikelihoodScores.of(table, CounterLoad.distinct(bits, hashes, keys));
    for (long threshold = -200; threshold <= 300; threshold += 7) {
      double tpr = 0;
      double fpr = 0;
      for (int a = 1; a <= keys; a++) {
        for (int b = 1; b <= keys; b++) {
          for (int c = 1; c <= keys; c++) {
            if (table.score(a) + table.score(b) + table.score(c) >= threshold) {
              tpr += count(a - 1, keys - 1) * count(b - 1, keys - 1) * count(c - 1, keys - 1);
              fpr += count(a, keys) * count(b, keys) * count(c, keys);
            }
          }
        }
      }
      ThresholdPlan.Rates rates = scores.rates(threshold);
      assertThat(rates.tpr()).isCloseTo(tpr, Offset.offset(1e-14));
      assertThat(rates.fnr()).isCloseTo(1 - tpr, Offset.offset(1e-14));
      assertClose(rates.fpr(), fpr, CLOSED_FORM);
    }
  }

  private static double count(int count, int keys) {
    return Binomial.ofRatio(keys, 3, 20).probability(count);
  }

  @Test
  void everyThresholdIsWorseThanTheChosenOne() {
    LogTable table = LogTable.of(2000, 30, 300, 255);
    LikelihoodScores scores = LikelihoodScores.of(table, CounterLoad.distinct(2000, 30, 300));
    for (Criterion criterion :
        List.of(Criterion.accuracy(), Criterion.cost(3, 1, 0.3), Criterion.mcc(0.1))) {
      for (double minTpr : new double[] {0, 0.9, 0.999}) {
        ThresholdPlan.Rates best = scores.rates(scores.bestThreshold(criterion, minTpr));
        assertThat(best.tpr()).isGreaterThanOrEqualTo(minTpr);
        double loss = criterion.loss(best.fnr(), best.fpr());
        for (long threshold = -1000; threshold < 1000; threshold++) {
          ThresholdPlan.Rates other = scores.rates(threshold);
          if (other.tpr() >= minTpr) {
            assertThat(criterion.loss(other.fnr(), other.fpr()))
                .isGreaterThanOrEqualTo(loss * (1 - 1e-11));
          }
        }
      }
    }
  }

  @Test
  void predictionsHoldInSimulation() {
    for (int[] s : new int[][] {{10_000, 100, 500}, {2000, 30, 300}, {4096, 8, 2000}}) {
      LikelihoodPlan plan = LikelihoodPlan.tune(s[0], s[1], s[2], Criterion.accuracy(), 0.8, 8);
      int queries = 2000;
      int filters = 24;
      Means tpr = new Means();
      Means fpr = new Means();
      Means tprSurprise = new Means();
      Means fprSurprise = new Means();
      for (int seed = 0; seed < filters; seed++) {
        ToyCounters toy = new ToyCounters(s[0], s[1], s[2], 77 + seed);
        double found = 0;
        for (int[] key : toy.stored) {
          found += accepts(plan, toy, key) ? 1 : 0;
        }
        double accepted = 0;
        for (int i = 0; i < queries; i++) {
          accepted += accepts(plan, toy, toy.draw()) ? 1 : 0;
        }
        ThresholdPlan.Rates observed = plan.observedRates(toy.histogram());
        tpr.add(found / s[2]);
        fpr.add(accepted / queries);
        tprSurprise.add(found / s[2] - observed.tpr());
        fprSurprise.add(accepted / queries - observed.fpr());
      }
      // the model of independent positions is off by up to 0.003 here (erratum A11)
      tpr.assertMean(plan.tpr(), 0.003);
      fpr.assertMean(plan.fpr(), 0.003);
      tprSurprise.assertMean(0, 0.003);
      fprSurprise.assertMean(0);
    }
  }

  private static boolean accepts(LikelihoodPlan plan, ToyCounters toy, int[] positions) {
    long sum = 0;
    for (int position : positions) {
      long score = plan.score(toy.counts[position]);
      if (score == LogTable.NEVER) {
        return false;
      }
      sum += score;
    }
    return sum >= plan.threshold();
  }

  @Test
  void allTruePositivesAreThoseOfAPlainFilter() {
    for (int keys : new int[] {1, 50, 500, 3000}) {
      LikelihoodPlan plan = LikelihoodPlan.tune(10_000, 100, keys, Criterion.accuracy(), 1, 8);
      assertThat(plan.rates().fnr()).isZero();
      assertClose(plan.fpr(), DistinctRates.fpp(10_000, 100, keys), 1e-11);
      ToyCounters toy = new ToyCounters(10_000, 100, keys, 5);
      for (int[] key : toy.stored) {
        assertThat(accepts(plan, toy, key)).isTrue();
      }
    }
  }

  @Test
  void saturatedCountersCarryLessInformation() {
    double last = 0.5;
    for (int counterBits : new int[] {1, 2, 4, 8}) {
      double accuracy =
          LikelihoodPlan.tune(10_000, 100, 1000, Criterion.accuracy(), 0, counterBits).accuracy();
      assertThat(accuracy).isGreaterThan(last);
      last = accuracy;
    }
    assertThat(LikelihoodPlan.tune(10_000, 100, 1000, Criterion.accuracy(), 0, 1).accuracy())
        .isCloseTo(ThresholdPlan.fixed(10_000, 100, 1000, 0, 100).accuracy(), Offset.offset(1e-12));
    assertThat(LikelihoodPlan.tune(10_000, 100, 5000, Criterion.accuracy(), 0, 2).accuracy())
        .isCloseTo(0.5, Offset.offset(1e-12));
  }

  @Test
  void tableIsTheLogarithmOfCountOverMean() {
    LogTable table = LogTable.of(10_000, 100, 5000, (1L << 32) - 1);
    assertThat(table.lowestCount()).isEqualTo(1);
    for (long count = 1; count <= table.highestCount(); count++) {
      assertThat(table.logarithm(table.score(count)))
          .isCloseTo(
              Math.log(count / 50.0), Offset.offset(Math.scalb(0.5001, -table.fractionBits())));
    }
    assertThat(table.score(0)).isEqualTo(LogTable.NEVER);
    assertThat(table.score(1L << 40)).isEqualTo(table.score(table.highestCount()));
    LogTable large = LogTable.of(10_000, 100, 1_000_000, (1L << 32) - 1);
    assertThat(large.score(1)).isEqualTo(large.score(large.lowestCount()));
    assertThat(large.score(10_101)).isGreaterThan(large.score(10_001));
  }

  @Test
  void theSameNumbersGiveTheSamePlan() {
    LikelihoodPlan plan = LikelihoodPlan.tune(2000, 30, 300);
    assertThat(LikelihoodPlan.tune(2000, 30, 300)).usingRecursiveComparison().isEqualTo(plan);
    assertThat(LikelihoodPlan.tune(2000, 30, 301).rates()).isNotEqualTo(plan.rates());
    assertThat(plan.highestCount()).isEqualTo(44);
    assertThat(plan.score(44)).isEqualTo(plan.score(1000)).isGreaterThan(plan.score(43));
  }

  @Test
  void edges() {
    LikelihoodPlan empty = LikelihoodPlan.tune(100, 3, 0);
    assertThat(empty.tpr()).isNaN();
    assertThat(empty.fpr()).isZero();
    LikelihoodPlan blind = LikelihoodPlan.tune(10, 10, 5);
    assertThat(blind.tpr()).isEqualTo(1);
    assertThat(blind.fpr()).isEqualTo(1);
    LikelihoodPlan single = LikelihoodPlan.tune(1000, 7, 1);
    assertThat(single.tpr()).isEqualTo(1);
    assertClose(single.fpr(), Math.pow(0.007, 7), CLOSED_FORM);
    LikelihoodPlan crowded = LikelihoodPlan.tune(1L << 27, 20, 1_000_000_000);
    assertThat(crowded.accuracy()).isBetween(0.57, 0.58);
    ThresholdPlan.Rates nothing = empty.observedRates(new long[] {100});
    assertThat(nothing.tpr()).isNaN();
    assertThat(nothing.fpr()).isZero();
  }

  @Test
  void invalidArgumentsAreRefused() {
    assertThatThrownBy(() -> LikelihoodPlan.tune(10, 11, 5)).hasMessageContaining("11 hashes");
    assertThatThrownBy(() -> LikelihoodPlan.tune(1 << 20, 5000, 5))
        .hasMessageContaining("hashes of the likelihood reading");
    assertThatThrownBy(() -> LikelihoodPlan.tune(10, 3, 5, LEAST_FPR, -0.1, 8))
        .hasMessageContaining("minTpr");
    assertThatThrownBy(() -> LikelihoodPlan.tune(10, 3, 5, LEAST_FPR, 0, 0))
        .hasMessageContaining("counterBits");
  }
}
