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

  /** Returns {@code (1 - (1 - k/m)^n)^k}: the false positive rate. */
  public static double fpp(long bits, int hashes, long keys) {
    return Math.pow(-Precise.expm1(logEmptyShare(bits, hashes, keys)), hashes);
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

  private static double logEmptyShare(long bits, int hashes, long keys) {
    ThresholdRates.check(bits, hashes, keys);
    return keys == 0 ? 0 : keys * Precise.log1p(-(double) hashes / bits);
  }
}
