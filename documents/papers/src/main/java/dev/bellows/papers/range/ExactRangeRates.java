package dev.bellows.papers.range;

import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.range.HashOffset;
import dev.bellows.internal.range.RangeRates;
import dev.bellows.range.ProfilePlan;
import dev.bellows.range.ProfilePlan.AttributePlan;
import dev.bellows.range.RangePlan;
import java.util.function.LongFunction;

/**
 * The rates of the Range thesis without its approximations: what a simulation converges to.
 *
 * <p>{@link RangeRates} replaces the fill of a filter by its mean, {@code 1 - e^(-w/m)}, which is
 * too low for powers of the fill in filters of a few hundred bits (see errata C1 and R2), and it
 * ignores the ends of the domain (erratum R6). Here the ones of a filter have their true
 * distribution, and every start of the range counts with its own bits and with its actual
 * neighbors.
 */
final class ExactRangeRates {
  private ExactRangeRates() {}

  /** Returns the mean rate of an attribute alone in a filter, over every start of its range. */
  static double fpp(RangePlan plan) {
    return meanOverStarts(plan, bitsSet -> chances(plan.bits(), bitsSet, plan.hashes()));
  }

  /**
   * Returns the mean rate of a numeric attribute, counted from 0, in a filter of a whole profile.
   */
  static double attributeFpp(ProfilePlan plan, int attribute) {
    double[] others = insertionBits(plan, attribute);
    RangePlan own = alone(plan, attribute);
    return meanOverStarts(own, bitsSet -> chances(own.bits(), others, bitsSet, own.hashes()));
  }

  /** Returns the plan of a numeric attribute as if it were alone in its filter. */
  static RangePlan alone(ProfilePlan plan, int attribute) {
    AttributePlan own = plan.attributes().get(attribute);
    return new OneRange(
            plan.profile().bits(), own.hashes(), own.attribute().domain(), own.attribute().range())
        .shape(own.divide(), own.shift());
  }

  /**
   * Returns the rate averaged over every start in {@code [0, domain - range]}.
   *
   * @param chances the probability, for a number of insertion bits, that a number of new positions
   *     are all ones
   */
  static double meanOverStarts(RangePlan plan, LongFunction<double[]> chances) {
    long fewestBits = RangeCover.of(plan, 0).insertionBits();
    double[] fewest = chances.apply(fewestBits);
    double[] most = chances.apply(fewestBits + plan.shift());
    long outside = plan.domain() - plan.range();
    double sum = 0;
    for (long start = 0; start <= outside; start++) {
      RangeCover cover = RangeCover.of(plan, start);
      double[] chance = cover.insertionBits() == fewestBits ? fewest : most;
      sum +=
          accepted(plan, start, cover.leftErrors(), chance)
              + accepted(plan, outside - start, cover.rightErrors(), chance);
    }
    return sum / (outside + 1) / outside;
  }

  /**
   * Returns the expected count of accepted numbers among the {@code outside} ones on one side of a
   * range.
   */
  private static double accepted(RangePlan plan, long outside, long errors, double[] chance) {
    long sum = Math.min(outside, errors);
    long left = outside - sum;
    double neighbours = 0;
    for (int i = 1; i <= HashOffset.reach(plan.hashes(), plan.shift()) && left > 0; i++) {
      long near = Math.min(left, plan.divide());
      neighbours += near * chance[i * plan.shift()];
      left -= near;
    }
    return sum + neighbours + left * chance[plan.hashes()];
  }

  /** Returns the mean rate of a string in a filter of a whole profile. */
  static double stringFpp(ProfilePlan plan) {
    double[] all = insertionBits(plan, -1);
    return chances(plan.profile().bits(), all, 0, plan.hashes())[plan.hashes()];
  }

  /** Returns the distribution of the bits that a profile inserts, all attributes but one. */
  private static double[] insertionBits(ProfilePlan plan, int without) {
    double[] distribution = new double[plan.profile().strings() * plan.hashes() + 1];
    distribution[distribution.length - 1] = 1;
    for (int i = 0; i < plan.attributes().size(); i++) {
      if (i != without) {
        distribution = sum(distribution, insertionBits(alone(plan, i)));
      }
    }
    return distribution;
  }

  private static double[] insertionBits(RangePlan plan) {
    long starts = plan.domain() - plan.range() + 1;
    long divide = plan.divide();
    int fewest = Math.toIntExact(RangeCover.of(plan, 0).insertionBits());
    double[] distribution = new double[fewest + plan.shift() + 1];
    for (long phase = 0; phase < Math.min(divide, starts); phase++) {
      int bits = (int) RangeCover.of(plan, phase).insertionBits();
      distribution[bits] += (double) ((starts - 1 - phase) / divide + 1) / starts;
    }
    return distribution;
  }

  private static double[] sum(double[] one, double[] other) {
    double[] sum = new double[one.length + other.length - 1];
    for (int i = 0; i < one.length; i++) {
      for (int j = 0; j < other.length; j++) {
        sum[i + j] += one[i] * other[j];
      }
    }
    return sum;
  }

  /** Returns the mean of the chances over the bits that others set. */
  private static double[] chances(long bits, double[] others, long own, int hashes) {
    double[] mean = new double[hashes + 1];
    for (int other = 0; other < others.length; other++) {
      if (others[other] > 0) {
        double[] chances = chances(bits, own + other, hashes);
        for (int i = 0; i <= hashes; i++) {
          mean[i] += others[other] * chances[i];
        }
      }
    }
    return mean;
  }

  /** Returns {@code E[(X/m)^i]} for i up to hashes, X the ones after this many insertions. */
  private static double[] chances(long bits, long insertions, int hashes) {
    if (!BloomRates.exactIsCheap(bits, insertions)) {
      throw new IllegalArgumentException(
          ("%d insertions into %d bits are too many for exact rates: use "
                  + "RangeRates, which agrees there")
              .formatted(insertions, bits));
    }
    double[] ones = BloomRates.onesAfter(bits, insertions);
    double[] chances = new double[hashes + 1];
    for (int x = 0; x < ones.length; x++) {
      double power = ones[x];
      for (int i = 0; i <= hashes; i++) {
        chances[i] += power;
        power *= x / (double) bits;
      }
    }
    return chances;
  }
}
