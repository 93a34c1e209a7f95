package dev.bellows.papers.range;

import dev.bellows.internal.base.Checks;
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
    return fpp(
        plan.bits(), plan.hashes(), plan.domain(), plan.range(), plan.divide(), plan.shift());
  }

  /** Returns the same by the numbers of a plan. */
  static double fpp(long bits, int hashes, long domain, long range, long divide, int shift) {
    Checks.positive(bits, "bits");
    return meanOverStarts(
        hashes, domain, range, divide, shift, bitsSet -> chances(bits, bitsSet, hashes));
  }

  /**
   * Returns the mean rate of a numeric attribute, counted from 0, in a filter of a whole profile.
   */
  static double attributeFpp(ProfilePlan plan, int attribute) {
    AttributePlan own = plan.attributes().get(attribute);
    double[] others = insertionBits(plan, attribute);
    return meanOverStarts(
        own.hashes(),
        own.attribute().domain(),
        own.attribute().range(),
        own.divide(),
        own.shift(),
        bitsSet -> chances(plan.profile().bits(), others, bitsSet, own.hashes()));
  }

  /**
   * Returns the rate averaged over every start in {@code [0, domain - range]}.
   *
   * @param chances the probability, for a number of insertion bits, that a number of new positions
   *     are all ones
   */
  static double meanOverStarts(
      int hashes, long domain, long range, long divide, int shift, LongFunction<double[]> chances) {
    long fewestBits = RangeCover.of(0, range, divide, shift, hashes).insertionBits();
    double[] fewest = chances.apply(fewestBits);
    double[] most = chances.apply(fewestBits + shift);
    double sum = 0;
    for (long start = 0; start <= domain - range; start++) {
      RangeCover cover = RangeCover.of(start, range, divide, shift, hashes);
      double[] chance = cover.insertionBits() == fewestBits ? fewest : most;
      long right = domain - start - range;
      sum +=
          accepted(start, cover.leftErrors(), hashes, divide, shift, chance)
              + accepted(right, cover.rightErrors(), hashes, divide, shift, chance);
    }
    return sum / (domain - range + 1) / (domain - range);
  }

  /**
   * Returns the expected count of accepted numbers among the {@code outside} ones on one side of a
   * range.
   */
  private static double accepted(
      long outside, long errors, int hashes, long divide, int shift, double[] chance) {
    long sum = Math.min(outside, errors);
    long left = outside - sum;
    double neighbours = 0;
    for (int i = 1; i <= HashOffset.reach(hashes, shift) && left > 0; i++) {
      long near = Math.min(left, divide);
      neighbours += near * chance[i * shift];
      left -= near;
    }
    return sum + neighbours + left * chance[hashes];
  }

  /** Returns the mean rate of a string in a filter of a whole profile. */
  static double stringFpp(ProfilePlan plan) {
    double[] all = insertionBits(plan, -1);
    return chances(plan.profile().bits(), all, 0, plan.hashes())[plan.hashes()];
  }

  /** Returns the distribution of the bits that a profile inserts, all attributes but one. */
  private static double[] insertionBits(ProfilePlan plan, int without) {
    if (plan.scheme() == RangePlan.Scheme.DYADIC) {
      throw new IllegalArgumentException(
          "a plan of scheme %s has no exact rates here: take one of scheme %s"
              .formatted(plan.scheme().word(), RangePlan.Scheme.DIVISION_OVERLAPPING.word()));
    }
    double[] distribution = new double[plan.profile().strings() * plan.hashes() + 1];
    distribution[distribution.length - 1] = 1;
    for (int i = 0; i < plan.attributes().size(); i++) {
      if (i != without) {
        distribution = sum(distribution, insertionBits(plan.attributes().get(i)));
      }
    }
    return distribution;
  }

  private static double[] insertionBits(AttributePlan plan) {
    long range = plan.attribute().range();
    long starts = plan.attribute().domain() - range + 1;
    long divide = plan.divide();
    int fewest = Math.toIntExact(cover(plan, 0).insertionBits());
    double[] distribution = new double[fewest + plan.shift() + 1];
    for (long phase = 0; phase < Math.min(divide, starts); phase++) {
      int bits = (int) cover(plan, phase).insertionBits();
      distribution[bits] += (double) ((starts - 1 - phase) / divide + 1) / starts;
    }
    return distribution;
  }

  private static RangeCover cover(AttributePlan plan, long start) {
    return RangeCover.of(
        start, plan.attribute().range(), plan.divide(), plan.shift(), plan.hashes());
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
