package dev.bellows.internal;

import dev.bellows.plan.BlockedRates;
import java.util.function.LongToDoubleFunction;

/**
 * Every key sets its bits in one block of 512: one in each of the block's eight 64-bit lanes, or
 * two where the fpp asks for more. The positions are 6-bit fields, from the top, of the hash
 * remixed by a multiplication; they do not depend on the size, so blocks fold as they are. {@link
 * BlockKernel} does the work inside a block.
 */
final class BlockedBits extends BitLayout {
  private static final int LANES = 8;
  private static final int LANE_SHIFT = 3;

  /**
   * G1, the usual collector, lays a large array at the start of a region, and the array's words
   * begin 16 bytes later: six words on, a cache line begins, and every block from there on is one
   * line instead of parts of two.
   */
  private static final int FIRST_WORD = 6;

  private static final BlockKernel KERNEL = BlockKernel.ACTIVE;
  private static final long FIRST = 0x9fb21c651e98df25L;
  private static final long SECOND = 0xd6e8feb86659fd93L;
  private static final double LOG_MISS = Math.log1p(-1.0 / 64);

  private final boolean twoPerLane;

  BlockedBits(long bits, int hashes) {
    super(checkedBits(bits), BlockedRates.checkHashes(hashes), BlockedRates.BLOCK_BITS, FIRST_WORD);
    this.twoPerLane = hashes == 2 * LANES;
  }

  private static long checkedBits(long bits) {
    if (bits % BlockedRates.BLOCK_BITS != 0) {
      throw new IllegalArgumentException(
          "BLOCKED sizes are multiples of 512 bits and "
              + bits
              + " is not: take "
              + (bits / 512 + 1) * 512
              + ", or layout CLASSIC");
    }
    return bits;
  }

  /** The first word of the hash's block. */
  private int block(long hash) {
    return FIRST_WORD + ((int) cell(hash) << LANE_SHIFT);
  }

  @Override
  public boolean set(long[] words, long hash) {
    return setAll(words, block(hash), fields(hash));
  }

  @Override
  public boolean test(long[] words, long hash) {
    return testAll(words, block(hash), fields(hash));
  }

  @Override
  public void load(long[] words, long hash) {
    loadAll(words, block(hash), fields(hash));
  }

  @Override
  public int test(long[] words, Group group, int length, boolean[] hits, int at) {
    approach(words, group, length);
    int count = 0;
    for (int i = 0; i < length; i++) {
      boolean hit = testAll(words, group.places[i], fields(group.hashes[i]));
      hits[at + i] = hit;
      count += hit ? 1 : 0;
    }
    return count;
  }

  @Override
  public int set(long[] words, Group group, int length) {
    approach(words, group, length);
    int count = 0;
    for (int i = 0; i < length; i++) {
      count += setAll(words, group.places[i], fields(group.hashes[i])) ? 1 : 0;
    }
    return count;
  }

  @Override
  public void load(long[] words, Group group, int length) {
    approach(words, group, length);
    for (int i = 0; i < length; i++) {
      loadAll(words, group.places[i], fields(group.hashes[i]));
    }
  }

  /** Finds the blocks of a group and brings them near. */
  private void approach(long[] words, Group group, int length) {
    for (int i = 0; i < length; i++) {
      group.places[i] = block(group.hashes[i]);
    }
    group.touch(words, length);
  }

  /**
   * The positions inside a block are the same in every store. Three lanes turn seven of eight
   * outsiders away, in a branch that is nearly always guessed right, so that the loads of the next
   * stores are under way before it is decided.
   */
  @Override
  public boolean testAny(BitLayout[] layouts, long[][] stores, long hash) {
    long fields = fields(hash);
    for (int i = 0; i < stores.length; i++) {
      long[] words = stores[i];
      int block = FIRST_WORD + ((int) layouts[i].cell(hash) << LANE_SHIFT);
      long some =
          (words[block] >>> (fields >>> 58))
              & (words[block + 1] >>> (fields >>> 52))
              & (words[block + 2] >>> (fields >>> 46))
              & 1;
      if (some != 0 && testAll(words, block, fields)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public long position(long hash, int probe) {
    int lane = probe & (LANES - 1);
    long fields = fields(hash);
    long word = probe < LANES ? fields : fields2(fields);
    return (cell(hash) << 9) + (lane << 6) + ((word >>> (58 - 6 * lane)) & 63);
  }

  @SuppressWarnings("ShortCircuitBoolean") // a branch between them would be a coin toss
  private boolean testAll(long[] words, int block, long fields) {
    boolean present = KERNEL.test(words, block, fields);
    return twoPerLane ? present & KERNEL.test(words, block, fields2(fields)) : present;
  }

  @SuppressWarnings("ShortCircuitBoolean") // both halves must be set
  private boolean setAll(long[] words, int block, long fields) {
    boolean changed = BlockKernel.set(words, block, fields);
    return twoPerLane ? changed | BlockKernel.set(words, block, fields2(fields)) : changed;
  }

  private void loadAll(long[] words, int block, long fields) {
    KERNEL.load(words, block, fields);
    if (twoPerLane) {
      KERNEL.load(words, block, fields2(fields));
    }
  }

  /** Eight positions of 6 bits, from the top; the block index came from the hash itself. */
  private static long fields(long hash) {
    return (hash ^ (hash >>> 32)) * FIRST;
  }

  private static long fields2(long fields) {
    return (fields ^ (fields >>> 29)) * SECOND;
  }

  /** The mean over blocks of the product over lanes: exactly what an outsider meets. */
  @Override
  public double fpp(long[] words) {
    double sum = 0;
    for (int block = FIRST_WORD; block < words.length; block += LANES) {
      double product = 1;
      for (int lane = 0; lane < LANES; lane++) {
        product *= Long.bitCount(words[block + lane]) / 64.0;
      }
      sum += twoPerLane ? product * product : product;
    }
    return sum / (words.length >>> LANE_SHIFT);
  }

  @Override
  public LongToDoubleFunction fppAfterFolding(long[] words) {
    double unfolded = fpp(words);
    long keys = Math.round(keys(words));
    int blocks = words.length >>> LANE_SHIFT;
    return factor -> factor == 1 ? unfolded : BlockedRates.fpp(blocks / factor, keys, hashes);
  }

  /** The sum over blocks of each block's own estimate, since loads are uneven. */
  @Override
  public double keys(long[] words) {
    double throwsPerBit = 1 / (LOG_MISS * (twoPerLane ? 2 : 1));
    double sum = 0;
    for (int block = FIRST_WORD; block < words.length; block += LANES) {
      int ones = 0;
      for (int lane = 0; lane < LANES; lane++) {
        ones += Long.bitCount(words[block + lane]);
      }
      double fill = Math.min(ones, BlockedRates.BLOCK_BITS - 0.5) / BlockedRates.BLOCK_BITS;
      sum += Math.log1p(-fill) * throwsPerBit;
    }
    return sum;
  }
}
