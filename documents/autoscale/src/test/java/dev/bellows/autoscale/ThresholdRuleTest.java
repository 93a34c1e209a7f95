package dev.bellows.autoscale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.autoscale.ThresholdPlan.Rule.Thresholds;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ThresholdRuleTest {
  private static final long MAX_THETA = ThresholdPlan.maxTheta(32);
  private static final List<Criterion> CRITERIA =
      List.of(
          Criterion.accuracy(), Criterion.cost(10, 1, 0.1), Criterion.f1(0.1), Criterion.mcc(0.3));

  @Test
  void stepsLoseAtMostOneThousandthAndKeepTheLeastTpr() {
    long[][] settings = {
      {10_000, 100, 6000},
      {1000, 7, 5000},
      {1000, 3, 5000},
      {4096, 8, 8000},
      {1 << 20, 16, 2_000_000},
      {1000, 1, 3000},
      {30, 2, 300},
      {50, 10, 500}
    };
    SplittableRandom random = new SplittableRandom(4);
    for (long[] s : settings) {
      for (double minTpr : new double[] {0, 0.9, 0.99}) {
        for (Criterion criterion : CRITERIA) {
          ThresholdPlan.Rule rule = new ThresholdPlan.Rule.Tuned(criterion, minTpr);
          for (int i = 0; i < 25; i++) {
            long keys = (long) Math.exp(random.nextDouble() * Math.log(s[2]));
            Thresholds thresholds = rule.thresholds(s[0], (int) s[1], keys, MAX_THETA);
            for (long asked : new long[] {keys, thresholds.to()}) {
              assertSmallLoss(criterion, minTpr, thresholds, s[0], (int) s[1], asked);
            }
          }
        }
      }
    }
  }

  private static void assertSmallLoss(
      Criterion criterion, double minTpr, Thresholds kept, long bits, int hashes, long keys) {
    assertThat(kept.serve(keys)).isTrue();
    ThresholdPlan.Rates rates =
        ThresholdPlan.rates(bits, hashes, keys, kept.theta(), kept.decision());
    ThresholdPlan.Rates best = ThresholdPlan.tune(bits, hashes, keys, criterion, minTpr).rates();
    double loss = criterion.loss(rates.fnr(), rates.fpr());
    assertThat(loss - criterion.loss(best.fnr(), best.fpr()))
        .as("%s, %s keys in %s with %s", criterion, keys, bits, kept)
        .isLessThanOrEqualTo(0.001 * criterion.loss(1, 1));
    assertThat(rates.tpr()).isGreaterThanOrEqualTo(minTpr - 1e-12);
  }

  @Test
  void stepsFollowEachOtherWithoutGapWhereverOneBegins() {
    ThresholdPlan.Rule rule = new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0.9);
    Thresholds thresholds = rule.thresholds(4096, 30, 1, MAX_THETA);
    int tunings = 0;
    for (long keys = 1; keys <= 1500; keys++) {
      if (!thresholds.serve(keys)) {
        assertThat(keys).isEqualTo(thresholds.to() + 1);
        thresholds = rule.thresholds(4096, 30, keys, MAX_THETA);
        assertThat(thresholds.from()).isEqualTo(keys);
        tunings++;
      } else if (keys % 7 == 0) {
        assertThat(rule.thresholds(4096, 30, keys, MAX_THETA)).isEqualTo(thresholds);
      }
    }
    assertThat(tunings).isBetween(100, 1000);
    assertThat(rule.thresholds(1 << 27, 20, 1_000_000, MAX_THETA).to()).isGreaterThan(1_010_000);
  }

  @Test
  void anEmptyFilterIsReadAsAPlainFilter() {
    assertThat(new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0).thresholds(100, 7, 0, 14))
        .isEqualTo(new Thresholds(0, 0, 0, 7));
  }

  @Test
  void fixedThresholdsNeverChange() {
    ThresholdPlan.Rule rule = new ThresholdPlan.Rule.Fixed(3, 5);
    assertThat(rule.thresholds(100, 7, 12, 14)).isEqualTo(new Thresholds(0, Long.MAX_VALUE, 3, 5));
    assertThatThrownBy(() -> new ThresholdPlan.Rule.Fixed(-1, 5)).hasMessageContaining("theta");
    assertThatThrownBy(() -> new ThresholdPlan.Rule.Fixed(1, -5)).hasMessageContaining("decision");
    assertThatThrownBy(() -> new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 1.1))
        .hasMessageContaining("minTpr");
  }

  @Test
  void widthSufficesForEveryTheta() {
    ThresholdPlan.Rule rule = new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0);
    assertThat(ThresholdPlan.counterBits(10_000, 100, 0, rule)).isEqualTo(4);
    assertThat(ThresholdPlan.counterBits(10_000, 100, 500, rule)).isEqualTo(4);
    assertThat(ThresholdPlan.counterBits(10_000, 100, 5000, rule)).isEqualTo(8);
    assertThat(ThresholdPlan.counterBits(10_000, 100, 50_000, rule)).isEqualTo(16);
    assertThat(
            ThresholdPlan.counterBits(
                10_000, 100, 50_000, new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 1)))
        .isEqualTo(4);
    assertThat(ThresholdPlan.counterBits(10_000, 100, 9, new ThresholdPlan.Rule.Fixed(300, 5)))
        .isEqualTo(16);
  }

  @Test
  void widthIsTheNarrowestForTheThetasOfAllSteps() {
    long[][] settings = {{10_000, 100, 1600}, {1000, 10, 1600}, {300, 3, 2000}, {64, 16, 1500}};
    for (long[] s : settings) {
      for (ThresholdPlan.Rule rule :
          List.of(
              new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0.9),
              new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0),
              new ThresholdPlan.Rule.Tuned(Criterion.cost(10, 1, 0.1), 0.5))) {
        long highest = 0;
        Thresholds step = rule.thresholds(s[0], (int) s[1], 0, MAX_THETA);
        for (long keys = 1; keys <= s[2]; keys++) {
          int before = ThresholdPlan.counterBits(highest);
          step = step.serve(keys) ? step : rule.thresholds(s[0], (int) s[1], keys, MAX_THETA);
          highest = Math.max(highest, step.theta());
          int needed = ThresholdPlan.counterBits(highest);
          if (before < needed || keys % 499 == 0) {
            assertThat(ThresholdPlan.counterBits(s[0], (int) s[1], keys, rule))
                .as("%d keys in %d with %d hashes by %s", keys, s[0], s[1], rule)
                .isEqualTo(needed);
          }
        }
        assertThat(highest).isGreaterThan(14);
      }
    }
  }

  /**
   * Theta reaches 15 below 1500 keys and is 13 at 1500: the last step alone would suggest 4 bits.
   */
  @Test
  void widthSufficesWhenThetaFallsAgain() {
    ThresholdPlan.Rule rule = new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0.9);
    assertThat(rule.thresholds(10_000, 100, 1500, MAX_THETA).theta()).isEqualTo(13);
    assertThat(rule.thresholds(10_000, 100, 1477, MAX_THETA).theta()).isEqualTo(15);
    assertThat(ThresholdPlan.counterBits(10_000, 100, 1500, rule)).isEqualTo(8);
    assertThat(ThresholdPlan.counterBits(10_000, 100, 1400, rule)).isEqualTo(4);
  }

  /**
   * If computing every step would take minutes, the width suffices for any theta that a rule may
   * choose.
   */
  @Test
  void widthOfManyStepsIsNeverTooNarrow() {
    ThresholdPlan.Rule rule = new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0.9);
    int width = ThresholdPlan.counterBits(1 << 16, 4096, 4000, rule);
    assertThat(width).isEqualTo(16);
    assertThat(rule.thresholds(1 << 16, 4096, 4000, MAX_THETA).theta())
        .isLessThanOrEqualTo(ThresholdPlan.maxTheta(width));
  }

  @Test
  void aPlainFilterWithFreeHashesWinsUntilItHasMoreKeysThanBits() {
    for (int[] s : new int[][] {{10_000, 100}, {1000, 7}, {4096, 8}, {5000, 20}}) {
      for (long keys = 1; keys < 0.85 * s[0]; keys += 1 + keys / 3) {
        assertThat(PlainChoice.of(s[0], keys).accuracy())
            .isGreaterThanOrEqualTo(ThresholdPlan.tune(s[0], s[1], keys).accuracy() - 1e-12)
            .isGreaterThanOrEqualTo(LikelihoodPlan.tune(s[0], s[1], keys).accuracy() - 1e-12);
      }
      long overload = 2L * s[0];
      ThresholdPlan overloaded = ThresholdPlan.tune(s[0], s[1], overload);
      assertThat(PlainChoice.of(s[0], overload).accuracy()).isLessThan(overloaded.accuracy());
      assertThat(
              PlainChoice.of(s[0] * ThresholdPlan.counterBits(overloaded.theta()), overload)
                  .accuracy())
          .isGreaterThan(overloaded.accuracy());
    }
  }

  @Test
  void theComparisonIsExplainedInText() {
    ThresholdPlan.Rates rates = new ThresholdPlan.Rates(0.98, 0.02, 0.04);
    assertThat(ThresholdPlan.plainAlternative(10_000, 8, 500, rates, Criterion.accuracy()))
        .contains("use a plain filter: 10,000 bits with 14 hashes miss none of the 500 keys")
        .contains("6.76e-05", "0.99997 against 0.97000", "memory of the counters", "80,000 bits");
    assertThat(PlainChoice.of(100, 1000).against(rates, Criterion.accuracy()))
        .startsWith("No plain filter of this size is better: 100 bits with 1 hash miss none");
    assertThat(PlainChoice.of(1, 5).hashes()).isEqualTo(1);
  }
}
