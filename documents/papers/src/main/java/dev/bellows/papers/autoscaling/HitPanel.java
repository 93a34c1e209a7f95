package dev.bellows.papers.autoscaling;

import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.papers.draw.Svg;
import java.util.Arrays;
import java.util.Locale;

/**
 * One panel of Figure 2 of the Autoscaling paper: how many positions of a stored and of an absent
 * key hit.
 *
 * @param plan the thresholds and their rates
 * @param stored how many stored keys had 0, 1, 2, ... hits in real filters
 * @param absent how many absent keys had
 */
record HitPanel(ThresholdPlan plan, long[] stored, long[] absent) {
  private static final int FIRST = 20;
  private static final double WIDTH = 318;
  private static final double HEIGHT = 132;

  /** Returns the probability of this many hits: the difference of two tails. */
  double probability(int hits, boolean ofStored) {
    double above = hits == plan.hashes() ? 0 : tail(hits + 1, ofStored);
    return Math.max(0, tail(hits, ofStored) - above);
  }

  private double tail(int hits, boolean ofStored) {
    ThresholdPlan.Rates rates =
        ThresholdPlan.rates(plan.bits(), plan.hashes(), plan.keys(), plan.theta(), hits);
    return ofStored ? rates.tpr() : rates.fpr();
  }

  /** Returns the share of keys with this many hits in real filters. */
  double measured(int hits, boolean ofStored) {
    long[] tally = ofStored ? stored : absent;
    return (double) tally[hits] / Arrays.stream(tally).sum();
  }

  /** Draws it with its upper left corner at a place. */
  void draw(Svg svg, double left, double top) {
    double bottom = top + 46 + HEIGHT;
    double highest = 0;
    for (int hits = FIRST; hits <= plan.hashes(); hits++) {
      highest = Math.max(highest, Math.max(probability(hits, true), probability(hits, false)));
    }
    String heading = "theta = %d, T = %d".formatted(plan.theta(), plan.decision());
    svg.text(left, top + 14, heading, "start", 16, "");
    String rates =
        String.format(
            Locale.ROOT, "TPR %.3f · FPR %.3f · ACC %.3f", plan.tpr(), plan.fpr(), plan.accuracy());
    svg.text(left, top + 34, rates, "start", 15, "soft");
    for (int tick = FIRST; tick <= plan.hashes(); tick += 20) {
      svg.line(x(tick, left), bottom - HEIGHT, x(tick, left), bottom, "grid");
      svg.text(x(tick, left), bottom + 18, Integer.toString(tick), "middle", 15, "");
    }
    svg.line(left, bottom, left + WIDTH, bottom, "axis");
    double at = x(plan.decision() - 0.5, left);
    svg.dashed("M%s %s V%s".formatted(Svg.n(at), Svg.n(bottom - HEIGHT), Svg.n(bottom)), "ink");
    curve(svg, left, bottom, highest, false);
    curve(svg, left, bottom, highest, true);
  }

  private void curve(Svg svg, double left, double bottom, double highest, boolean ofStored) {
    StringBuilder path = new StringBuilder();
    String colour = ofStored ? "0" : "1";
    for (int hits = FIRST; hits <= plan.hashes(); hits++) {
      double y = bottom - probability(hits, ofStored) / highest * HEIGHT;
      path.append(hits == FIRST ? "M" : " L").append(Svg.n(x(hits, left))).append(' ');
      path.append(Svg.n(y));
    }
    String end = " L%s %s L%s %s Z";
    String base = Svg.n(bottom);
    svg.path(
        path + end.formatted(Svg.n(x(plan.hashes(), left)), base, Svg.n(x(FIRST, left)), base),
        "t" + colour);
    svg.path(path.toString(), "line l" + colour);
    for (int hits = FIRST; hits <= plan.hashes(); hits++) {
      double share = measured(hits, ofStored);
      if (share > 0.002 * highest) {
        double y = Math.max(bottom - HEIGHT - 4, bottom - share / highest * HEIGHT);
        svg.circle(x(hits, left), y, 2.4, "f" + colour);
      }
    }
  }

  private double x(double hits, double left) {
    return left + (hits - FIRST) / (plan.hashes() - FIRST) * WIDTH;
  }
}
