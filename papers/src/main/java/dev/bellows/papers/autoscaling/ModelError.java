package dev.bellows.papers.autoscaling;

import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.papers.Item;
import dev.bellows.papers.MeanInterval;
import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.plan.ThresholdPlan;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** How far the binomial model of Eq 19 and 20 is from real filters as k/m grows. */
public final class ModelError implements Item {
  private static final int FILTERS = 20_000;
  private static final int ASKED = 10;
  private static final int HASHES = 20;

  /** Bits, hashes, keys, theta and T. */
  private static final int[][] CASES = {
    {1000, 100, 50, 4, 64}, {200, 20, 40, 3, 15}, {100, 20, 30, 5, 12}, {50, 10, 20, 3, 7}
  };

  /** Bits of the curve, with 20 hashes and five keys per counter. */
  private static final int[] SIZES = {40, 60, 100, 160, 250, 400, 1000};

  @Override
  public String id() {
    return "004/equations-19-20";
  }

  @Override
  public String title() {
    return "Equations 19 and 20: where the binomial model of hits is off";
  }

  @Override
  public String paragraph() {
    return "The model takes the k positions of a key as independent. They are distinct, so the number of"
        + " hits spreads less, and from k/m = .1 on this is seen (A11): more stored and fewer absent keys"
        + " are accepted than Eq 19 and 20 say, by .01 to .02 at k/m = .2. Every filter here was hashed"
        + " anew and asked for ten stored and ten absent keys; the intervals are over filters. The rows"
        + " \"from the counters\" are the mean of what rates() of each filter says of its own FPR, a"
        + " draw without repetition from its counters, and that is right at every size.";
  }

  @Override
  public boolean fast() {
    return false;
  }

  @Override
  public Outcome compute() {
    Outcome outcome = new Outcome();
    outcome.columns("m", "k", "n", "theta", "T", "tpr", "tprMeasured", "fpr", "fprMeasured");
    for (int[] c : CASES) {
      ThresholdPlan plan = ThresholdPlan.fixed(c[0], c[1], c[2], c[3], c[4]);
      answers(outcome, plan);
    }
    int count = SIZES.length;
    double[] share = new double[count];
    double[][] tpr = new double[3][count];
    double[][] fpr = new double[3][count];
    for (int i = 0; i < count; i++) {
      ThresholdPlan plan = ThresholdPlan.tune(SIZES[i], HASHES, SIZES[i] / 4);
      Answers answers = answers(outcome, plan);
      share[i] = (double) HASHES / SIZES[i];
      deviation(tpr, i, answers.stored(), plan.tpr());
      deviation(fpr, i, answers.absent(), plan.fpr());
    }
    return outcome.picture(
        "Measured minus modelled rates over k/m: none at .02, up to .04 at one half",
        Chart.of(
                "Real filters minus the model, k = 20, n = m/4",
                Axis.log("k/m").between(0.01, 1),
                Axis.linear("measured - model").between(-0.05, 0.05))
            .curve("the model", 6, new double[] {0.01, 1}, new double[] {0, 0})
            .points("TPR", 0, share, tpr[0], tpr[1], tpr[2])
            .points("FPR", 1, share, fpr[0], fpr[1], fpr[2])
            .toSvg());
  }

  private static void deviation(double[][] into, int at, ClusteredRate rate, double model) {
    MeanInterval interval = rate.interval(Result.ALPHA);
    into[0][at] = interval.mean() - model;
    into[1][at] = interval.low() - model;
    into[2][at] = interval.high() - model;
  }

  private Answers answers(Outcome outcome, ThresholdPlan plan) {
    double[] own = new double[FILTERS];
    Answers answers =
        Answers.of(
            FILTERS,
            ASKED,
            seed -> {
              AutoscalingBloomFilter filter = filled(plan, seed);
              own[seed] = filter.rates().fpr();
              return filter::accepts;
            });
    String at = id() + "/m=%d,k=%d,n=%d/".formatted(plan.bits(), plan.hashes(), plan.keys());
    String thresholds = ", theta = %d, T = %d".formatted(plan.theta(), plan.decision());
    ClusteredRate stored = answers.stored();
    ClusteredRate absent = answers.absent();
    double counters = Arrays.stream(own).average().orElseThrow();
    add(outcome, at + "tpr", "TPR by Eq 19" + thresholds, plan.tpr(), stored, "A11");
    add(outcome, at + "fpr", "FPR by Eq 20" + thresholds, plan.fpr(), absent, "A11");
    add(outcome, at + "fpr-counters", "FPR from the counters", counters, absent, null);
    outcome.row(
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
    AutoscalingBloomFilter filter =
        AutoscalingBloomFilter.builder()
            .bits(plan.bits())
            .hashes(plan.hashes())
            .seed(plan.bits() * FILTERS + seed)
            .thresholds(plan.theta(), plan.decision())
            .build();
    for (long key = 0; key < plan.keys(); key++) {
      filter.put(key);
    }
    return filter;
  }

  private static void add(
      Outcome outcome,
      String id,
      String what,
      double formula,
      ClusteredRate rate,
      @Nullable String erratum) {
    outcome.add(rate.to(Result.of(id, what)).formula(formula).erratum(erratum).build());
  }
}
