package dev.bellows.autoscale;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.internal.autoscale.DistinctRates;
import dev.bellows.internal.autoscale.ThresholdRates;
import dev.bellows.internal.math.Binomial;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.plan.Oracles;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ThresholdPlanTest {
  private static final Criterion ACCURACY = Criterion.accuracy();

  @TestFactory
  Stream<DynamicTest> decisionForTheta() {
    return Oracles.cases(
        "004_abf",
        "optimal_T_for_theta",
        (c, all) -> {
          long m = c.integer("m");
          int k = c.small("k");
          long n = c.integer("n");
          long theta = c.integer("theta");
          ThresholdPlan plan = ThresholdPlan.forTheta(m, k, n, theta, ACCURACY, c.real("L"));
          assertThat(plan.decision()).isEqualTo(c.expected("T"));
          OracleRates.assertRates(plan.rates(), c);
          if (all.containsKey("T_star_closed_form")) {
            assertThat(bestDecision(m, k, n, theta)).isEqualTo(all.get("T_star_closed_form"));
          }
        });
  }

  @TestFactory
  @SuppressWarnings("unchecked")
  Stream<DynamicTest> bothThresholds() {
    return Oracles.cases(
        "004_abf",
        "optimal_theta_T",
        (c, all) -> {
          ThresholdPlan plan =
              ThresholdPlan.tune(
                  c.integer("m"), c.small("k"), c.integer("n"), ACCURACY, c.real("L"));
          Number gap = (Number) ((Map<String, Object>) all.get("runner_up")).get("acc_gap");
          assertClose(plan.accuracy(), c.expected("ACC"), CLOSED_FORM);
          if (gap.doubleValue() > 1e-9) {
            assertThat(plan.theta()).isEqualTo(((Number) c.expected("theta")).longValue());
            assertThat(plan.decision()).isEqualTo(c.expected("T"));
            OracleRates.assertRates(plan.rates(), c);
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> statementsOfTheText() {
    double none = best(0, 0.97).accuracy();
    Map<String, Double> ours =
        Map.of(
            "ACC gain theta 0 -> 1", best(1, 0.97).accuracy() - none,
            "relative ACC gain theta 0 -> 4", best(4, 0.97).accuracy() / none - 1,
            "ACC(theta=5)-ACC(theta=4), L=0", best(5, 0).accuracy() - best(4, 0).accuracy(),
            "extra hash functions of the optimised BF",
                Math.rint(BloomRates.optimalHashes(10_000, 50)) / 100 - 1);
    return Oracles.cases(
        "004_abf",
        "text_numbers",
        // differences of numbers near 1, printed to 15 decimals
        (c, all) ->
            assertThat(ours.get((String) c.in().get("statement")))
                .isCloseTo(c.expected(), Offset.offset(1e-14)));
  }

  private static ThresholdPlan best(long theta, double minTpr) {
    return ThresholdPlan.forTheta(10_000, 100, 500, theta, ACCURACY, minTpr);
  }

  @Test
  void accuraciesOfFigureThree() {
    double[] printed = {.7414, .8841, .9444, .9641, .9675, .9608, .9438, .9102};
    for (int theta = 0; theta < printed.length; theta++) {
      assertThat(best(theta, 0).accuracy()).isCloseTo(printed[theta], Offset.offset(5e-5));
    }
  }

  @Test
  void endPointsOfFigureFour() {
    ThresholdPlan first = ThresholdPlan.tune(10_000, 100, 50, ACCURACY, 0.9);
    assertThat(first.accuracy()).isGreaterThan(1 - 1e-12);
    ThresholdPlan last = ThresholdPlan.tune(10_000, 100, 5000, ACCURACY, 0.9);
    assertThat(last.accuracy()).isCloseTo(0.6622, Offset.offset(5e-5));
    assertThat(last.fpr()).isCloseTo(0.587, Offset.offset(5e-4));
    ThresholdPlan free = ThresholdPlan.tune(10_000, 100, 5000);
    assertThat(free.accuracy()).isCloseTo(0.7137, Offset.offset(5e-5));
    assertThat(free.tpr()).isCloseTo(0.730, Offset.offset(5e-4));
    assertThat(free.fpr()).isCloseTo(0.302, Offset.offset(5e-4));
  }

  @Test
  void noPairOfThresholdsIsBetter() {
    List<Criterion> criteria =
        List.of(
            ACCURACY,
            Criterion.cost(5, 1, 0.2),
            Criterion.cost(1, 0.01, 0.5),
            Criterion.f1(0.1),
            Criterion.mcc(0.3));
    int[][] shapes = {{50, 10, 20}, {20, 3, 4}, {100, 20, 30}, {64, 5, 200}, {1000, 30, 7}};
    for (int[] shape : shapes) {
      for (Criterion criterion : criteria) {
        for (double minTpr : new double[] {0, 0.5, 0.9, 0.99, 1}) {
          ThresholdPlan plan = ThresholdPlan.tune(shape[0], shape[1], shape[2], criterion, minTpr);
          assertThat(plan.tpr()).isGreaterThanOrEqualTo(minTpr);
          double best = bruteForce(shape, criterion, minTpr);
          assertThat(criterion.loss(plan.rates().fnr(), plan.fpr()))
              .as("%s of %s bits, %s hashes, %s keys", criterion, shape[0], shape[1], shape[2])
              .isCloseTo(best, Offset.offset(1e-11 * best));
        }
      }
    }
  }

  private static double bruteForce(int[] shape, Criterion criterion, double minTpr) {
    double best = Double.POSITIVE_INFINITY;
    for (int theta = 0; theta <= shape[2]; theta++) {
      for (int decision = 0; decision <= shape[1]; decision++) {
        ThresholdPlan.Rates rates =
            ThresholdPlan.rates(shape[0], shape[1], shape[2], theta, decision);
        boolean allowed = minTpr == 1 ? theta == 0 || decision == 0 : rates.tpr() >= minTpr;
        if (allowed) {
          best = Math.min(best, criterion.loss(rates.fnr(), rates.fpr()));
        }
      }
    }
    return best;
  }

  /**
   * The decision with the highest accuracy at a theta in closed form (erratum A5): the smallest
   * number of hits that is more likely for a stored key than for an absent one.
   */
  private static int bestDecision(long bits, int hashes, long keys, long theta) {
    ThresholdRates.Hits hits = ThresholdRates.hits(bits, hashes, keys, theta);
    if (hits.storedMiss() == 0) {
      return hashes;
    }
    if (hits.absent() == 0) {
      return 1;
    }
    if (hits.gap() == 0) {
      return (int) Math.max(1, Math.ceil(hashes * hits.absent()));
    }
    double missesTell = Math.log1p(hits.gap() / hits.storedMiss());
    double hitsTell = Math.log1p(hits.gap() / hits.absent());
    return (int) Math.max(1, Math.ceil(hashes * (missesTell / (missesTell + hitsTell))));
  }

  @Test
  void closedFormMatchesTheSearch() {
    for (long keys : new long[] {3, 50, 500, 2000, 5000, 1_000_000}) {
      double mean = keys / 100.0;
      for (long theta = 0; theta < mean + 4 * Math.sqrt(mean) + 4; theta += 1 + (long) mean / 20) {
        ThresholdPlan searched = ThresholdPlan.forTheta(10_000, 100, keys, theta, ACCURACY, 0);
        int closed = bestDecision(10_000, 100, keys, theta);
        double accuracy = ThresholdPlan.rates(10_000, 100, keys, theta, closed).accuracy();
        assertThat(accuracy).isCloseTo(searched.accuracy(), Offset.offset(1e-13));
        if (searched.accuracy() < 0.999 && searched.accuracy() > 0.501) {
          assertThat(searched.decision()).isEqualTo(closed);
        }
      }
    }
  }

  @Test
  void searchAndSingleRatesAgree() {
    for (long keys : new long[] {1, 500, 5000, 200_000, 10_000_000}) {
      ThresholdPlan plan = ThresholdPlan.tune(10_000, 100, keys, Criterion.mcc(0.5), 0.6);
      ThresholdPlan.Rates rates =
          ThresholdPlan.fixed(10_000, 100, keys, plan.theta(), plan.decision()).rates();
      assertClose(plan.tpr(), rates.tpr(), CLOSED_FORM);
      assertClose(plan.rates().fnr(), rates.fnr(), CLOSED_FORM);
      assertClose(plan.fpr(), rates.fpr(), CLOSED_FORM);
    }
  }

  @Test
  void aMillionKeysInAFrozenFilter() {
    ThresholdPlan plan = ThresholdPlan.tune(1L << 27, 20, 1_000_000);
    assertThat(plan.accuracy()).isEqualTo(1);
    assertThat(plan.rates().fnr() + plan.fpr()).isLessThan(1e-17);
    ThresholdPlan crowded = ThresholdPlan.tune(1L << 27, 20, 1_000_000_000);
    assertThat(crowded.theta()).isBetween(130L, 170L);
    assertThat(crowded.accuracy()).isBetween(0.5, 0.7);
  }

  @Test
  void allTruePositivesNeedTheReadingOfAPlainFilter() {
    for (long keys : new long[] {1, 10, 500, 100_000}) {
      ThresholdPlan plan = ThresholdPlan.tune(10_000, 100, keys, ACCURACY, 1);
      assertThat(plan.theta()).isZero();
      assertThat(plan.decision()).isEqualTo(100);
      assertThat(plan.rates().fnr()).isZero();
      assertClose(plan.fpr(), DistinctRates.fpp(10_000, 100, keys), CLOSED_FORM);
    }
  }

  @Test
  void aPlansOwnTprIsFeasible() {
    ThresholdPlan plan = ThresholdPlan.tune(10_000, 100, 700, ACCURACY, 0.95);
    ThresholdPlan again = ThresholdPlan.tune(10_000, 100, 700, ACCURACY, plan.tpr());
    assertThat(again).isEqualTo(plan);
  }

  @Test
  void tiesGoToTheSmallerThetaThenTheLargerDecision() {
    ThresholdPlan nothingToTell = ThresholdPlan.tune(10, 10, 5);
    assertThat(nothingToTell.theta()).isZero();
    assertThat(nothingToTell.decision()).isEqualTo(10);
    assertThat(nothingToTell.accuracy()).isEqualTo(0.5);
  }

  @Test
  void emptyFilterHasAPlan() {
    ThresholdPlan plan = ThresholdPlan.tune(100, 3, 0);
    assertThat(plan.theta()).isZero();
    assertThat(plan.decision()).isEqualTo(3);
    assertThat(plan.fpr()).isZero();
    assertThat(plan.tpr()).isNaN();
  }

  @Test
  void narrowCountersLimitTheta() {
    assertThat(ThresholdPlan.counterBits(0)).isEqualTo(4);
    assertThat(ThresholdPlan.counterBits(14)).isEqualTo(4);
    assertThat(ThresholdPlan.counterBits(15)).isEqualTo(8);
    assertThat(ThresholdPlan.counterBits(254)).isEqualTo(8);
    assertThat(ThresholdPlan.counterBits(255)).isEqualTo(16);
    assertThat(ThresholdPlan.counterBits(65_535)).isEqualTo(32);
    assertThat(ThresholdPlan.counterBits((1L << 32) - 2)).isEqualTo(32);
    assertThatThrownBy(() -> ThresholdPlan.counterBits((1L << 32) - 1))
        .hasMessageContaining("theta");
    ThresholdPlan limited =
        ThresholdPlan.tune(10_000, 100, 5000, ACCURACY, 0, ThresholdPlan.maxTheta(4));
    assertThat(limited.theta()).isLessThanOrEqualTo(14);
    assertThat(limited.accuracy()).isCloseTo(0.5, Offset.offset(1e-6));
    ThresholdPlan unharmed =
        ThresholdPlan.tune(10_000, 100, 500, ACCURACY, 0, ThresholdPlan.maxTheta(4));
    assertThat(unharmed).isEqualTo(ThresholdPlan.tune(10_000, 100, 500));
  }

  @Test
  void saturatedShareIsTheTailAtTheCeiling() {
    double sum = 0;
    for (int v = 15; v <= 500; v++) {
      sum += Binomial.ofRatio(500, 100, 10_000).probability(v);
    }
    assertClose(ThresholdPlan.saturatedShare(10_000, 100, 500, 4), sum, CLOSED_FORM);
    assertThat(ThresholdPlan.saturatedShare(10_000, 100, 5000, 4)).isGreaterThan(0.999);
  }

  @Test
  void impossibleRequestsAreRefusedByName() {
    assertThatThrownBy(() -> ThresholdPlan.tune(10, 11, 5)).hasMessageContaining("11 hashes");
    assertThatThrownBy(() -> ThresholdPlan.tune(10, 3, 5, ACCURACY, 1.5))
        .hasMessageContaining("minTpr must be in [0, 1]: 1.5");
    assertThatThrownBy(() -> ThresholdPlan.tune(10, 3, 5, ACCURACY, Double.NaN))
        .hasMessageContaining("minTpr");
    assertThatThrownBy(() -> ThresholdPlan.tune(10, 9, 1L << 50))
        .hasMessageContaining("fewer keys");
  }
}
