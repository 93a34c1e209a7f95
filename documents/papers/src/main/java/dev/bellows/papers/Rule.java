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

  /** Returns the rule of decimal digits: a value agrees iff it rounds or truncates to them. */
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

  /** Returns the rule of a number that is exact, or known within a tolerance. */
  static Rule within(double value, double tolerance) {
    double slack = tolerance * (1 + ROUNDING);
    return new Rule(
        tolerance == 0 ? "exactly" : String.format(Locale.ROOT, "within %.3g", tolerance),
        value - slack,
        value + slack);
  }

  /** Returns the rule of an upper bound. */
  static Rule atMost(double value) {
    return new Rule("at most", Double.NEGATIVE_INFINITY, value);
  }

  /** Returns the rule of a lower bound. */
  static Rule atLeast(double value) {
    return new Rule("at least", value, Double.POSITIVE_INFINITY);
  }

  /** Returns the same rule for a value that the document states but does not print. */
  Rule stated() {
    return new Rule("stated, " + words, least, most);
  }

  boolean accepts(double value) {
    return least <= value && value <= most;
  }

  /** Returns whether any value of an interval agrees. */
  boolean overlaps(double low, double high) {
    return least <= high && low <= most;
  }
}
