package dev.bellows.internal.partition;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;

/**
 * The complete binary tree over the ids {@code [0, universe)}: level i divides them into 2^i nearly
 * equal parts (Partition paper, Definition 2.1; see erratum <a
 * href="{@docRoot}/doc-files/errata.html#D3">D3</a> for universes that 2^i does not divide).
 *
 * <p>The largest universe is 2^63: all non-negative ids. It is represented by {@link
 * #MAX_UNIVERSE}, which is negative as a signed long.
 *
 * @param universe the number of ids
 * @param depth the level of the leaves
 * @param reciprocal {@code floor(2^(64+depth) / universe)}, unsigned; 0 if the universe is a power
 *     of two
 */
public record IdPartition(long universe, int depth, long reciprocal) {
  /** 2^63: every non-negative id. */
  public static final long MAX_UNIVERSE = 1L << 63;

  /** The deepest tree. */
  public static final int MAX_DEPTH = 62;

  /** The ids of one node: {@code from} up to, but not including, {@code to} (unsigned). */
  public record IdRange(long from, long to) {
    /** Returns the number of ids; 2^63 is {@link #MAX_UNIVERSE}. */
    public long size() {
      return to - from;
    }

    /** Returns whether this non-negative id is in the range. */
    public boolean contains(long id) {
      return id >= from && Long.compareUnsigned(id, to) < 0;
    }
  }

  /** Returns a number of ids as a double: 2^63 for {@link #MAX_UNIVERSE}. */
  public static double real(long ids) {
    return ids == MAX_UNIVERSE ? 0x1p63 : ids;
  }

  /** Returns the tree of this depth. It must not have more leaves than there are ids. */
  public static IdPartition of(long universe, int depth) {
    checkUniverse(universe);
    Checks.inRange(0, MAX_DEPTH, depth, "depth");
    if (Long.compareUnsigned(1L << depth, universe) > 0) {
      throw new IllegalArgumentException(
          "depth %d gives %d leaves for %s ids: use depth %d or less"
              .formatted(
                  depth,
                  1L << depth,
                  Long.toUnsignedString(universe),
                  Long.SIZE - 1 - Long.numberOfLeadingZeros(universe)));
    }
    long reciprocal = Long.bitCount(universe) == 1 ? 0 : reciprocal(universe, depth);
    return new IdPartition(universe, depth, reciprocal);
  }

  /**
   * Returns {@code max(0, ceil(log2(universe / unitKeys)))}: the smallest depth whose leaves have
   * at most unitKeys ids (erratum <a href="{@docRoot}/doc-files/errata.html#D3">D3</a>).
   */
  public static int depthFor(long universe, long unitKeys) {
    checkUniverse(universe);
    Checks.positive(unitKeys, "unitKeys");
    int depth = 0;
    while (Long.compareUnsigned(ceilShift(universe, depth), unitKeys) > 0) {
      depth++;
    }
    return (int) Checks.inRange(0, MAX_DEPTH, depth, "depth of " + unitKeys + " unitKeys");
  }

  /** Returns the number of leaves, 2^depth. */
  public long leaves() {
    return 1L << depth;
  }

  /**
   * Returns {@code ceil(universe / 2^depth)}: the number of ids in the largest leaf (erratum <a
   * href="{@docRoot}/doc-files/errata.html#D2">D2</a>).
   */
  public long unitKeys() {
    return ceilShift(universe, depth);
  }

  /**
   * Returns {@code floor(id 2^depth / universe)}: the leaf an id belongs to (erratum <a
   * href="{@docRoot}/doc-files/errata.html#D3">D3</a>).
   */
  public long leafIndex(long id) {
    if (!contains(id)) {
      throw new IllegalArgumentException(
          "id " + id + " is outside the universe [0, " + Long.toUnsignedString(universe) + ")");
    }
    if (reciprocal == 0) {
      // id is below universe = 2^b, and depth is at most b
      return id >>> (Long.numberOfTrailingZeros(universe) - depth);
    }
    // the estimate is exact or one too small, so the remainder is below 2 universe <= 2^64
    long index = Precise.multiplyHigh(id, reciprocal) + (reciprocal < 0 ? id : 0);
    long remainder = (id << depth) - index * universe;
    return Long.compareUnsigned(remainder, universe) >= 0 ? index + 1 : index;
  }

  /** Returns whether the id is in the universe. */
  public boolean contains(long id) {
    return id >= 0 && Long.compareUnsigned(id, universe) < 0;
  }

  /**
   * Returns {@code floor(hash universe / 2^64)}, unsigned: the id of a key that is not itself an
   * id.
   */
  public long idOfHash(long hash) {
    return Precise.multiplyHigh(hash, universe)
        + ((hash >> 63) & universe)
        + ((universe >> 63) & hash);
  }

  /**
   * Returns the ids of a node: {@code [ceil(j U / 2^i), ceil((j+1) U / 2^i))} (erratum <a
   * href="{@docRoot}/doc-files/errata.html#D3">D3</a>).
   */
  public IdRange nodeRange(int level, long index) {
    Checks.inRange(0, depth, level, "level");
    Checks.inRange(0, (1L << level) - 1, index, "index");
    return new IdRange(border(level, index), border(level, index + 1));
  }

  /** Returns the ids of a leaf. */
  public IdRange leafRange(long index) {
    return nodeRange(depth, index);
  }

  /** Returns {@code ceil(index universe / 2^level)} from the 128-bit product. */
  private long border(int level, long index) {
    if (level == 0) {
      return index * universe;
    }
    long high = Precise.multiplyHigh(index, universe) + (universe < 0 ? index : 0);
    long low = index * universe;
    long floor = (high << (Long.SIZE - level)) | (low >>> level);
    return (low & ((1L << level) - 1)) == 0 ? floor : floor + 1;
  }

  private static long ceilShift(long number, int shift) {
    return (number + ((1L << shift) - 1)) >>> shift;
  }

  /** Long division, one bit of the quotient at a time. */
  private static long reciprocal(long universe, int depth) {
    long quotient = 0;
    long remainder = 1;
    for (int bit = 0; bit < Long.SIZE + depth; bit++) {
      remainder <<= 1;
      quotient <<= 1;
      if (Long.compareUnsigned(remainder, universe) >= 0) {
        remainder -= universe;
        quotient |= 1;
      }
    }
    return quotient;
  }

  private static void checkUniverse(long universe) {
    if (universe != MAX_UNIVERSE) {
      Checks.positive(universe, "universe");
    }
  }
}
