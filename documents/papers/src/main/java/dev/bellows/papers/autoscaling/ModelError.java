package dev.bellows.papers.autoscaling;

import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.papers.Item;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How far the binomial model of Eq. 19 and 20 is from real filters as k/m grows. */
public final class ModelError extends Item {
  private static final int FILTERS = 20_000;
  private static final int QUERIES = 10;
  private static final int HASHES = 20;

  /** Bits, hashes, keys, theta and T. */
  private static final int[][] CASES = {
    {1000, 100, 50, 4, 64}, {200, 20, 40, 3, 15}, {100, 20, 30, 5, 12}, {50, 10, 20, 3, 7}
  };

  /** Bits of the curve, with 20 hashes and five keys per counter. */
  private static final int[] SIZES = {40, 60, 100, 160, 250, 400, 1000};

  ModelError() {
    super(
        "004/equations-19-20",
        "Equations 19 and 20: where the binomial model of hits is off",
        """
        The model treats the k positions of a key as independent. They are distinct, so the number
        of hits varies less, which shows from k/m = 0.1 on (A11): more stored and fewer absent keys
        are accepted than Eq. 19 and Eq. 20 predict, by 0.01 to 0.02 at k/m = 0.2. Every filter
        here has its own hash functions and was queried for ten stored and ten absent keys; the
        intervals are over filters. The rows "from the counters" are the average FPR that rates()
        of each filter computes from its own counters, as a draw without replacement; they are
        right at every size.\
        """,
        Pace.SLOW);
  }

  @Override
  protected void fill() {
    columns("m, k, n, theta, T, tpr, tprMeasured, fpr, fprMeasured");
    for (int[] c : CASES) {
      ThresholdPlan plan = ThresholdPlan.fixed(c[0], c[1], c[2], c[3], c[4]);
      answers(plan);
    }
    Chart chart =
        chart(
            "Measured minus modeled rates over k/m: zero at 0.02, up to 0.04 at one half",
            "Real filters minus the model, k = 20, n = m/4",
            Axis.log("k/m").between(0.01, 1),
            Axis.linear("measured - model").between(-0.05, 0.05));
    chart.curve("the model", 6).level(0, 0.01, 1);
    Points tpr = chart.points("TPR", 0);
    Points fpr = chart.points("FPR", 1);
    for (int size : SIZES) {
      ThresholdPlan plan = ThresholdPlan.tune(size, HASHES, size / 4);
      Answers answers = answers(plan);
      double share = (double) HASHES / size;
      tpr.add(share, answers.stored().measured().minus(plan.tpr()));
      fpr.add(share, answers.absent().measured().minus(plan.fpr()));
    }
  }

  private Answers answers(ThresholdPlan plan) {
    double[] own = new double[FILTERS];
    Answers answers =
        Answers.of(
            FILTERS,
            QUERIES,
            seed -> {
              AutoscalingBloomFilter filter = filled(plan, seed);
              own[seed] = filter.rates().fpr();
              return filter::accepts;
            });
    String at = "m=%d,k=%d,n=%d/".formatted(plan.bits(), plan.hashes(), plan.keys());
    String thresholds = ", theta = %d, T = %d".formatted(plan.theta(), plan.decision());
    ClusteredRate stored = answers.stored();
    ClusteredRate absent = answers.absent();
    double counters = Arrays.stream(own).average().orElseThrow();
    add(at + "tpr", "TPR by Eq. 19" + thresholds, plan.tpr(), stored, "A11");
    add(at + "fpr", "FPR by Eq. 20" + thresholds, plan.fpr(), absent, "A11");
    add(at + "fpr-counters", "FPR from the counters", counters, absent, null);
    row(
        plan.bits(),
        plan.hashes(),
        plan.keys(),
        plan.theta(),
        plan.decision(),
        plan.tpr(),
        stored.rate(),
        plan.fpr(),
        absent.rate());
    return answers;
  }

  private static AutoscalingBloomFilter filled(ThresholdPlan plan, int seed) {
    return Setting.filled(
        AutoscalingBloomFilter.builder()
            .bits(plan.bits())
            .hashes(plan.hashes())
            .seed(plan.bits() * FILTERS + seed)
            .thresholds(plan.theta(), plan.decision()),
        plan.keys());
  }

  private void add(
      String id, String what, double formula, ClusteredRate rate, @Nullable String erratum) {
    number(id, what).measured(rate.measured()).formula(formula).erratum(erratum);
  }
}
