package dev.bellows.internal.math;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;

/**
 * The false positive rates of a CLASSIC filter and their inverses (Standard notes; Folding paper,
 * Eq. 1 with the outer power of erratum <a href="{@docRoot}/doc-files/errata.html#F1">F1</a>).
 *
 * <p>There are three rates, in ascending order: {@link #fpp} (exponential form), {@link
 * #fppClassic} (power form) and {@link #fppExact}. The first two treat the probed bits as
 * independent; the third does not (erratum <a href="{@docRoot}/doc-files/errata.html#C1">C1</a>).
 * All are evaluated with {@code expm1} and {@code log1p}, because the textbook forms lose every
 * digit for large filters with few keys.
 */
public final class BloomRates {
  private static final double LN2 = Math.log(2);

  /**
   * The limit on bits times throws above which the exact rate takes too long to compute, and is
   * nearly equal to the others.
   */
  private static final double EXACT_WORK_LIMIT = 1e9;

  /** Smaller probabilities do not change any rate. */
  private static final double NEGLIGIBLE = 1e-290;

  private BloomRates() {}

  /** Returns {@code (1 - e^(-kn/m))^k}, the rate that all plans use. */
  public static double fpp(long bits, long keys, int hashes) {
    check(bits, keys, hashes);
    return Math.pow(-Precise.expm1(-(double) hashes * keys / bits), hashes);
  }

  /** Returns {@code (1 - (1 - 1/m)^(kn))^k} (Folding paper, Eq. 1). */
  public static double fppClassic(long bits, long keys, int hashes) {
    check(bits, keys, hashes);
    if (keys == 0) {
      return 0;
    }
    return bits == 1
        ? 1
        : Math.pow(-Precise.expm1((double) hashes * keys * Precise.log1p(-1.0 / bits)), hashes);
  }

  /**
   * Returns by how much the rate of double hashing may exceed {@code fill^k}, averaged over hash
   * functions. Its probes are an arithmetic progression {@code a + ib mod m}, which has two flaws
   * at small sizes:
   *
   * <ul>
   *   <li>A step b may return to the start after d probes, so that only d bits are tested instead
   *       of k. At most d of the m steps do. {@code SUM over d of d/m * fill^d = fill / (1 -
   *       fill)^2 / m}
   *   <li>A progression may coincide with that of a stored key, forwards or backwards, shifted by
   *       j, so that only j other bits are tested. {@code 2n/m^2 * (1 + 2 * SUM over j of fill^j)},
   *       where n follows from the fill
   * </ul>
   */
  public static double doubleHashingExcess(long bits, double fill, int hashes) {
    Checks.positive(bits, "bits");
    Checks.positive(hashes, "hashes");
    if (fill >= 1) {
      return 1;
    }
    double returning = fill / ((1 - fill) * (1 - fill));
    double alongside = -2 * Precise.log1p(-fill) / hashes * (1 + fill) / (1 - fill);
    return Math.min(1, (returning + alongside) / bits);
  }

  /**
   * Returns {@code E[(X/m)^k]}, where X is the number of one bits after {@code kn} independent
   * throws, or NaN if {@code m * k * n} is so large that the result would agree with {@link
   * #fppClassic} anyway.
   *
   * <p>It is the probability that the throws set every position of an absent key. The computation
   * therefore tracks only how many of its at most k positions are still zero, one throw at a time.
   * Every term is positive, so no precision is lost.
   */
  public static double fppExact(long bits, long keys, int hashes) {
    check(bits, keys, hashes);
    if (!exactIsCheap(bits, (double) hashes * keys)) {
      return Double.NaN;
    }
    // zeros[u] = Pr(u of the key's positions are zero); before the first throw all of them are
    double[] zeros = onesAfter(bits, hashes);
    double open = 1;
    for (long t = hashes * keys; t > 0 && open > NEGLIGIBLE; t--) {
      open = 0;
      zeros[0] += zeros[1] / bits;
      for (int u = 1; u < zeros.length; u++) {
        double more = u + 1 < zeros.length ? zeros[u + 1] * ((u + 1.0) / bits) : 0;
        zeros[u] = zeros[u] - zeros[u] * ((double) u / bits) + more;
        open += zeros[u];
      }
    }
    return Math.min(1, zeros[0]);
  }

