package dev.bellows.papers.autoscaling;

import static dev.bellows.papers.autoscaling.Setting.BITS;
import static dev.bellows.papers.autoscaling.Setting.HASHES;
import static dev.bellows.papers.autoscaling.Setting.KEYS;

import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.papers.Item;
import dev.bellows.papers.Result;
import dev.bellows.papers.autoscaling.Answers.Rate;
import dev.bellows.papers.draw.Svg;
import java.util.Map;

/**
 * How the hits of stored and absent keys separate as theta rises, with the best T of each theta.
 */
public final class Figure2 extends Item {
  static final double LEAST_TPR = 0.97;
  private static final int THETAS = 6;
  private static final int FILTERS = 120;
  private static final int QUERIES = 250;

  /** The rates that the text gives, by theta. */
  private static final Map<Integer, Map<Rate, String>> PRINTED =
      Map.of(
          0, Map.of(Rate.TPR, "1", Rate.FPR, "0.52"),
          1, Map.of(Rate.TPR, "0.97", Rate.FPR, "0.24"),
          4, Map.of(Rate.TPR, "0.98", Rate.FPR, "0.04", Rate.ACC, "0.97"));

  Figure2() {
    super(
        "004/figure-2",
        "Figure 2: hits of stored and absent keys for theta = 0 to 5",
        """
        How many of their 100 positions hit, for stored keys (X) and absent keys (Y), at n = 500
        keys in m = 10,000 counters, with the best T that keeps a TPR of 0.97. The curves are Eq. 19
        and Eq. 20, the dots are real filters, each with its own hash functions. All rates of the
        text are confirmed, and theta = 4 is the best of the six. The gain over the standard filter
        is 30.4 %; the text's 31 % comes from rounded numbers (A8). Filters differ a lot from each
        other at theta = 0, so the intervals are over filters, not over answers (A11).\
        """);
  }

  /** Returns the best thresholds at a theta. */
  static ThresholdPlan plan(long theta, double leastTpr) {
    return ThresholdPlan.forTheta(BITS, HASHES, KEYS, theta, Criterion.accuracy(), leastTpr);
  }

  @Override
  protected void fill() {
    columns("theta, T, hits, stored, storedMeasured, absent, absentMeasured");
    Svg svg = Svg.of(760, 718, "Hits of stored and absent keys for theta 0 to 5");
    svg.text(40, 30, "Hits of 100 positions, n = 500 keys, m = 10,000 counters", "start", 20, "");
    legend(svg);
    for (int theta = 0; theta < THETAS; theta++) {
      ThresholdPlan plan = plan(theta, LEAST_TPR);
      long[] stored = new long[HASHES + 1];
      long[] absent = new long[HASHES + 1];
      Answers answers =
          Answers.of(
              FILTERS,
              QUERIES,
              seed -> {
                AutoscalingBloomFilter filter = Setting.filled(seed, plan);
                return key -> {
                  int hits = (int) filter.evidence(key);
                  (key < 0 ? absent : stored)[hits]++;
                  return hits >= plan.decision();
                };
              });
      results(plan, answers);
      HitPanel panel = new HitPanel(plan, stored, absent);
      panel.draw(svg, theta % 2 == 0 ? 40 : 404, 84 + theta / 2 * 212);
      for (int hits = 0; hits <= HASHES; hits++) {
        row(
            theta,
            plan.decision(),
            hits,
            panel.probability(hits, true),
            panel.measured(hits, true),
            panel.probability(hits, false),
            panel.measured(hits, false));
      }
    }
    claims();
    picture(
        "Six panels: the distributions of hits separate as theta rises, with T between them",
        svg.toString());
  }

  private void results(ThresholdPlan plan, Answers answers) {
    long theta = plan.theta();
    String at = "theta=" + theta;
    number(at + "/T", "best T with a TPR of at least 0.97").formula(plan.decision());
    Map<Rate, Result.Builder> numbers = answers.compare(this::number, at + "/", "", plan.rates());
    PRINTED
        .getOrDefault((int) theta, Map.of())
        .forEach((rate, digits) -> numbers.get(rate).printed(digits));
  }

  private void claims() {
    double standard = plan(0, LEAST_TPR).accuracy();
    double gain = plan(1, LEAST_TPR).accuracy() - standard;
    long best = ThresholdPlan.tune(BITS, HASHES, KEYS, Criterion.accuracy(), LEAST_TPR).theta();
    double relative = plan(best, LEAST_TPR).accuracy() / standard - 1;
    number("gain-at-1", "ACC gained from theta = 0 to 1").printed("0.13").formula(gain);
    number("best-theta", "the best theta").printed("4").formula(best);
    number("gain-at-4", "ACC gained from theta = 0 to 4, as a share")
        .printed(0.31, 0.005)
        .formula(relative)
        .erratum("A8");
  }

  private static void legend(Svg svg) {
    String[] names = {"stored keys, X", "absent keys, Y"};
    double at = 40;
    for (int i = 0; i < names.length; i++) {
      svg.line(at, 56, at + 26, 56, "line l" + i).circle(at + 13, 56, 3.5, "f" + i);
      svg.text(at + 34, 61, names[i], "");
      at += 174;
    }
    svg.dashed("M%s 48 V64".formatted(Svg.n(at)), "ink");
    svg.text(at + 12, 61, "T · curve: model, dots: real filters", "");
  }
}
