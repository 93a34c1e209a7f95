package dev.bellows.internal.autoscale;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Binomial;
import dev.bellows.internal.math.Hypergeometric;

/**
 * The rates of one concrete autoscaling filter, given its counters (erratum A11).
 *
 * <p>The rates of filters of the same shape and load vary a lot: at m = 10000, k = 100, n = 500 the
 * FPR of a plain reading has a standard deviation of 0.04 between filters. Predictions for a
 * concrete filter are therefore computed from its counters.
 */
public final class ObservedRates {
  private ObservedRates() {}

  /**
   * Returns the FPR: {@code hashes} positions drawn without repetition from all, of which {@code
   * ones} exceed theta, hit at least {@code decision} times. Exact for uniform positions.
   */
  public static double fpr(long bits, int hashes, long ones, int decision) {
    ThresholdRates.check(bits, hashes, 0);
    Checks.inRange(0, bits, ones, "ones");
    Checks.inRange(0, hashes, decision, "decision");
    return new Hypergeometric(bits, ones, hashes).atLeast(decision);
  }

  /**
   * Returns the TPR from the mean share of hits of a stored key: the share of all increments that
   * went to counters above theta, because a counter counts its keys. The number of hits of a stored
   * key has exactly this mean, and approximately the shape of a draw without repetition.
   *
   * <p>A stored key's positions are a uniform draw from all m, and one of them hits when the
   * <em>other</em> keys left at least theta there. Given the counters of the others the number of
   * hits is hypergeometric. How many positions the others leave at theta or more differs a little
   * from key to key and cannot be read from the counters; the approximation uses its mean, m times
   * the share, and interpolates between whole numbers. Theta 0 is exact.
   *
   * @param storedHit the share, or NaN if nothing is stored; so is the rate then
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
   * Returns the FPR where positions may coincide: the probes of an absent key are independent draws
   * from all counters, so that its hits are binomial. Exact for uniform positions.
   */
  public static double fprRepeated(long bits, int hashes, long ones, int decision) {
    Checks.inRange(0, bits, ones, "ones");
    Checks.inRange(0, hashes, decision, "decision");
    double hit = (double) ones / bits;
    double miss = (double) (bits - ones) / bits;
    return Binomial.of(hashes, hit, miss).atLeast(decision);
  }

  /**
   * Returns the TPR where positions may coincide, from the mean share of hits of a stored key,
   * which is the share of all increments that went to counters above theta. The mean is exact; the
   * probes of one key are taken as independent.
   *
   * @param storedHit the share, or NaN if nothing is stored; so is the rate then
   */
  public static double tprRepeated(int hashes, double storedHit, int decision) {
    Checks.inRange(0, hashes, decision, "decision");
    return Double.isNaN(storedHit)
        ? storedHit
        : Binomial.of(hashes, storedHit, 1 - storedHit).atLeast(decision);
  }
}
