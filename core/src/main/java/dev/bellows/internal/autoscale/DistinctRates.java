package dev.bellows.internal.autoscale;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import dev.bellows.internal.math.BloomRates;

/**
 * The rates of a plain filter in which every key sets {@code hashes} distinct bits, with which
 * autoscaling filters are compared (Autoscaling paper, Section 4.3).
 *
 * <p>If positions may coincide, the fraction of empty bits differs by a factor of about {@code
 * e^(-n k (k-1) / (2 m^2))}, which is not negligible for large k at any size (erratum <a
 * href="{@docRoot}/doc-files/errata.html#A2">A2</a>). {@link BloomRates#fppClassic} is the rate of
 * such a filter.
 */
public final class DistinctRates {
  private DistinctRates() {}

  /** Returns {@code (1 - k/m)^n}: the fraction of empty bits (Autoscaling paper, Eq. 9). */
  public static double emptyShare(long bits, int hashes, long keys) {
    return Math.exp(logEmptyShare(bits, hashes, keys));
  }

  /**
   * Returns {@code (1 - 1/m)^(kn)}: the fraction of empty bits if positions may coincide
   * (Autoscaling paper, Eq. 10).
   */
  public static double emptyShareWithReplacement(long bits, int hashes, long keys) {
    Checks.positive(bits, "bits");
    Checks.positive(hashes, "hashes");
    Checks.notNegative(keys, "keys");
    return keys == 0 ? 1 : Math.exp((double) hashes * keys * Precise.log1p(-1.0 / bits));
  }

  /** Returns {@code (1 - (1 - k/m)^n)^k}: the false positive rate. */
  public static double fpp(long bits, int hashes, long keys) {
    return Math.pow(-Precise.expm1(logEmptyShare(bits, hashes, keys)), hashes);
  }

  /**
   * Returns {@code max(1, floor((m/n) ln 2 + 1/2))}: the number of hashes of a filter that is
   * rebuilt for its keys (Autoscaling paper, Eq. 3; erratum <a
   * href="{@docRoot}/doc-files/errata.html#A9">A9</a>). {@link BloomRates#bestHashes} compares the
   * rates instead of rounding.
   */
  public static int roundedHashes(long bits, long keys) {
    double rounded = Math.floor(BloomRates.optimalHashes(bits, keys) + 0.5);
    return (int) Math.max(1, Math.min(Math.min(bits, Integer.MAX_VALUE), rounded));
  }

  /** Returns the number of hashes with the lowest rate for this many keys in this many bits. */
  public static int bestHashes(long bits, long keys) {
    Checks.positive(bits, "bits");
    Checks.positive(keys, "keys");
    int near = (int) Math.min(bits, BloomRates.bestHashes(bits, keys));
    int best = near;
    for (int hashes = Math.max(1, near - 1); hashes <= Math.min(bits, near + 1L); hashes++) {
      if (fpp(bits, hashes, keys) < fpp(bits, best, keys)) {
        best = hashes;
      }
    }
    return best;
  }

  /**
   * Returns {@code (1 - e)^k}: the fraction of accepted keys that stay accepted when a fraction of
   * the one bits is erased at random, as in a retouched filter (erratum <a
   * href="{@docRoot}/doc-files/errata.html#A10">A10</a>). This is the TPR of that filter; its FPR
   * is this times the original rate.
   */
  public static double survivalOfErasure(int hashes, double erasedShare) {
    Checks.positive(hashes, "hashes");
    if (!(erasedShare >= 0 && erasedShare <= 1)) {
      throw new IllegalArgumentException("erasedShare must be in [0, 1]: " + erasedShare);
    }
    return Math.exp(hashes * Precise.log1p(-erasedShare));
  }

  /**
   * Returns {@code C(Z-k, E) / C(Z, E)}: the same for exactly E erased bits of the Z ones of a
   * filter, without approximation.
   */
  public static double survivalOfErasure(long ones, int hashes, long erased) {
    Checks.positive(hashes, "hashes");
    Checks.atLeast(hashes, ones, "ones");
    Checks.inRange(0, ones, erased, "erased");
    if (erased > ones - hashes) {
      return 0;
    }
    // C(Z-k,E)/C(Z,E) = C(Z-E,k)/C(Z,k): the shorter of the two products
    double log = 0;
    long factors = Math.min(hashes, erased);
    long missing = Math.max(hashes, erased);
    for (long i = 0; i < factors; i++) {
      log += Precise.log1p(-(double) missing / (ones - i));
    }
    return Math.exp(log);
  }

  private static double logEmptyShare(long bits, int hashes, long keys) {
    ThresholdRates.check(bits, hashes, keys);
    return keys == 0 ? 0 : keys * Precise.log1p(-(double) hashes / bits);
  }
}
