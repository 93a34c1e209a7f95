package dev.bellows.internal.autoscale;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Binomial;

/**
 * The rates of one particular autoscaling filter, given its counters (erratum <a
 * href="{@docRoot}/doc-files/errata.html#A11">A11</a>).
 *
 * <p>The rates of filters of the same shape and load vary a lot: at m = 10000, k = 100, n = 500 the
 * FPR at theta 0 has a standard deviation of 0.04 between filters. Predictions for a particular
 * filter are therefore computed from its counters.
 */
public final class ObservedRates {
  private ObservedRates() {}

  /**
   * Returns the FPR: the probability that at least {@code decision} of {@code hashes} positions,
   * drawn without replacement, are among the {@code ones} that exceed theta. Exact for uniform
   * positions.
   */
  public static double fpr(long bits, int hashes, long ones, int decision) {
    ThresholdRates.check(bits, hashes, 0);
    Checks.inRange(0, bits, ones, "ones");
    Checks.inRange(0, hashes, decision, "decision");
    return new Hypergeometric(bits, ones, hashes).atLeast(decision);
  }

  /**
   * Returns the TPR from the average fraction of positions of a stored key that hit. Because a
   * counter counts its keys, this is the fraction of all increments that went to counters above
   * theta. The number of hits of a stored key has exactly this mean, and approximately the
   * distribution of a draw without replacement.
   *
   * <p>The positions of a stored key are a uniform draw from all m, and one of them hits if the
   * counter is at least theta <em>without</em> that key. Given the counters without the key, the
   * number of hits is hypergeometric. How many positions have such a counter differs slightly from
   * key to key and does not follow from the counters; the approximation uses its mean, m times the
   * fraction, and interpolates between integers. For theta 0 the result is exact.
   *
   * @param storedHit the fraction, or NaN if nothing is stored; the result is then NaN too
   */
  public static double tpr(long bits, int hashes, double storedHit, int decision) {
    ThresholdRates.check(bits, hashes, 0);
    Checks.inRange(0, hashes, decision, "decision");
    if (Double.isNaN(storedHit)) {
      return storedHit;
    }
    double marked = bits * storedHit;
    long floor = Math.min(bits, (long) marked);
    double part = marked - floor;
    double low = new Hypergeometric(bits, floor, hashes).atLeast(decision);
    if (floor == bits) {
      return low;
    }
    double high = new Hypergeometric(bits, floor + 1, hashes).atLeast(decision);
    return (1 - part) * low + part * high;
  }

  /**
   * Returns the FPR if positions may coincide: the probes of an absent key are independent draws
   * from all counters, so its number of hits is binomial. Exact for uniform positions.
   */
  public static double fprRepeated(long bits, int hashes, long ones, int decision) {
    Checks.inRange(0, bits, ones, "ones");
    Checks.inRange(0, hashes, decision, "decision");
    double hit = (double) ones / bits;
    double miss = (double) (bits - ones) / bits;
    return Binomial.of(hashes, hit, miss).atLeast(decision);
  }

  /**
   * Returns the TPR if positions may coincide, from the average fraction of probes of a stored key
   * that hit, which is the fraction of all increments that went to counters above theta. The mean
   * is exact; the probes of a key are assumed to be independent.
   *
   * @param storedHit the fraction, or NaN if nothing is stored; the result is then NaN too
   */
  public static double tprRepeated(int hashes, double storedHit, int decision) {
    Checks.inRange(0, hashes, decision, "decision");
    return Double.isNaN(storedHit)
        ? storedHit
        : Binomial.of(hashes, storedHit, 1 - storedHit).atLeast(decision);
  }
}
