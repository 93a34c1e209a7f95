package dev.bellows.frozen;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.HashFloor;
import dev.bellows.internal.math.RibbonSize;

/**
 * The size of a frozen filter for a number of keys and a rate, and the memory that building it
 * takes.
 *
 * @param keys the number of distinct keys
 * @param fpp the false positive rate
 * @param columns the average number of columns of a row: log2(1/fpp), plus up to 0.09 if that is
 *     not a whole number
 * @param bits the expected number of bits of columns and thresholds
 */
public record FrozenPlan(long keys, double fpp, double columns, long bits) {
  /** The lowest rate that can be requested: that of the maximum number of columns. */
  public static final double LEAST_FPP = 0x1p-56;

  /** The minimum heap per key that a build takes: two arrays of hashes to sort. */
  private static final int SORTING_BYTES = 2 * Long.BYTES;

  /** The heap that a build takes regardless of the number of keys. */
  private static final long SEGMENT_BYTES = 4L << 20;

  /** Checks the arguments. */
  public FrozenPlan {
    Checks.notNegative(keys, "keys");
    Checks.probability(fpp, "fpp");
  }

  /** Returns the plan for this many distinct keys at a false positive rate of at most fpp. */
  public static FrozenPlan of(long keys, double fpp) {
    Checks.notNegative(keys, "keys");
    HashFloor.require(fpp, keys);
    double columns = RibbonSize.columns(HashFloor.without(fpp, keys));
    if (columns > RibbonSize.MOST_COLUMNS) {
      throw new IllegalArgumentException(
          "fpp %s needs more than %d columns: use %s or more"
              .formatted(fpp, RibbonSize.MOST_COLUMNS, LEAST_FPP));
    }
    return new FrozenPlan(keys, fpp, columns, Math.round(RibbonSize.bits(keys, columns)));
  }

  /** Returns the number of bits per key; NaN if there are no keys. */
  public double bitsPerKey() {
    return keys == 0 ? Double.NaN : (double) bits / keys;
  }

  /**
   * Returns the maximum heap, in bytes, that {@code FrozenFilter.Builder.build(long[])} takes in
   * addition to the caller's array: first two arrays of hashes, then one of these and two copies of
   * the columns.
   */
  public long buildBytes() {
    return SEGMENT_BYTES + Math.max(keys * SORTING_BYTES, keys * Long.BYTES + bits / 4);
  }
}
