package dev.bellows.internal.math;

import java.util.function.LongPredicate;

/** Finds where a monotone condition begins to hold. */
public final class Bisection {
  private Bisection() {}

  /**
   * Returns the smallest number in {@code [low, high]} from which on a condition holds; it is not
   * tested at {@code high}, which is the result if it holds at no smaller number.
   */
  public static long first(long low, long high, LongPredicate holds) {
    long from = low;
    long to = high;
    while (from < to) {
      long middle = (from + to) >>> 1;
      if (holds.test(middle)) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from;
  }
}
