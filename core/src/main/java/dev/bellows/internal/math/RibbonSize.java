package dev.bellows.internal.math;

/**
 * How many rows and columns a frozen filter takes: the numbers by which it is built, and its size
 * for a number of keys and a rate.
 *
 * <p>An absent key passes a column with probability 1/2. With c columns everywhere and one more in
 * a share x of the rows the rate is {@code (1 - x/2) 2^-c}, so that the columns for a rate are
 *
 * <pre>c = floor(log2(1/fpp)),   x = 2 (1 - fpp 2^c)</pre>
 */
public final class RibbonSize {
  /** Rows for each key in a layer that bumps. Fewer rows leave fewer of them unused. */
  public static final double ROWS_PER_KEY = 0.95;

  /** So few keys need no layer that bumps. */
  public static final int LAST_KEYS = 1000;

  /** Rows for each key in the last layer, for the first seeds; then more and more. */
  public static final double LAST_ROWS_PER_KEY = 1.01;

  /** Rows are taken in groups of this many. */
  public static final int GROUP = 64;

  /** The most columns: a key has one check bit for each. */
  public static final int MOST_COLUMNS = 56;

  /** Bits of thresholds for each row of a layer that bumps. */
  private static final double THRESHOLD_BITS_PER_ROW = 4.0 / 128;

  /** The share of keys that a layer bumps, measured. */
  private static final double BUMPED = 0.0508;

  private RibbonSize() {}

  /** The rows of a layer that bumps, for this many keys. */
  public static long bumpingRows(long keys) {
    return Math.round(keys * ROWS_PER_KEY / GROUP) * GROUP;
  }

  /** The rows of the last layer, at this many rows for each key. */
  public static int lastRows(long keys, double rowsPerKey) {
    return GROUP * Math.max(1, (int) Math.ceil(keys * rowsPerKey / GROUP));
  }

  /** The bits of all columns and thresholds to expect. */
  public static double bits(long keys, double columns) {
    double rows = 0;
    double thresholds = 0;
    long left = keys;
    while (left > LAST_KEYS) {
      long here = bumpingRows(left);
      rows += here;
      thresholds += here * THRESHOLD_BITS_PER_ROW;
      left = Math.round(left * BUMPED);
    }
    if (left > 0) {
      rows += lastRows(left, LAST_ROWS_PER_KEY);
    }
    return rows * columns + thresholds;
  }

  /** The columns that a rate takes, on average over all rows. */
  public static double columns(double fpp) {
    int whole = wholeColumns(fpp);
    return whole + 2 * (1 - Math.scalb(fpp, whole));
  }

  /** The columns that every row has at a rate. */
  public static int wholeColumns(double fpp) {
    int whole = 0;
    while (Math.scalb(fpp, whole + 1) <= 1) {
      whole++;
    }
    return whole;
  }
}
