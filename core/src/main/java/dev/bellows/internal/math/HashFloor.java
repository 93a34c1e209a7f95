package dev.bellows.internal.math;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * The false positives that are due to 64-bit hashes: an absent key has the same hash as a stored
 * one with probability {@code keys / 2^64}, and then passes regardless of the size of the filter.
 * The formulas of the papers ignore this; the rates of actual filters include it.
 */
public final class HashFloor {
  private static final double ONE_OF_ALL = 0x1p-64;

  /**
   * The ratio of an advised rate to the floor: half of the rate is the floor, the other half is
   * left to the positions.
   */
  private static final double ADVISED = 2;

  private HashFloor() {}

  /** Returns the lowest rate of a filter with this many keys. */
  public static double of(double keys) {
    return Math.min(1, keys * ONE_OF_ALL);
  }

  /** Returns the rate of a filter whose positions alone would give {@code fpp}. */
  public static double with(double fpp, double keys) {
    return fpp + (1 - fpp) * of(keys);
  }

  /** Returns the rate that the positions may have so that the rate of the filter is at most fpp. */
  public static double without(double fpp, double keys) {
    double floor = of(keys);
    return (fpp - floor) / (1 - floor);
  }

  /**
   * Throws if no filter with this many keys can have the rate, regardless of its size.
   *
   * @param keys the number of keys; 0 is treated as 1, because no filter has a rate below 2^-64
   */
  public static void require(double fpp, double keys) {
    require(fpp, keys, 64);
  }

  private static void require(double fpp, double keys, int bits) {
    Checks.probability(fpp, "fpp");
    double counted = Math.max(1, keys);
    double alike = Math.scalb(counted, 64 - bits);
    if (fpp <= of(alike)) {
      throw new IllegalArgumentException(
          ("fpp %s cannot be reached: a key is one %d-bit hash, and %s %s %s (keys / "
                  + "2^%d); use %s")
              .formatted(
                  fpp,
                  bits,
                  Prose.count(Math.round(counted)),
                  counted == 1 ? "key alone gives" : "keys alone give",
                  digits(of(alike), 3, RoundingMode.HALF_UP),
                  bits,
                  ADVISED * of(alike) < 1
                      ? "an fpp of " + advised(alike) + " or more"
                      : "fewer keys"));
    }
  }

  /** Throws if no filter of prefixes, which have at most 63 bits, can have the rate. */
  public static void requireOfPrefixes(double fpp, double keys) {
    require(fpp, keys, 63);
  }

  /** Returns whether a rate is so close to the floor that it takes very many bits. */
  public static boolean isNear(double fpp, double keys) {
    return fpp < ADVISED * of(keys);
  }

  /** Returns a rate that a filter with this many keys can reach, as text. */
  public static String advised(double keys) {
    return digits(ADVISED * of(Math.max(1, keys)), 2, RoundingMode.UP);
  }

  private static String digits(double rate, int count, RoundingMode rounding) {
    return new BigDecimal(rate).round(new MathContext(count, rounding)).toString();
  }
}
