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
 * @param columns the columns of a row on average: log2(1/fpp) and, between whole numbers, up to
 *     0.09 more
 * @param bits the bits of columns and thresholds to expect
 */
public record FrozenPlan(long keys, double fpp, double columns, long bits) {
  /** The least rate that can be requested: that of the most columns. */
  public static final double LEAST_FPP = 0x1p-56;

  /** The heap that a build takes for each key at least: two arrays of hashes to sort. */
  private static final int SORTING_BYTES = 2 * Long.BYTES;

  /** The heap that a build takes whatever the number of keys. */
  private static final long SEGMENT_BYTES = 4L << 20;

  /** Checks what is given. */
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
          "fpp %s takes more than %d columns: ask for %s or more"
              .formatted(fpp, RibbonSize.MOST_COLUMNS, LEAST_FPP));
    }
    return new FrozenPlan(keys, fpp, columns, Math.round(RibbonSize.bits(keys, columns)));
  }

  /** Returns the bits for each key; not a number without keys. */
  public double bitsPerKey() {
    return keys == 0 ? Double.NaN : (double) bits / keys;
  }

  /**
   * Returns the bytes of heap that {@code FrozenFilter.Builder.build(long[])} takes at most,
   * without the caller's array: first two arrays of hashes, then one of them and the columns twice.
   */
  public long buildBytes() {
    return SEGMENT_BYTES + Math.max(keys * SORTING_BYTES, keys * Long.BYTES + bits / 4);
  }
}
