package dev.bellows.internal.store;

import dev.bellows.internal.rates.BlockedCells;
import java.util.function.LongToDoubleFunction;

/**
 * Every key sets its bits in one block of 512: one in each of the block's eight 64-bit lanes, or
 * two where the fpp asks for more. The positions are 6-bit fields, from the top, of the hash
 * remixed by a multiplication; they do not depend on the size, so blocks fold as they are. {@link
 * BlockKernel} does the work inside a block.
 */
final class BlockedPositions extends Positions {
  private static final int LANES = 8;
  private static final int LANE_SHIFT = 3;

  private static final long FIRST = 0x9fb21c651e98df25L;
  private static final long SECOND = 0xd6e8feb86659fd93L;
  private static final double LOG_MISS = Math.log1p(-1.0 / 64);

  private final boolean twoPerLane;

  BlockedPositions(BlockedCells layout, long bits) {
    super(layout, bits);
    this.twoPerLane = hashes == 2 * LANES;
  }

  /** The first word of the hash's block. */
  private long block(long hash) {
    return cell(hash) << LANE_SHIFT;
  }

  @Override
  public boolean set(BitStore store, long hash) {
    return setAll(store, block(hash), fields(hash));
  }

  @Override
  public boolean test(BitStore store, long hash) {
    return testAll(store, block(hash), fields(hash));
  }

  @Override
  public void load(BitStore store, long hash) {
    loadAll(store, block(hash), fields(hash));
  }

  @Override
  public int test(BitStore store, Group group, int length, boolean[] hits, int at) {
    approach(store, group, length);
    int count = 0;
    for (int i = 0; i < length; i++) {
      boolean hit = testAll(store, group.places[i], fields(group.hashes[i]));
      hits[at + i] = hit;
      count += hit ? 1 : 0;
    }
    return count;
  }

  @Override
  public int set(BitStore store, Group group, int length) {
    approach(store, group, length);
    int count = 0;
    for (int i = 0; i < length; i++) {
      count += setAll(store, group.places[i], fields(group.hashes[i])) ? 1 : 0;
    }
    return count;
  }

  @Override
  public void load(BitStore store, Group group, int length) {
    approach(store, group, length);
    for (int i = 0; i < length; i++) {
      loadAll(store, group.places[i], fields(group.hashes[i]));
    }
  }

  /** Finds the blocks of a group and brings them near. */
  private void approach(BitStore store, Group group, int length) {
    for (int i = 0; i < length; i++) {
      group.places[i] = block(group.hashes[i]);
    }
    group.touch(store, length);
  }

  /**
   * The positions inside a block are the same in every store. Three lanes turn seven of eight
   * absent keys away, in a branch that is nearly always predicted right, so that the loads of the
   * next stores are under way before it is decided.
   */
  @Override
  public boolean testAny(Positions[] positions, BitStore[] stores, long hash) {
    long fields = fields(hash);
    for (int i = 0; i < stores.length; i++) {
      BitStore store = stores[i];
      long block = positions[i].cell(hash) << LANE_SHIFT;
      long some =
          (store.word(block) >>> (fields >>> 58))
              & (store.word(block + 1) >>> (fields >>> 52))
              & (store.word(block + 2) >>> (fields >>> 46))
              & 1;
      if (some != 0 && testAll(store, block, fields)) {
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

  @SuppressWarnings("ShortCircuitBoolean") // a branch between them would be unpredictable
  private boolean testAll(BitStore store, long block, long fields) {
    boolean present = store.testBlock(block, fields);
    return twoPerLane ? present & store.testBlock(block, fields2(fields)) : present;
  }

  @SuppressWarnings("ShortCircuitBoolean") // both halves must be set
  private boolean setAll(BitStore store, long block, long fields) {
    boolean changed = store.setBlock(block, fields);
    return twoPerLane ? changed | store.setBlock(block, fields2(fields)) : changed;
  }

  private void loadAll(BitStore store, long block, long fields) {
    store.loadBlock(block, fields);
    if (twoPerLane) {
      store.loadBlock(block, fields2(fields));
    }
  }

  /** Eight positions of 6 bits, from the top; the block index came from the hash itself. */
  private static long fields(long hash) {
    return (hash ^ (hash >>> 32)) * FIRST;
  }

  private static long fields2(long fields) {
    return (fields ^ (fields >>> 29)) * SECOND;
  }

  /** The mean over blocks of the product over lanes: exactly what an absent key meets. */
  @Override
  public double fpp(BitStore store) {
    double sum = 0;
    for (long block = 0, end = store.wordCount(); block < end; block += LANES) {
      double product = 1;
      for (int lane = 0; lane < LANES; lane++) {
        product *= Long.bitCount(store.word(block + lane)) / 64.0;
      }
      sum += twoPerLane ? product * product : product;
    }
    return sum * BlockedCells.BLOCK_BITS / bits;
  }

  @Override
  public LongToDoubleFunction fppAfterFolding(BitStore store) {
    double unfolded = fpp(store);
    long keys = Math.round(keys(store));
    return factor -> factor == 1 ? unfolded : layout.fpp(bits / factor, keys);
  }

  /** The sum over blocks of each block's own estimate, since loads are uneven. */
  @Override
  public double keys(BitStore store) {
    double throwsPerBit = 1 / (LOG_MISS * (twoPerLane ? 2 : 1));
    double sum = 0;
    for (long block = 0, end = store.wordCount(); block < end; block += LANES) {
      int ones = 0;
      for (int lane = 0; lane < LANES; lane++) {
        ones += Long.bitCount(store.word(block + lane));
      }
      double fill = Math.min(ones, BlockedCells.BLOCK_BITS - 0.5) / BlockedCells.BLOCK_BITS;
      sum += Math.log1p(-fill) * throwsPerBit;
    }
    return sum;
  }
}