  /** Returns whether {@link #onesAfter} is fast enough. */
  public static boolean exactIsCheap(long bits, double throwCount) {
    return Math.min(bits, throwCount) * throwCount <= EXACT_WORK_LIMIT;
  }

  /** Returns the distribution of the number of one bits after independent throws. */
  public static double[] onesAfter(long bits, long throwCount) {
    // distribution[x] = Pr(X = x), one throw at a time; every term is positive, so no precision is
    // lost. Outside [low, high] it is negligible: X is concentrated on few of its possible values.
    int most = (int) Math.min(bits, throwCount);
    double[] distribution = new double[most + 1];
    distribution[0] = 1;
    int low = 0;
    int high = 0;
    double m = bits;
    for (long t = 1; t <= throwCount; t++) {
      high = Math.min(high + 1, most);
      for (int x = high; x >= Math.max(1, low); x--) {
        distribution[x] = distribution[x] * (x / m) + distribution[x - 1] * ((m - x + 1) / m);
      }
      distribution[0] = 0;
      while (distribution[low] < NEGLIGIBLE) {
        distribution[low++] = 0;
      }
      while (distribution[high] < NEGLIGIBLE) {
        distribution[high--] = 0;
      }
    }
    return distribution;
  }

  /** Returns {@code (X/m)^k}: the rate of one particular filter with X one bits. */
  public static double fppFromOnes(long bits, long ones, int hashes) {
    return Math.pow((double) Checks.inRange(0, bits, ones, "ones") / bits, hashes);
  }

  /**
   * Returns {@code (1 - (1 - X/m)^f)^k}: the expected rate when a filter with X one bits is folded
   * by f. A folded bit is zero if and only if all f bits that it comes from are (Folding paper, Eq.
   * 3 and Eq. 4).
   */
  public static double fppFolded(long bits, long ones, int hashes, long factor) {
    Checks.inRange(0, bits, ones, "ones");
    return Math.pow(-Precise.expm1(factor * Precise.log1p(-(double) ones / bits)), hashes);
  }

  /**
   * Returns {@code ln(1 - X/m) / (k ln(1 - 1/m))}, infinite if every bit is one (erratum <a
   * href="{@docRoot}/doc-files/errata.html#D8">D8</a>).
   */
  public static double keysFromOnes(long bits, double ones, int hashes) {
    if (!(ones >= 0 && ones <= bits)) {
      throw new IllegalArgumentException("ones must be in [0, " + bits + "]: " + ones);
    }
    if (ones == 0) {
      return 0;
    }
    return bits == 1
        ? Double.POSITIVE_INFINITY
        : Precise.log1p(-ones / bits) / (hashes * Precise.log1p(-1.0 / bits));
  }

  /**
   * Returns {@code 1 / (1 - (1 - f^(1/k))^(1/(kn)))}: the real-valued size at which a filter has
   * the rate (see erratum <a href="{@docRoot}/doc-files/errata.html#F2">F2</a>), evaluated with
   * {@code log1p} and {@code expm1}.
   */
  public static double bitsAt(long keys, int hashes, double fpp) {
    Checks.positive(keys, "keys");
    Checks.probability(fpp, "fpp");
    double zeros = Precise.log1p(-Math.pow(fpp, 1.0 / Checks.positive(hashes, "hashes")));
    return -1 / Precise.expm1(zeros / ((double) hashes * keys));
  }

  /**
   * Returns {@code (p - f a)/(1 - f)}: the expected number of stored keys among {@code asked}
   * queried keys of which {@code passed} passed a filter of rate fpp; between 0 and {@code passed}.
   */
  public static double presentAmong(long asked, long passed, double fpp) {
    Checks.inRange(0, asked, passed, "passed");
    return fpp >= 1 ? 0 : Math.max(0, (passed - fpp * asked) / (1 - fpp));
  }

  /**
   * Returns {@code floor(m f^(1/k))}: the maximum number of one bits at which a filter has at most
   * the rate (erratum <a href="{@docRoot}/doc-files/errata.html#D8">D8</a>).
   */
  public static long maxOnes(long bits, int hashes, double fpp) {
    Checks.probability(fpp, "fpp");
    double share = Math.pow(fpp, 1.0 / Checks.positive(hashes, "hashes"));
    long most = Math.min(bits - 1, (long) (bits * share)) + 1;
    double limit = fpp * (1 + 1e-14);
    return Bisection.first(1, most + 1, ones -> fppFromOnes(bits, ones, hashes) > limit) - 1;
  }

