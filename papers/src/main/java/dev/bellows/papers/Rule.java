package dev.bellows.papers;

import java.math.BigDecimal;
import java.util.Locale;

/**
 * Which recomputed values agree with a printed one: those of a closed interval.
 *
 * @param words the rule as the pages and results.json state it
 * @param least the least value that agrees
 * @param most the greatest
 */
record Rule(String words, double least, double most) {
  /** Room for the rounding of doubles, as a share of the last digit or of the tolerance. */
  private static final double ROUNDING = 1e-9;

  /** Decimal digits: a value agrees iff it rounds or cuts to them. A count must be equal. */
  static Rule digits(BigDecimal printed) {
    double value = printed.doubleValue();
    double digit = printed.ulp().doubleValue();
    double towardsZero = digit * (0.5 + ROUNDING);
    double fromZero = digit * (1 - ROUNDING);
    return new Rule(
        "digits",
        value - (value < 0 ? fromZero : towardsZero),
        value + (value < 0 ? towardsZero : fromZero));
  }

  /**
   * Returns a number that is exact, computed by a printed formula, or read off within a tolerance.
   */
  static Rule within(double value, double tolerance) {
    double slack = tolerance * (1 + ROUNDING);
    return new Rule(
        tolerance == 0 ? "exactly" : String.format(Locale.ROOT, "within %.3g", tolerance),
        value - slack,
        value + slack);
  }

  /** Returns a number that is said to be an upper bound. */
  static Rule atMost(double value) {
    return new Rule("at most", Double.NEGATIVE_INFINITY, value);
  }

  /** Returns a number that is said to be a lower bound. */
  static Rule atLeast(double value) {
    return new Rule("at least", value, Double.POSITIVE_INFINITY);
  }

  boolean accepts(double value) {
    return least <= value && value <= most;
  }

  /** Returns whether some value of an interval agrees. */
  boolean overlaps(double low, double high) {
    return least <= high && low <= most;
  }
}
