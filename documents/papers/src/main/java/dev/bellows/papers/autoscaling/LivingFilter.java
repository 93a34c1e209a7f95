package dev.bellows.papers.autoscaling;

import static dev.bellows.papers.autoscaling.Setting.BITS;
import static dev.bellows.papers.autoscaling.Setting.HASHES;

import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.autoscale.ThresholdPlan.Rule;
import dev.bellows.papers.Item;
import dev.bellows.papers.autoscaling.Answers.Rate;
import dev.bellows.papers.draw.Axis;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Figure 4 again, from filters that grow: one object from 50 to 5000 keys. */
public final class LivingFilter extends Item {
  private static final int FILTERS = 60;
  private static final int QUERIES = 200;
  private static final long[] MEASURED = {
    450, 500, 550, 1000, 1900, 2000, 2100, 3000, 4000, 4900, 5000
  };

  /** The numbers of keys for which the fixed thresholds are the best. */
  private static final long[] FIXED_FOR = {500, 2000, 5000};

  private static final Rule ADAPTIVE = new Rule.Tuned(Criterion.accuracy(), Figure4.LEAST_TPR);

  LivingFilter() {
    super(
        "004/living-filter",
        "Figure 4 from one growing filter with adaptive thresholds, compared with fixed ones",
        """
        The page of Figure 4 builds a new filter for every point. Here each filter grows through
        the whole figure: keys are added from 50 to 5000, every query uses the current
        thresholds of the filter, and nothing is rebuilt. For comparison, the same counters are
        read through fixed thresholds: the best ones for 500, 2000 and 5000 keys. Adaptive
        thresholds are as good as new filters everywhere. Fixed thresholds are useful only
        within a few percent of the number of keys they were chosen for: those for 2000 keys
        miss all keys at 1500, and accept everything at 2500. The filter retunes in steps, not
        with every key, and only when a query needs the new thresholds; the largest loss of
        accuracy that this causes is stated below.\
        """);
  }

  /** Returns the rates of fixed thresholds at a number of keys. */
  private static ThresholdPlan.Rates fixed(ThresholdPlan best, long keys) {
    return ThresholdPlan.fixed(BITS, HASHES, keys, best.theta(), best.decision()).rates();
  }

  private static AutoscalingBloomFilter living(int seed) {
    return AutoscalingBloomFilter.builder()
        .bits(BITS)
        .hashes(HASHES)
        .minTpr(Figure4.LEAST_TPR)
        .seed(seed)
        .build();
  }

  @Override
  protected void fill() {
    Map<Long, ThresholdPlan> followed = follow();
    List<Rule> rules = new ArrayList<>(List.of(ADAPTIVE));
    List<RateCurve> curves = new ArrayList<>();
    curves.add(new RateCurve("adaptive", 0, Figure4.sizes(), n -> followed.get(n).rates()));
    for (int i = 0; i < FIXED_FOR.length; i++) {
      ThresholdPlan best = Figure4.plan(FIXED_FOR[i]);
      String name = "fixed for %d keys".formatted(FIXED_FOR[i]);
      rules.add(new Rule.Fixed(best.theta(), best.decision()));
      curves.add(new RateCurve(name, i + 2, Figure4.sizes(), n -> fixed(best, n)));
    }
    measure(curves, rules);
    columns("thresholds, n, tpr, fpr, acc");
    curves.forEach(curve -> curve.rows(this::row));
    steps(followed);
    curves.forEach(curve -> curve.results(this::number));
    Axis accuracy = Axis.linear("accuracy").between(0.45, 1);
    draw("Accuracy", " of a growing filter (points: real filters)", accuracy, curves, Rate.ACC);
    Axis tpr = Axis.linear("TPR").between(0, 1);
    draw("True positive rate", " of a growing filter", tpr, curves, Rate.TPR);
    Axis fpr = Axis.linear("FPR").between(0, 1);
    draw("False positive rate", " of a growing filter", fpr, curves, Rate.FPR);
  }

  private void draw(String what, String of, Axis upward, List<RateCurve> curves, Rate rate) {
    String words = what + " over keys, adaptive and fixed thresholds";
    Axis keys = Axis.linear("keys").between(0, 5000);
    RateCurve.draw(chart(words, what + of, keys, upward), curves, rate);
  }

  /** Returns the thresholds that one filter has while it grows, with their rates. */
  private static Map<Long, ThresholdPlan> follow() {
    AutoscalingBloomFilter filter = living(0);
    Map<Long, ThresholdPlan> plans = new LinkedHashMap<>();
    long before = 0;
    for (long n : Figure4.sizes().toArray()) {
      LongStream.range(before, n).forEach(filter::put);
      plans.put(n, filter.plan());
      before = n;
    }
    return plans;
  }

  /** Queries every filter, at every number of keys, through all thresholds. */
  private static void measure(List<RateCurve> curves, List<Rule> rules) {
    long[][][] stored = new long[MEASURED.length][rules.size()][FILTERS];
    long[][][] absent = new long[MEASURED.length][rules.size()][FILTERS];
    for (int seed = 0; seed < FILTERS; seed++) {
      AutoscalingBloomFilter filter = living(seed);
      long before = 0;
      for (int at = 0; at < MEASURED.length; at++) {
        LongStream.range(before, MEASURED[at]).forEach(filter::put);
        before = MEASURED[at];
        for (int rule = 0; rule < rules.size(); rule++) {
          filter.retune(rules.get(rule));
          for (long key = 0; key < QUERIES; key++) {
            stored[at][rule][seed] += filter.accepts(key) ? 1 : 0;
            absent[at][rule][seed] += filter.accepts(-1 - key) ? 1 : 0;
          }
        }
      }
    }
    for (int at = 0; at < MEASURED.length; at++) {
      for (int rule = 0; rule < rules.size(); rule++) {
        Answers answers =
            new Answers(
                new ClusteredRate(stored[at][rule], QUERIES),
                new ClusteredRate(absent[at][rule], QUERIES));
        // if all or none are accepted, an interval would say little
        if (answers.absent().rate() > 0.02 && answers.absent().rate() < 0.98) {
          curves.get(rule).measured(MEASURED[at], answers);
        }
      }
    }
  }

  /**
   * The cost of thresholds that follow in steps, compared with new ones for every number of keys.
   */
  private void steps(Map<Long, ThresholdPlan> followed) {
    double most = 0;
    for (Map.Entry<Long, ThresholdPlan> entry : followed.entrySet()) {
      double best = Figure4.plan(entry.getKey()).accuracy();
      most = Math.max(most, best - entry.getValue().accuracy());
    }
    number("steps/loss", "largest loss of accuracy due to the steps, 50 to 5000 keys")
        .formula(most);
    number("steps/least-tpr", "lowest TPR of the filter, 50 to 5000 keys")
        .formula(followed.values().stream().mapToDouble(ThresholdPlan::tpr).min().orElseThrow());
    number("steps/pairs", "different pairs of thresholds, 50 to 5000 keys")
        .formula(
            followed.values().stream()
                .map(plan -> List.of(plan.theta(), (long) plan.decision()))
                .distinct()
                .count());
    ThresholdPlan stays = Figure4.plan(2000);
    number("fixed/2000/at-1500", "TPR of the thresholds for 2000 keys at 1500")
        .formula(fixed(stays, 1500).tpr());
    number("fixed/2000/at-2500", "FPR of the thresholds for 2000 keys at 2500")
        .formula(fixed(stays, 2500).fpr());
  }
}
