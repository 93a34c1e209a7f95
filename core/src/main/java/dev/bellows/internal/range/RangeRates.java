package dev.bellows.internal.range;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import java.util.function.LongFunction;

/**
 * Bits and false positive rates of a numeric range in a CLASSIC filter (Range thesis, Chapter 3).
 *
 * <p>A range of {@code range} consecutive numbers out of a domain of {@code domain} numbers is
 * divided into divisions of {@code divide} numbers; neighboring divisions share all but {@code
 * shift} of their {@code hashes} positions. The four schemes of the thesis are special cases of one
 * formula: PLAIN has divide 1 and shift = hashes, DIVISION shift = hashes, OVERLAPPING divide 1.
 *
 * <p>Each number outside the range is equally likely in a query. It is accepted
 *
 * <ul>
 *   <li>always, if it shares the first or last division: {@code divide - 1} numbers on average;
 *   <li>with {@code fill^(i shift)}, if its division is i steps away from the range, i up to {@link
 *       HashOffset#reach}: {@code 2 divide} numbers for each i;
 *   <li>with {@code fill^hashes} otherwise,
 * </ul>
 *
 * where {@code fill = 1 - e^(-insertionBits/bits)} is the share of one bits; the tables of the
 * thesis use this exponential form (erratum R2).
 */
public final class RangeRates {
  /** For larger domains, {@link #meanOverStarts} takes too long and changes little. */
  private static final long BORDERS_LIMIT = 1L << 26;

  private RangeRates() {}

  /**
   * Returns {@code (n - 1) s / d + k}: mean bits over all starts (Range thesis, Eq. 3-11; erratum
   * R1).
   */
  public static double insertionBits(long range, long divide, int shift, int hashes) {
    checkShape(range, divide, shift, hashes);
    return (range - 1) * (double) shift / divide + hashes;
  }

  /** Returns {@code 1 - e^(-w/m)}: the share of one bits after w random insertions (erratum R2). */
  public static double fill(long bits, double insertionBits) {
    return -Precise.expm1(-insertionBits / Checks.positive(bits, "bits"));
  }

  /**
   * Returns the rate of DIVISION_OVERLAPPING, and so of all four schemes (Range thesis, Eq. 3-13,
   * clamped: R6).
   */
  public static double fpp(long bits, int hashes, long domain, long range, long divide, int shift) {
    double fill = fill(bits, insertionBits(range, divide, shift, hashes));
    return fppAtFill(hashes, domain, range, divide, shift, fill);
  }

  /**
   * Returns the rate in a filter with a given share of one bits, from all attributes (Range thesis,
   * Eq. 3-15; erratum R7).
   *
   * <p>For small domains, Eq. 3-13 counts more neighbors than there are numbers outside. Here the
   * outside numbers are assigned in this order: dividing errors, distance 1, 2, ..., rest (erratum
   * R6); 0 if the range is the whole domain.
   */
  public static double fppAtFill(
      int hashes, long domain, long range, long divide, int shift, double fill) {
    checkShape(range, divide, shift, hashes);
    double outside = Checks.atLeast(range, domain, "domain") - range;
    if (outside == 0) {
      return 0;
    }
    double left = outside;
    double sum = Math.min(left, divide - 1.0);
    left -= sum;
    double step = power(fill, shift);
    double accepted = 1;
    for (int i = HashOffset.reach(hashes, shift); i > 0 && left > 0; i--) {
      accepted *= step;
      double neighbours = Math.min(left, 2.0 * divide);
      sum += neighbours * accepted;
      left -= neighbours;
    }
    return (sum + left * power(fill, hashes)) / outside;
  }

  /**
   * Returns the mean rate over every start in {@code [0, domain - range]}.
   *
   * @param chances for a number of insertion bits, the chance that this many new positions are ones
   */
  public static double meanOverStarts(
      int hashes, long domain, long range, long divide, int shift, LongFunction<double[]> chances) {
    checkShape(range, divide, shift, hashes);
    if (Checks.atLeast(range, domain, "domain") > BORDERS_LIMIT) {
      throw new IllegalArgumentException(
          ("borders are only counted for domains of up to %d numbers, not %d: they do not matter"
                  + " there, so use fpp")
              .formatted(BORDERS_LIMIT, domain));
    }
    if (domain == range) {
      return 0;
    }
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

  /** Expected accepted numbers among the {@code outside} ones on one side of a range. */
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

  /**
   * Returns the number of bits that storing both ends of a range exactly would take: {@code 2
   * ceil(log2 domain)}. If filters need not be compared without knowing their values, this is often
   * smaller than any filter.
   */
  public static int exactBits(long domain) {
    return 2 * (Long.SIZE - Long.numberOfLeadingZeros(Checks.positive(domain, "domain") - 1));
  }

  /** Returns {@code x^exponent} by squaring, because searches spend most of their time here. */
  public static double power(double x, int exponent) {
    double result = 1;
    double square = x;
    for (int e = exponent; e > 0; e >>= 1) {
      if ((e & 1) == 1) {
        result *= square;
      }
      square *= square;
    }
    return result;
  }

  public static void checkShape(long range, long divide, int shift, int hashes) {
    Checks.positive(range, "range");
    Checks.positive(divide, "divide");
    Checks.positive(hashes, "hashes");
    checkShift(shift, hashes);
  }

  static void checkShift(int shift, int hashes) {
    if (shift < 1 || shift > hashes) {
      throw new IllegalArgumentException("shift must be in [1, hashes = " + hashes + "]: " + shift);
    }
  }
}