  /**
   * Returns {@code (m/n) ln 2}, the real-valued number of hashes with the lowest rate (Standard
   * notes).
   */
  public static double optimalHashes(long bits, long keys) {
    return (double) bits / Checks.positive(keys, "keys") * LN2;
  }

  /**
   * Returns the integer number of hashes with the lowest rate: the better of floor and ceiling
   * (erratum <a href="{@docRoot}/doc-files/errata.html#C4">C4</a>).
   */
  public static int bestHashes(long bits, long keys) {
    double real = Math.min(optimalHashes(bits, keys), 1 << 20);
    int floor = Math.max(1, (int) Math.floor(real));
    // compares logarithms, because both rates underflow to 0 with very many bits
    return logFpp(bits, keys, floor + 1) < logFpp(bits, keys, floor) ? floor + 1 : floor;
  }

  private static double logFpp(long bits, long keys, int hashes) {
    return hashes * Math.log(-Precise.expm1(-(double) hashes * keys / bits));
  }

  /**
   * Returns {@code -n ln(f) / (ln 2)^2}, the real-valued textbook size (Standard notes; see erratum
   * <a href="{@docRoot}/doc-files/errata.html#N2">N2</a>).
   */
  public static double textbookBits(long keys, double fpp) {
    return -keys * Math.log(Checks.probability(fpp, "fpp")) / (LN2 * LN2);
  }

  /**
   * Returns {@code -k / ln(1 - f^(1/k))}: the number of bits per key at which k hashes have the
   * rate, evaluated with {@code log1p}.
   */
  public static double bitsPerKey(int hashes, double fpp) {
    Checks.probability(fpp, "fpp");
    return -hashes / Precise.log1p(-Math.pow(fpp, 1.0 / Checks.positive(hashes, "hashes")));
  }

  /**
   * Returns {@code ceil(-nk / ln(1 - f^(1/k)))}: the fewest bits with at most the rate (Partition
   * paper, Eq. 1).
   */
  public static long bitsFor(long keys, int hashes, double fpp) {
    return whole(Checks.notNegative(keys, "keys") * bitsPerKey(hashes, fpp), keys, hashes, fpp);
  }

  /**
   * Returns {@code ceil(1 / (1 - (1 - f^(1/k))^(1/(nk))))}: the fewest bits whose rate in the power
   * form is at most f. Partition paper, Eq. 1 uses the exponential form instead (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#D1">D1</a>).
   */
  public static long classicBitsFor(long keys, int hashes, double fpp) {
    return whole(bitsAt(keys, hashes, fpp), keys, hashes, fpp);
  }

  private static long whole(double bits, long keys, int hashes, double fpp) {
    if (!(bits < Long.MAX_VALUE)) {
      throw new IllegalArgumentException(
          ("%d keys at fpp %s with %d hashes need %s bits: use more hashes, "
                  + "fewer keys or a higher fpp")
              .formatted(keys, fpp, hashes, bits));
    }
    return Math.max(1, (long) Math.ceil(bits * (1 - 1e-15)));
  }

  /** Returns {@code floor(-(m/k) ln(1 - f^(1/k)))}: the maximum number of keys at the rate. */
  public static long keysFor(long bits, int hashes, double fpp) {
    return (long) Math.floor(Checks.positive(bits, "bits") / bitsPerKey(hashes, fpp));
  }

  /**
   * Returns the number of hashes that needs the fewest bits per key for the rate. It depends on the
   * rate alone.
   */
  public static int hashesFor(double fpp) {
    int floor = Math.max(1, (int) Math.floor(-Math.log(Checks.probability(fpp, "fpp")) / LN2));
    return bitsPerKey(floor + 1, fpp) < bitsPerKey(floor, fpp) ? floor + 1 : floor;
  }

  private static void check(long bits, long keys, int hashes) {
    Checks.positive(bits, "bits");
    Checks.notNegative(keys, "keys");
    Checks.positive(hashes, "hashes");
  }
}
