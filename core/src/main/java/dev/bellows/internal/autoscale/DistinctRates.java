package dev.bellows.internal.autoscale;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import dev.bellows.internal.math.BloomRates;

/**
 * The rates of a plain filter whose keys set {@code hashes} distinct bits each: what an autoscaling
 * filter is compared with (004, 4.3).
 *
 * <p>The rate with distinct positions differs from the rate of positions that may coincide by a
 * factor near {@code e^(-n k (k-1) / (2 m^2))} in the share of empty bits, which no size makes
 * negligible for large k (erratum A2). {@link BloomRates#fppClassic} is the rate of the latter.
 */
public final class DistinctRates {
  private DistinctRates() {}

  /** Returns {@code (1 - k/m)^n}: the share of empty bits (Autoscaling paper, Eq. 9). */
  public static double emptyShare(long bits, int hashes, long keys) {
    return Math.exp(logEmptyShare(bits, hashes, keys));
  }

  /**
   * Returns {@code (1 - 1/m)^(kn)}: the share of empty bits when positions may coincide
   * (Autoscaling paper, Eq. 10).
   */
  public static double emptyShareWithReplacement(long bits, int hashes, long keys) {
    Checks.positive(bits, "bits");
    Checks.positive(hashes, "hashes");
    Checks.notNegative(keys, "keys");
    return keys == 0 ? 1 : Math.exp((double) hashes * keys * Precise.log1p(-1.0 / bits));
  }

  /** Returns {@code (1 - (1 - k/m)^n)^k}: the rate of the present filter. */
  public static double fpp(long bits, int hashes, long keys) {
    return Math.pow(-Precise.expm1(logEmptyShare(bits, hashes, keys)), hashes);
  }

  /**
   * Returns {@code max(1, floor((m/n) ln 2 + 1/2))}: the hashes of a filter rebuilt for its keys
   * (Autoscaling paper, Eq. 3; erratum A9). {@link BloomRates#bestHashes} compares the rates
   * instead of rounding.
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
   * Returns {@code (1 - e)^k}: the share of accepted keys that stay accepted when a share of the
   * one bits is erased at random, the retouched filter (erratum A10). Its TPR is this, its FPR this
   * times the rate before.
   */
  public static double survivalOfErasure(int hashes, double erasedShare) {
    Checks.positive(hashes, "hashes");
    if (!(erasedShare >= 0 && erasedShare <= 1)) {
      throw new IllegalArgumentException("erasedShare must be in [0, 1]: " + erasedShare);
    }
    return Math.exp(hashes * Precise.log1p(-erasedShare));
  }

  /**
   * Returns {@code C(Z-k, E) / C(Z, E)}: the same for E bits erased of the Z ones of one concrete
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
