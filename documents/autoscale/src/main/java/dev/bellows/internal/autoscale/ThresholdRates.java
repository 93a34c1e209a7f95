package dev.bellows.internal.autoscale;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Binomial;

/**
 * The rates of an autoscaling filter with the thresholds {@code theta} and {@code decision}
 * (Autoscaling paper, Sections 3.3 to 3.6).
 *
 * <p>Every key increments {@code hashes} distinct counters out of {@code bits} once (erratum <a
 * href="{@docRoot}/doc-files/errata.html#A1">A1</a>). A counter then holds Bin(n, k/m); a counter
 * that belongs to a stored key holds 1 + Bin(n-1, k/m). A position <em>hits</em> when its counter
 * exceeds theta; a key is accepted when at least {@code decision} of its positions hit. With p =
 * k/m and q = 1 - p, everything follows from the counter B ~ Bin(n-1, p) of the other keys (erratum
 * <a href="{@docRoot}/doc-files/errata.html#A4">A4</a>):
 *
 * <pre>  stored hit  px = Pr(B >= theta)
 *  absent hit  py = Pr(B >= theta + 1) + p Pr(B = theta)
 *  px - py        = q Pr(B = theta)</pre>
 *
 * <p>The model treats the positions of a key as independent: TPR = Pr(Bin(k, px) >= decision). They
 * are actually drawn without replacement, so the true variance is smaller by a factor of about
 * (m-k)/(m-1). As long as k/m is below 0.1, the rates agree to better than 0.01 (erratum <a
 * href="{@docRoot}/doc-files/errata.html#A11">A11</a>). {@link ObservedRates} has the rates of one
 * particular filter.
 *
 * <p>If no key is stored, the rates of stored keys are NaN. If k = m, all counters are equal and
 * the filter carries no information.
 */
public final class ThresholdRates {
  private ThresholdRates() {}

  /** Hit and miss probabilities of a stored and of an absent key, and px - py. */
  public record Hits(
      double stored, double storedMiss, double absent, double absentMiss, double gap) {
    /**
     * Returns the probabilities from those of the counter of the other keys: below theta, at theta
     * and above it. Where the complement of a probability is the smaller of the two, the
     * probability is computed as one minus its complement.
     */
    public static Hits of(double below, double at, double above, double share, double rest) {
      double stored = at + above;
      double absent = above + share * at;
      double absentMiss = below + rest * at;
      return new Hits(
          below < stored ? 1 - below : stored,
          stored < below ? 1 - stored : below,
          absentMiss < absent ? 1 - absentMiss : absent,
          absent < absentMiss ? 1 - absent : absentMiss,
          rest * at);
    }
  }

  /**
   * Returns the hit and miss probabilities at theta (Autoscaling paper, Eq. 13 to 18; erratum <a
   * href="{@docRoot}/doc-files/errata.html#A4">A4</a>).
   */
  public static Hits hits(long bits, int hashes, long keys, long theta) {
    check(bits, hashes, keys);
    Checks.notNegative(theta, "theta");
    if (keys == 0) {
      return new Hits(Double.NaN, Double.NaN, 0, 1, Double.NaN);
    }
    Binomial others = Binomial.ofRatio(keys - 1, hashes, bits);
    return Hits.of(
        others.atMost(theta - 1),
        others.probability(theta),
        theta == Long.MAX_VALUE ? 0 : others.atLeast(theta + 1),
        (double) hashes / bits,
        (double) (bits - hashes) / bits);
  }

  /** Throws if no filter with distinct positions has this shape and load. */
  public static void check(long bits, int hashes, long keys) {
    Checks.positive(bits, "bits");
    Checks.positive(hashes, "hashes");
    if (hashes > bits) {
      throw new IllegalArgumentException(
          hashes
              + " hashes need as many distinct positions, but there are only "
              + bits
              + " bits: use fewer hashes or more bits");
    }
    Checks.notNegative(keys, "keys");
  }
}
