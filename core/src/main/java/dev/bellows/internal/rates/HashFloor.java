package dev.bellows.internal.rates;

/**
 * What one 64-bit hash per key costs: an absent key has the hash of a stored one with chance {@code
 * keys / 2^64}, and then passes whatever the size of the filter. The formulas of the documents know
 * nothing of it; rates of real filters include it.
 */
public final class HashFloor {
  private static final double ONE_OF_ALL = 0x1p-64;

  private HashFloor() {}

  /** The least rate of a filter with so many keys. */
  public static double of(double keys) {
    return Math.min(1, keys * ONE_OF_ALL);
  }

  /** The rate of a filter whose positions alone would give {@code fpp}. */
  public static double with(double fpp, double keys) {
    return fpp + (1 - fpp) * of(keys);
  }
}
