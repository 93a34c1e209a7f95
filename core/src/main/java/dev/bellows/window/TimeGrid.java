package dev.bellows.window;

import dev.bellows.internal.base.Checks;
import java.time.Duration;
import java.time.Instant;

/**
 * The time grid of a window. Time is divided into generations, each a G-th of the window, counted
 * from the epoch, so all windows with the same length and number of generations share their
 * boundaries. Times are in milliseconds; a boundary between two milliseconds is rounded up to the
 * later one.
 *
 * <p>With window T and the clock in generation C, a key that was put at t is found while the
 * generation of t is at least C - G. The generation of t + T is that of t plus G, so the key is
 * found as long as the clock is below t + T. When the clock reaches t + T (1 + 1/G), it has left
 * that generation, and the key has expired.
 *
 * @param window the window in milliseconds, T
 * @param generations the number of generations per window, G: 3, 7, 15, 31, or 47 if prefixes are
 *     stored
 */
record TimeGrid(long window, int generations) {
  /**
   * The maximum distance of a time from 1970, about 71,000 years; products with G fit into a long.
   */
  static final long MOST_MILLIS = 1L << 51;

  /** The largest number of generations, which only a window of prefixes can have. */
  static final int MOST_GENERATIONS = 47;

  TimeGrid {
    checkedGenerations(generations);
    if (window < generations || window > MOST_MILLIS) {
      throw new IllegalArgumentException(
          "a window of %d ms is not in [%d, %d], from one millisecond per generation on"
              .formatted(window, generations, MOST_MILLIS));
    }
  }

  /** Returns the number of generations; throws unless it is 3, 7, 15, 31 or 47. */
  static int checkedGenerations(int generations) {
    return switch (generations) {
      case 3, 7, 15, 31, MOST_GENERATIONS -> generations;
      default ->
          throw new IllegalArgumentException(
              "a window has 3, 7, 15, 31 or 47 generations, not " + generations);
    };
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
          "a window of %s is not a whole number of milliseconds: use %s"
              .formatted(window, Duration.ofMillis(Math.max(1, millis))));
    }
    return new TimeGrid(millis, generations);
  }

  /** Returns the time in milliseconds; throws if it is out of the supported range. */
  static long millis(Instant time) {
    return checked(Checks.epochMillis(time));
  }

  static long checked(long millis) {
    return Checks.inRange(-MOST_MILLIS, MOST_MILLIS, millis, "time in milliseconds");
  }

  /**
   * Returns the number of live generations: those of the window, and the one that is being filled.
   */
  int lanes() {
    return generations + 1;
  }

  /** Returns the generation of a time. */
  long generation(long millis) {
    return Math.floorDiv(millis * generations, window);
  }

  /** Returns the first millisecond of a generation. */
  long from(long generation) {
    // generation * window may need more than 64 bits
    long whole = Math.floorDiv(generation, generations);
    long part = Math.floorMod(generation, (long) generations);
    return whole * window + Math.floorDiv(part * window + generations - 1, generations);
  }

  /** Returns a description for messages. */
  @Override
  public String toString() {
    return "a window of " + Duration.ofMillis(window) + " in " + generations + " generations";
  }
}
