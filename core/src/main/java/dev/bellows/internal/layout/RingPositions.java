package dev.bellows.internal.layout;

import dev.bellows.Layout;
import dev.bellows.Pattern;

/**
 * The positions of a key in a ring: several BLOCKED filters of one size, the <b>lanes</b>, with
 * interleaved bits. Bit p of lane l is bit {@code p lanes + l} of the ring, so the bits of all
 * lanes at one position are adjacent. They form a <b>row</b>, and the AND of the rows of a key is
 * the set of lanes that contain it. With eight lanes, the 64 rows of a word of a block are one
 * cache line.
 *
 * <p>Blocks and positions are those of {@link BlockedPositions}: each lane is bit for bit a
 * separate filter, and folding the ring folds every lane.
 */
public final class RingPositions {
  private final BlockedPositions positions;
  private final int lanes;
  private final int laneShift;

  /** All lanes, as a mask. */
  private final int allLanes;

  private final int words;
  private final int bitsOfWord;

  /** The number of bits that choose the word of a group. */
  private final int wordBits;

  /** The number of bits of the fields of one group of words. */
  private final int groupBits;

  /** The number of words of a block in all lanes. */
  private final int cellWords;

  /**
   * Creates the positions of a ring.
   *
   * @param layout the layout of each lane
   * @param bits the number of bits of one lane
   * @param lanes the number of lanes: a power of two, at most 32
   */
  public RingPositions(Layout.Blocked layout, long bits, int lanes) {
    Pattern pattern = layout.pattern();
    this.positions = new BlockedPositions(layout, bits);
    this.lanes = lanes;
    this.laneShift = Integer.numberOfTrailingZeros(lanes);
    this.allLanes = (int) ((1L << lanes) - 1);
    this.words = pattern.words();
    this.bitsOfWord = pattern.bits();
    this.wordBits = Integer.numberOfTrailingZeros(Pattern.BLOCK_WORDS / words);
    this.groupBits = wordBits + 6 * bitsOfWord;
    this.cellWords = Pattern.BLOCK_WORDS * lanes;
  }

  /** Returns the number of blocks of a lane. */
  public long cells() {
    return positions.bits() / Layout.Blocked.BLOCK_BITS;
  }

  /** Returns the number of words of a block in all lanes. */
  public int cellWords() {
    return cellWords;
  }

  /** Returns the block of a hash. */
  public int cell(long hash) {
    return (int) positions.cell(hash);
  }

  /** Returns the bits of some lanes, given as a mask, in all rows of a word. */
  public long rowsOf(int laneMask) {
    long rows = Integer.toUnsignedLong(laneMask);
    for (int bits = lanes; bits < Long.SIZE; bits *= 2) {
      rows |= rows << bits;
    }
    return rows;
  }

  /**
   * Returns, as a mask, the lanes that have all bits of the key. No branch depends on their
   * content.
   */
  public int lanes(long[] store, int first, int cell, long hash) {
    long fields = BlockKernel.fields(hash);
    int base = first + cell * cellWords;
    long found;
    if (words == 2) {
      // the case of most plans, written out so that the reads of both words overlap
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
    return (int) found & allLanes;
  }

  /**
   * Returns the index in a block at which the rows of a word begin. The fields of its group are in
   * the highest bits.
   */
  private int word(long fields, int group) {
    int inGroup = wordBits == 0 ? 0 : (int) (fields >>> (Long.SIZE - wordBits));
    return ((group << wordBits) + inGroup) << laneShift;
  }

  /**
   * Returns, in the lowest bits, the AND of the rows of a word whose numbers are in the highest
   * bits of {@code f}.
   */
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

  /** Returns, in the lowest bits, the row whose number is in the highest bits of {@code f}. */
  private long row(long[] store, int at, long f) {
    // the shift distance is implicitly modulo 64, which gives the row inside the long
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
