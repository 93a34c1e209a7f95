package dev.bellows.internal.base;

import java.time.Instant;

/** Argument checks whose messages name the value, the rule and the parameter. */
public final class Checks {
  private Checks() {}

  /** Returns the probability; throws unless it is strictly between 0 and 1. */
  public static double probability(double value, String name) {
    if (!(value > 0 && value < 1)) {
      throw new IllegalArgumentException(name + " must be between 0 and 1, exclusive: " + value);
    }
    return value;
  }

  /** Returns the value; throws unless it is at least 1. */
  public static long positive(long value, String name) {
    return atLeast(1, value, name);
  }

  /** Returns the value; throws unless it is at least 1. */
  public static int positive(int value, String name) {
    return (int) atLeast(1, value, name);
  }

  /** Returns the value; throws unless it is at least 0. */
  public static long notNegative(long value, String name) {
    return atLeast(0, value, name);
  }

  /** Returns the value; throws unless it is at least {@code low}. */
  public static long atLeast(long low, long value, String name) {
    if (value < low) {
      throw new IllegalArgumentException(name + " must be at least " + low + ": " + value);
    }
    return value;
  }

  /** Returns the value; throws unless it is in {@code [low, high]}. */
  public static long inRange(long low, long high, long value, String name) {
    if (value < low || value > high) {
      throw new IllegalArgumentException(
          name + " must be in [" + low + ", " + high + "]: " + value);
    }
    return value;
  }

  /** Returns the time in milliseconds since 1970; throws if a long is too small for it. */
  public static long epochMillis(Instant time) {
    try {
      return time.toEpochMilli();
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(time + " is too far from 1970", e);
    }
  }
}
