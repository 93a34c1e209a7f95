package dev.bellows.internal.columns;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import java.util.Arrays;

/**
 * Maps a key to its rows. A layer has a number of rows and, for each block of them, a threshold
 * below which keys belong to the next layer.
 */
public final class Layer {
  /** The number of rows in a group: that of bits in a word, and of coefficients of a key. */
  public static final int GROUP = Long.SIZE;

  /** The number of rows in a block, which has one threshold. */
  public static final int BLOCK = 128;

  /**
   * The number of rows in a segment, which is solved independently of all others. The last segment
   * has the remaining rows. No key starts in the last block of any other segment: its threshold is
   * {@link #HIGHEST}.
   */
  public static final int SEGMENT = 1 << 17;

  /** The maximum number of rows of a layer. */
  public static final long MOST_ROWS = 1L << 37;

  /** The highest threshold, which bumps all keys of a block. */
  static final int HIGHEST = 15;

  static final int GROUP_SHIFT = 6;
  private static final int BLOCK_SHIFT = 7;
  private static final long FACTOR = 0xd1342543de82ef95L;
  private static final long STEP = 0x9e3779b97f4a7c15L;

  private final long seed;
  private final long firstGroup;
  private final long rows;
  private final long starts;
  private final byte[] thresholds;

  /**
   * Creates a layer. Throws if the arguments contradict each other.
   *
   * @param seed changes the hashes of a layer; the seed of the first layer is 0, which leaves them
   *     unchanged
   * @param firstGroup the number of groups in the layers before it
   * @param rows the rows, a multiple of {@link #GROUP}
   * @param thresholds the threshold of each block, two in a byte, the lower half first; empty if
   *     the layer bumps no key
   */
  public Layer(long seed, long firstGroup, long rows, byte[] thresholds) {
    Checks.inRange(GROUP, MOST_ROWS, rows, "rows of a layer");
    if (rows % GROUP != 0) {
      throw new IllegalArgumentException(
          "%d rows are not a whole number of groups".formatted(rows));
    }
    if (thresholds.length == 0) {
      Checks.inRange(GROUP, SEGMENT, rows, "rows of the last layer");
    } else {
      long needed = thresholdBytes(rows);
      Checks.inRange(needed, needed, thresholds.length, "bytes of thresholds");
    }
    this.seed = seed;
    this.firstGroup = firstGroup;
    this.rows = rows;
    this.starts = rows - GROUP + 1;
    this.thresholds = thresholds;
  }

  /**
   * Returns the seed of a layer.
   *
   * @param index the number of layers before it
   * @param attempt the number of seeds of the last layer that failed; negative if this is not the
   *     last layer
   */
  public static long seed(int index, int attempt) {
    return attempt < 0 ? index : index + 1L + ((long) attempt << 32);
  }

  /** Returns the number of bytes that the thresholds of this many rows take. */
  public static long thresholdBytes(long rows) {
    return ((rows + BLOCK - 1) / BLOCK + 1) / 2;
  }

  /** Returns the seed that changes the hashes of the layer. */
  public long seed() {
    return seed;
  }

  /** Returns the number of groups in the layers before it. */
  long firstGroup() {
    return firstGroup;
  }

  /** Returns the number of groups. */
  public long groups() {
    return rows / GROUP;
  }

  /** Returns the number of segments. */
  int segments() {
    return (int) ((rows + SEGMENT - 1) / SEGMENT);
  }

  /** Returns the number of rows of a segment. */
  int rows(int segment) {
    return (int) Math.min(SEGMENT, rows - (long) segment * SEGMENT);
  }

  /** Returns a copy of the thresholds, two in a byte; empty if the layer bumps no key. */
  public byte[] thresholds() {
    return thresholds.clone();
  }

  /** Returns the hash of a key in this layer, given its hash in the layer before. */
  long hash(long hash) {
    return seed == 0 ? hash : next(next(hash ^ seed));
  }

  /** Returns the start of a key. Starts ascend with the hashes. */
  long start(long hash) {
    return Precise.multiplyHigh(hash >>> 1, starts << 1);
  }

  /** Returns the number of rows at which a key can start. */
  long starts() {
    return starts;
  }

  /** Returns the group of a start, in the order of all layers. */
  long group(long start) {
    return firstGroup + (start >>> GROUP_SHIFT);
  }

  boolean isBumped(long start) {
    // offset < limit(threshold), without the division
    return thresholds.length != 0
        && ((int) start & (BLOCK - 1)) * HIGHEST < threshold(start >>> BLOCK_SHIFT) << BLOCK_SHIFT;
  }

  private int threshold(long block) {
    return thresholds[(int) (block >>> 1)] >>> ((block & 1) << 2) & HIGHEST;
  }

  /** Returns whether no key starts in a block, because it is the last one of a segment. */
  boolean isBorder(long block) {
    return (block + 1) % (SEGMENT / BLOCK) == 0 && (block + 1) * BLOCK < rows;
  }

  /** Raises the threshold of a block from 0 to the lowest one that bumps this offset. */
  int bump(long block, int offset) {
    int threshold = 1;
    while (limit(threshold) <= offset) {
      threshold++;
    }
    thresholds[(int) (block >>> 1)] |= (byte) (threshold << ((block & 1) << 2));
    return limit(threshold);
  }

  /** Returns the first offset inside a block that a threshold keeps. */
  private static int limit(int threshold) {
    return (threshold * BLOCK + HIGHEST - 1) / HIGHEST;
  }

  /** Returns the number of starts before this one that are not bumped. */
  long kept(long to) {
    if (thresholds.length == 0) {
      return to;
    }
    long kept = 0;
    for (long first = 0; first < to; first += BLOCK) {
      int limit = limit(threshold(first >>> BLOCK_SHIFT));
      kept += Math.max(0, Math.min(BLOCK, to - first) - limit);
    }
    return kept;
  }

  /** Returns the next value of a pseudorandom sequence. */
  private static long next(long value) {
    long product = value * FACTOR + STEP;
    return product ^ (product >>> 32);
  }

  /**
   * Returns the mixed hash from which {@link #coefficients} and {@link #checks} of a key are
   * derived.
   */
  static long mixed(long hash) {
    return next(next(hash));
  }

  /**
   * Returns the coefficients of a key: one bit for each row, beginning with its start. The first
   * bit is set.
   */
  static long coefficients(long mixed) {
    return mixed | 1;
  }

  /** Returns the check bits of a key; that of the first column is the highest bit. */
  static long checks(long mixed) {
    return mixed * STEP;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Layer layer
        && seed == layer.seed
        && firstGroup == layer.firstGroup
        && rows == layer.rows
        && Arrays.equals(thresholds, layer.thresholds);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(thresholds) + Long.hashCode(rows);
  }
}
