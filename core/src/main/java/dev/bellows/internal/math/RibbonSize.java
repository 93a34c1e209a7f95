package dev.bellows.internal.math;

/**
 * The numbers of rows and columns of a frozen filter: the constants that it is built with, and its
 * size for a number of keys and a rate.
 *
 * <p>An absent key passes a column with probability 1/2. With c columns everywhere and one more in
 * a fraction x of the rows, the rate is {@code (1 - x/2) 2^-c}, so the number of columns for a rate
 * is
 *
 * <pre>c = floor(log2(1/fpp)),   x = 2 (1 - fpp 2^c)</pre>
 */
public final class RibbonSize {
  /**
   * The number of rows per key in a layer that bumps keys. With fewer rows, fewer of them remain
   * unused.
   */
  public static final double ROWS_PER_KEY = 0.95;

  /** The maximum number of keys of the last layer, which does not bump keys. */
  public static final int LAST_KEYS = 1000;

  /** The number of rows per key in the last layer, for the first seeds. Later seeds use more. */
  public static final double LAST_ROWS_PER_KEY = 1.01;

  /** The number of rows in a group. Layers consist of whole groups. */
  public static final int GROUP = 64;

  /** The maximum number of columns: a key has one check bit for each. */
  public static final int MOST_COLUMNS = 56;

  /** The number of threshold bits per row of a layer that bumps keys. */
  private static final double THRESHOLD_BITS_PER_ROW = 4.0 / 128;

  /** The measured fraction of keys that a layer bumps. */
  private static final double BUMPED = 0.0508;

  private RibbonSize() {}

  /** Returns the number of rows of a layer that bumps keys, for this many keys. */
  public static long bumpingRows(long keys) {
    return Math.round(keys * ROWS_PER_KEY / GROUP) * GROUP;
  }

  /** Returns the number of rows of the last layer, at this many rows per key. */
  public static int lastRows(long keys, double rowsPerKey) {
    return GROUP * Math.max(1, (int) Math.ceil(keys * rowsPerKey / GROUP));
  }

  /** Returns the expected number of bits of all columns and thresholds. */
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

  /** Returns the number of columns for a rate, averaged over all rows. */
  public static double columns(double fpp) {
    int whole = wholeColumns(fpp);
    return whole + 2 * (1 - Math.scalb(fpp, whole));
  }

  /** Returns the number of columns that every row has at a rate. */
  public static int wholeColumns(double fpp) {
    int whole = 0;
    while (Math.scalb(fpp, whole + 1) <= 1) {
      whole++;
    }
    return whole;
  }
}
