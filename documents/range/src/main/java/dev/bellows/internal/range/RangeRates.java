package dev.bellows.internal.range;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import java.util.function.LongToDoubleFunction;

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
 *   <li>always, if it shares the first or last division of the range: {@code divide - 1} numbers on
 *       average;
 *   <li>with probability {@code fill^(i shift)}, if its division is i steps away from the range,
 *       for i up to {@link HashOffset#reach}: {@code 2 divide} numbers for each i;
 *   <li>with probability {@code fill^hashes} otherwise.
 * </ul>
 *
 * Here {@code fill = 1 - e^(-insertionBits/bits)} is the fraction of one bits; the tables of the
 * thesis use this exponential form (erratum <a href="{@docRoot}/doc-files/errata.html#R2">R2</a>).
 */
public final class RangeRates {
  /** Rows after which the rate per further row of {@link #someFpp} no longer changes. */
  private static final int SETTLED_ROWS = 1 << 12;

  private RangeRates() {}

  /**
   * Returns {@code (n - 1) s / d + k}: the number of bits, averaged over all starts (Range thesis,
   * Eq. 3-11; see erratum <a href="{@docRoot}/doc-files/errata.html#R1">R1</a>).
   */
  public static double insertionBits(long range, long divide, int shift, int hashes) {
    checkShape(range, divide, shift, hashes);
    return (range - 1) * (double) shift / divide + hashes;
  }

  /**
   * Returns {@code 1 - e^(-w/m)}: the fraction of one bits after w random insertions (erratum <a
   * href="{@docRoot}/doc-files/errata.html#R2">R2</a>).
   */
  public static double fill(long bits, double insertionBits) {
    return -Precise.expm1(-insertionBits / Checks.positive(bits, "bits"));
  }

  /**
   * Returns the rate of DIVISION_OVERLAPPING, of which the other three schemes are special cases
   * (Range thesis, Eq. 3-13; for clamping see erratum <a
   * href="{@docRoot}/doc-files/errata.html#R6">R6</a>).
   */
  public static double fpp(long bits, int hashes, long domain, long range, long divide, int shift) {
    double fill = fill(bits, insertionBits(range, divide, shift, hashes));
    return fppAtFill(hashes, domain, range, divide, shift, fill);
  }

  /**
   * Returns the rate in a filter with a given fraction of one bits, set by all attributes together
   * (Range thesis, Eq. 3-15; see erratum <a href="{@docRoot}/doc-files/errata.html#R7">R7</a>).
   *
   * <p>For small domains, Eq. 3-13 counts more neighbors than there are numbers outside the range.
   * This function assigns the numbers outside in this order: those in the first and last division,
   * those at distance 1, 2, ..., all others (erratum <a
   * href="{@docRoot}/doc-files/errata.html#R6">R6</a>). It returns 0 if the range is the whole
   * domain.
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
   * Returns the rate at which <em>every</em> number of a range of {@code range} numbers, all far
   * from the stored ones, is accepted, averaged over all starts: {@code fill^w} for the w positions
   * of its divisions.
   */
  public static double everyFppAtFill(int hashes, long range, long divide, int shift, double fill) {
    checkShape(range, divide, shift, hashes);
    return overStarts(range, divide, d -> Math.pow(fill, (d - 1.0) * shift + hashes));
  }

  /**
   * Returns the rate at which <em>some</em> number of a range of {@code range} numbers, all far
   * from the stored ones, is accepted, averaged over all starts: the probability of the union over
   * its divisions. It is exact if positions are independent.
   */
  public static double someFppAtFill(int hashes, long range, long divide, int shift, double fill) {
    checkShape(range, divide, shift, hashes);
    return overStarts(range, divide, d -> someFpp(d, hashes, shift, fill));
  }

  /** Returns the mean over all starts of a function of the number of divisions. */
  private static double overStarts(long range, long divide, LongToDoubleFunction rate) {
    long least = (range - 1) / divide + 1;
    double share = (double) ((range - 1) % divide) / divide;
    double mean = (1 - share) * rate.applyAsDouble(least);
    return share == 0 ? mean : mean + share * rate.applyAsDouble(least + 1);
  }

  /**
   * Returns the probability that at least one of these consecutive divisions is accepted.
   *
   * <p>Overlapping divisions are not independent. Call the {@code shift} positions of a value a
   * row; it is whole, with all bits set, with probability {@code fill^shift}. A division is
   * accepted if {@code reach} whole rows are followed by one of which a part is set. Consider the
   * first accepted division: the row in front of it is not whole, because otherwise the division
   * before would have been accepted. Its probability is therefore that of a row that is not whole,
   * and up to which nothing was accepted, times {@code fill^hashes}; the rows in front of the first
   * division count as not whole.
   */
  static double someFpp(long divisions, int hashes, int shift, double fill) {
    int reach = HashOffset.reach(hashes, shift);
    double whole = power(fill, shift);
    double wholeRun = power(whole, reach);
    double accept = power(fill, hashes);
    int rows = (int) Math.min(divisions, Math.max(SETTLED_ROWS, 8L * reach));
    // [j]: row j is not whole, and no division that ends there or before was accepted
    double[] broken = new double[rows];
    double accepted = 0;
    double inRun = 0;
    for (int j = 0; j < rows; j++) {
      if (j > 0) {
        // row j is whole, after fewer than reach others
        inRun =
            whole * (inRun + broken[j - 1] - (j > reach ? wholeRun * broken[j - 1 - reach] : 0));
      }
      accepted += j > reach ? accept * broken[j - 1 - reach] : 0;
      broken[j] = Math.max(0, 1 - accepted - inRun);
    }
    double last = 0;
    for (int j = Math.max(0, rows - 1 - reach); j < rows; j++) {
      last = accept * broken[j];
      accepted += last;
    }
    double before = 1 - (accepted - last);
    if (divisions == rows || accepted >= 1 || before <= 0) {
      return Math.min(1, accepted);
    }
    // from here on, each further division is the first accepted one at a constant rate
    double further = (divisions - rows) * Precise.log1p(-Math.min(1, last / before));
    return -Precise.expm1(Precise.log1p(-accepted) + further);
  }

  /**
   * Returns the number of bits that storing both ends of a range exactly would take: {@code 2
   * ceil(log2 domain)}. Unless filters must be compared without revealing their values, this is
   * often smaller than any filter.
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
