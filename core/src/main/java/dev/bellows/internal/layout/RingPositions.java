package dev.bellows.internal.layout;

import dev.bellows.Layout;
import dev.bellows.Pattern;

/**
 * Where the bits of a key lie in a ring: several BLOCKED filters of one size, its <b>lanes</b>, bit
 * by bit next to each other. Bit p of lane l is bit {@code p lanes + l} of the ring, so that the
 * lanes' bits of one position are neighbors, its <b>row</b>, and the AND of the rows of a key is
 * the set of the lanes that have it. The 64 rows of a word of a block are one cache line for eight
 * lanes.
 *
 * <p>Blocks and positions are those of {@link BlockedPositions}: each lane is bit for bit a filter
 * of its own, and folding the ring folds every lane.
 */
public final class RingPositions {
  private final BlockedPositions positions;
  private final int lanes;
  private final int laneShift;
  private final int words;
  private final int bitsOfWord;

  /** Bits that say which word of a group. */
  private final int wordBits;

  /** The fields of one group of words. */
  private final int groupBits;

  /** The words of a block in all lanes. */
  private final int cellWords;

  /**
   * The positions of a ring.
   *
   * @param layout how keys choose bits
   * @param bits the bits of one lane
   * @param lanes a power of two, at most 16
   */
  public RingPositions(Layout.Blocked layout, long bits, int lanes) {
    Pattern pattern = layout.pattern();
    this.positions = new BlockedPositions(layout, bits);
    this.lanes = lanes;
    this.laneShift = Integer.numberOfTrailingZeros(lanes);
    this.words = pattern.words();
    this.bitsOfWord = pattern.bits();
    this.wordBits = Integer.numberOfTrailingZeros(Pattern.BLOCK_WORDS / words);
    this.groupBits = wordBits + 6 * bitsOfWord;
    this.cellWords = Pattern.BLOCK_WORDS * lanes;
  }

  /** The number of blocks of a lane. */
  public long cells() {
    return positions.bits() / Layout.Blocked.BLOCK_BITS;
  }

  /** The words of a block in all lanes. */
  public int cellWords() {
    return cellWords;
  }

  /** The block of a hash. */
  public int cell(long hash) {
    return (int) positions.cell(hash);
  }

  /** The bits of some lanes, given as a mask, in all rows of a word. */
  public long rowsOf(int laneMask) {
    long rows = laneMask;
    for (int bits = lanes; bits < Long.SIZE; bits *= 2) {
      rows |= rows << bits;
    }
    return rows;
  }

  /** The lanes that have all bits of the key, as a mask; no branch depends on what they hold. */
  public int lanes(long[] store, int first, int cell, long hash) {
    long fields = BlockKernel.fields(hash);
    int base = first + cell * cellWords;
    long found;
    if (words == 2) {
      // most plans: written out, so that the reads of both words overlap
      long second = 2 * groupBits <= Long.SIZE ? fields << groupBits : BlockKernel.next(fields);
      found =
          rows(store, base + word(fields, 0), fields << 2)
              & rows(store, base + word(second, 1), second << 2);
    } else {
      found = -1;
      long rest = fields;
      int left = 0;
      for (int group = 0; group < words; group++) {
        if (left + groupBits > Long.SIZE) {
          fields = BlockKernel.next(fields);
          rest = fields;
          left = 0;
        }
        found &= rows(store, base + word(rest, group), rest << wordBits);
        rest <<= groupBits;
        left += groupBits;
      }
    }
    return (int) found & (1 << lanes) - 1;
  }

  /** Where the rows of a word begin in its block; the fields of its group are at the top. */
  private int word(long fields, int group) {
    int inGroup = wordBits == 0 ? 0 : (int) (fields >>> (Long.SIZE - wordBits));
    return ((group << wordBits) + inGroup) << laneShift;
  }

  /** The AND of the rows of a word whose numbers are at the top, in its lowest bits. */
  private long rows(long[] store, int at, long f) {
    return switch (bitsOfWord) {
      case 3 -> row(store, at, f) & row(store, at, f << 6) & row(store, at, f << 12);
      case 4 ->
          row(store, at, f)
              & row(store, at, f << 6)
              & row(store, at, f << 12)
              & row(store, at, f << 18);
      case 5 ->
          row(store, at, f)
              & row(store, at, f << 6)
              & row(store, at, f << 12)
              & row(store, at, f << 18)
              & row(store, at, f << 24);
      default -> {
        long all = -1;
        for (int i = 0; i < bitsOfWord; i++) {
          all &= row(store, at, f << (6 * i));
        }
        yield all;
      }
    };
  }

  /** The row whose number is at the top, in the lowest bits. */
  private long row(long[] store, int at, long f) {
    // the shift takes the number modulo the rows of a long
    return store[at + (int) (f >>> (Long.SIZE - laneShift))] >>> (f >>> 58 << laneShift);
  }

  /** Sets the bits of a key in one lane of a store whose block no other thread changes. */
  public void set(long[] store, int first, int cell, long hash, int lane) {
    long fields = BlockKernel.fields(hash);
    int base = first + cell * cellWords;
    long rest = fields;
    int left = 0;
    for (int group = 0; group < words; group++) {
      if (left + groupBits > Long.SIZE) {
        fields = BlockKernel.next(fields);
        rest = fields;
        left = 0;
      }
      int at = base + word(rest, group);
      long f = rest << wordBits;
      for (int i = 0; i < bitsOfWord; i++) {
        store[at + (int) (f >>> (Long.SIZE - laneShift))] |= 1L << (f >>> 58 << laneShift) << lane;
        f <<= 6;
      }
      rest <<= groupBits;
      left += groupBits;
    }
  }

  /** Reads a word of each cache line of a key, so that the lines are cached when it is queried. */
  public long touch(long[] store, int first, int cell, long hash) {
    long fields = BlockKernel.fields(hash);
    int base = first + cell * cellWords;
    long second = 2 * groupBits <= Long.SIZE ? fields << groupBits : BlockKernel.next(fields);
    return store[base + word(fields, 0)] | store[base + (words == 1 ? 0 : word(second, 1))];
  }
}
