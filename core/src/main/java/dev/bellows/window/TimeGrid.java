package dev.bellows.window;

import dev.bellows.internal.base.Checks;
import java.time.Duration;
import java.time.Instant;

/**
 * The clock grid of a window: time is cut into generations of a G-th of the window, counted from
 * the epoch, so that all windows of one length and number of generations share their borders. Times
 * are milliseconds; a border between two of them belongs to the next.
 *
 * <p>With T the window and c a clock in generation C, what was put at t is found while the
 * generation of t is at least C - G. The generation of t + T is that of t plus G, so that it is
 * found for all c below t + T; and at t + T (1 + 1/G) the clock has left that generation.
 *
 * @param window the window in milliseconds, T
 * @param generations the parts of a window, G: 3, 7 or 15
 */
record TimeGrid(long window, int generations) {
  /** Times from the year -68,000 to 72,000: their products with 15 are longs. */
  static final long MOST_MILLIS = 1L << 51;

  TimeGrid {
    WindowPlan.checkedGenerations(generations);
    if (window < generations || window > MOST_MILLIS) {
      throw new IllegalArgumentException(
          "a window of %d ms does not lie in [%d, %d], from one millisecond per generation on"
              .formatted(window, generations, MOST_MILLIS));
    }
  }

  static TimeGrid of(Duration window, int generations) {
    long millis;
    try {
      millis = window.toMillis();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("a window of " + window + " is too long", e);
    }
    if (!Duration.ofMillis(millis).equals(window)) {
      throw new IllegalArgumentException(
          "a window of %s is not a whole number of milliseconds: take %s"
              .formatted(window, Duration.ofMillis(Math.max(1, millis))));
    }
    return new TimeGrid(millis, generations);
  }

  /** The time in milliseconds, if it is one that a filter takes. */
  static long millis(Instant time) {
    long millis;
    try {
      millis = time.toEpochMilli();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(time + " lies too far from 1970", e);
    }
    return checked(millis);
  }

  static long checked(long millis) {
    return Checks.inRange(-MOST_MILLIS, MOST_MILLIS, millis, "time in milliseconds");
  }

  /** Generations that are live at a time: those of the window, and the one that is filled. */
  int lanes() {
    return generations + 1;
  }

  /** The generation of a time. */
  long generation(long millis) {
    return Math.floorDiv(millis * generations, window);
  }

  /** The first millisecond of a generation. */
  long from(long generation) {
    // generation * window may need more than 64 bits
    long whole = Math.floorDiv(generation, generations);
    long part = Math.floorMod(generation, (long) generations);
    return whole * window + Math.floorDiv(part * window + generations - 1, generations);
  }

  /** The two numbers, for messages. */
  @Override
  public String toString() {
    return "a window of " + Duration.ofMillis(window) + " in " + generations + " generations";
  }
}
