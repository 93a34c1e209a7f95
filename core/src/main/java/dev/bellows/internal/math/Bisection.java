package dev.bellows.internal.math;

import java.util.function.LongPredicate;

/** Finds the smallest number that satisfies a monotone condition. */
public final class Bisection {
  private Bisection() {}

  /**
   * Returns the smallest number in {@code [low, high)} at which a condition holds, or {@code high}
   * if there is none. If the condition holds at a number, it must hold at all larger ones.
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
