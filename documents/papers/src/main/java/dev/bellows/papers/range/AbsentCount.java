package dev.bellows.papers.range;

import dev.bellows.internal.range.HashOffset;
import dev.bellows.papers.ClusterCount;
import dev.bellows.papers.Measured;
import dev.bellows.range.RangePlan;
import java.util.SplittableRandom;
import java.util.function.LongPredicate;

/**
 * How many numbers outside of a range pass, counted over independent filters.
 *
 * <p>Near numbers share positions with the range. They are few, they account for most of the rate,
 * and the numbers of one division pass or fail together: so each near division is queried once and
 * counts for all its numbers. Far numbers are sampled. The near count of a filter is one bounded
 * observation, whose mean lies in the interval of the empirical Bernstein inequality (Maurer and
 * Pontil 2009); the far hits of a filter are a cluster.
 */
final class AbsentCount {
  private final RangePlan plan;
  private final int reach;
  private final int lots;
  private long filters;
  private double near;
  private double nearSquares;
  private final ClusterCount far = new ClusterCount();

  /**
   * @param plan the shape of the attribute; its domain begins at 0
   * @param lots how many numbers are drawn from all outside for each filter
   */
  AbsentCount(RangePlan plan, int lots) {
    this.plan = plan;
    this.reach = HashOffset.reach(plan.hashes(), plan.shift());
    this.lots = lots;
  }

  /** Queries a filter that contains the range from start on. */
  void query(LongPredicate filter, long start, SplittableRandom random) {
    RangeCover cover = RangeCover.of(plan, start);
    long end = start + plan.range();
    long nearStart = Math.max(0, (cover.firstDivision() - reach) * plan.divide());
    long nearEnd = Math.min(plan.domain(), (cover.lastDivision() + reach + 1) * plan.divide());
    double passing = passing(filter, nearStart, start) + passing(filter, end, nearEnd);
    filters++;
    near += passing;
    nearSquares += passing * passing;
    int farHits = 0;
    for (int i = 0; i < lots; i++) {
      long number = absent(plan, start, random);
      if ((number < nearStart || number >= nearEnd) && filter.test(number)) {
        farHits++;
      }
    }
    far.add(farHits, lots);
  }

  /**
   * Returns the maximum number of queried numbers of one filter that pass together with a hit,
   * itself included: those that share a position with it.
   */
  static double designEffect(RangePlan plan, int lots) {
    double related = (2 * HashOffset.reach(plan.hashes(), plan.shift()) + 1.0) * plan.divide();
    return 1 + (lots - 1) * Math.min(1, related / (plan.domain() - plan.range()));
  }

  /** Returns a number outside of the range from start on, each as likely as any other. */
  static long absent(RangePlan plan, long start, SplittableRandom random) {
    long number = random.nextLong(plan.domain() - plan.range());
    return number < start ? number : number + plan.range();
  }

  private double passing(LongPredicate filter, long from, long to) {
    long sum = 0;
    long number = from;
    while (number < to) {
      long next = Math.min(to, (number / plan.divide() + 1) * plan.divide());
      sum += filter.test(number) ? next - number : 0;
      number = next;
    }
    return sum;
  }

  /** Returns the rate and the interval that holds the true one with chance 1 - alpha. */
  Measured result(double alpha) {
    double outside = plan.domain() - plan.range();
    double mean = near / filters;
    double half = bernstein(mean, alpha / 2);
    Measured others = far.result(designEffect(plan, lots), alpha / 2);
    return new Measured(
        mean / outside + others.value(),
        Math.max(0, mean - half) / outside + others.low(),
        (mean + half) / outside + others.high(),
        alpha);
  }

  private double bernstein(double mean, double alpha) {
    double bound = 2.0 * (reach + 1) * plan.divide() - 2;
    double variance = Math.max(0, (nearSquares - filters * mean * mean) / (filters - 1));
    double log = Math.log(4 / alpha);
    return Math.sqrt(2 * variance * log / filters) + 7 * bound * log / (3.0 * (filters - 1));
  }
}
