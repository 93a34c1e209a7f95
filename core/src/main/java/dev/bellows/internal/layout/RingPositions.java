package dev.bellows.internal.layout;

import dev.bellows.Layout;
import dev.bellows.Pattern;

/**
 * Where the bits of a key lie in a ring: several BLOCKED filters of one size, its <b>lanes</b>,
 * word by word next to each other. Word w of block b of lane l has the index {@code (8 b + w) lanes
 * + l}, so that the words of a key at all lanes are neighbors, and one look at a few cache lines
 * answers for all of them.
 *
 * <p>Blocks and positions are those of {@link BlockedPositions}: each lane is bit for bit a filter
 * of its own, and folding the array of words folds every lane.
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
   * @param lanes a power of two, at most 32
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

  /** Whether any lane has all bits of the key. */
  public boolean test(long[] store, int first, int cell, long hash) {
    if (words != 2) {
      return lanes(store, first, cell, hash) != 0;
    }
    long fields = BlockKernel.fields(hash);
    long second = 2 * groupBits <= Long.SIZE ? fields << groupBits : BlockKernel.next(fields);
    int base = first + cell * cellWords;
    int i = base + ((int) (fields >>> 62) << laneShift);
    int j = base + ((4 + (int) (second >>> 62)) << laneShift);
    long one = mask(fields);
    long other = mask(second);
    // most lanes lack a bit of the first word: one branch for both words is predicted best
    for (int lane = 0; lane < lanes; lane++) {
      if (((one & ~store[i + lane]) | (other & ~store[j + lane])) == 0) {
        return true;
      }
    }
    return false;
  }

  /** The lanes that have all bits of the key, as a mask. */
  public int lanes(long[] store, int first, int cell, long hash) {
    long fields = BlockKernel.fields(hash);
    int left = 0;
    int found = (1 << lanes) - 1;
    for (int group = 0; group < words; group++) {
      if (group > 0) {
        left += groupBits;
        boolean fits = left + groupBits <= Long.SIZE;
        fields = fits ? fields << groupBits : nextOf(hash, group);
        left = fits ? left : 0;
      }
      int at = first + cell * cellWords + (word(fields, group) << laneShift);
      long mask = mask(fields);
      int having = 0;
      for (int lane = 0; lane < lanes; lane++) {
        having |= Long.numberOfLeadingZeros(mask & ~store[at + lane]) >>> 6 << lane;
      }
      found &= having;
    }
    return found;
  }

  /**
   * Sets the bits of a key in one lane of a store whose block no other thread changes; returns how
   * many were zero.
   */
  public int set(long[] store, int first, int cell, long hash, int lane) {
    long fields = BlockKernel.fields(hash);
    int left = 0;
    int changed = 0;
    for (int group = 0; group < words; group++) {
      if (group > 0) {
        left += groupBits;
        boolean fits = left + groupBits <= Long.SIZE;
        fields = fits ? fields << groupBits : nextOf(hash, group);
        left = fits ? left : 0;
      }
      int at = first + cell * cellWords + (word(fields, group) << laneShift) + lane;
      long mask = mask(fields);
      changed += Long.bitCount(mask & ~store[at]);
      store[at] |= mask;
    }
    return changed;
  }

  /** The product in which the fields of a group begin, if it is not the first group of it. */
  private long nextOf(long hash, int group) {
    long fields = BlockKernel.fields(hash);
    for (int products = group / (Long.SIZE / groupBits); products > 0; products--) {
      fields = BlockKernel.next(fields);
    }
    return fields;
  }

  /** The word of a group whose fields begin at the top. */
  private int word(long fields, int group) {
    int inGroup = wordBits == 0 ? 0 : (int) (fields >>> (Long.SIZE - wordBits));
    return (group << wordBits) + inGroup;
  }

  /** The bits of a group whose fields begin at the top. */
  private long mask(long fields) {
    long f = fields << wordBits;
    return switch (bitsOfWord) {
      case 3 -> 1L << (f >>> 58) | 1L << (f >>> 52) | 1L << (f >>> 46);
      case 4 -> 1L << (f >>> 58) | 1L << (f >>> 52) | 1L << (f >>> 46) | 1L << (f >>> 40);
      case 5 ->
          1L << (f >>> 58)
              | 1L << (f >>> 52)
              | 1L << (f >>> 46)
              | 1L << (f >>> 40)
              | 1L << (f >>> 34);
      default -> {
        long mask = 0;
        for (int i = 0; i < bitsOfWord; i++) {
          mask |= 1L << (f >>> 58);
          f <<= 6;
        }
        yield mask;
      }
    };
  }
}
