package dev.bellows.internal.store;

import dev.bellows.Pattern;
import dev.bellows.internal.rates.BlockedCells;
import java.util.function.LongToDoubleFunction;

/**
 * Every key sets the bits of a {@link Pattern} in one block of 512. The block comes from the hash,
 * words and positions inside it from products of the hash, which do not depend on the size, so that
 * blocks fold as they are. {@link BlockKernel} does the work inside a block; which of its ways is
 * taken is a number that never changes, and a branch that is always predicted.
 */
final class BlockedPositions extends Positions {
  private static final int BLOCK_SHIFT = 3;
  private static final int P2X2 = 2 * 16 + 2;
  private static final int P2X3 = 2 * 16 + 3;
  private static final int P4X2 = 4 * 16 + 2;
  private static final int P4X3 = 4 * 16 + 3;
  private static final int P8X1 = 8 * 16 + 1;
  private static final int P8X2 = 8 * 16 + 2;

  private final int pattern;
  private final int words;
  private final int bitsOfWord;

  /** Bits that say which word of a group. */
  private final int wordBits;

  /** Groups whose fields fit into one product. */
  private final int groupsOfProduct;

  BlockedPositions(BlockedCells layout, long bits) {
    super(layout, bits);
    Pattern chosen = layout.pattern();
    this.words = chosen.words();
    this.bitsOfWord = chosen.bits();
    this.pattern = words * 16 + bitsOfWord;
    this.wordBits = Integer.numberOfTrailingZeros(Pattern.BLOCK_WORDS / words);
    this.groupsOfProduct = Long.SIZE / (wordBits + 6 * bitsOfWord);
  }

  /** The first word of the hash's block. */
  private long block(long hash) {
    return cell(hash) << BLOCK_SHIFT;
  }

  @Override
  public boolean test(BitStore store, long hash) {
    long block = block(hash);
    long fields = BlockKernel.fields(hash);
    return store instanceof HeapBits heap
        ? test(heap, block, fields)
        : test((MappedBits) store, block, fields);
  }

  private boolean test(MappedBits store, long block, long fields) {
    try {
      return test(store.segment(block), block, fields);
    } catch (InternalError e) {
      throw store.fault(e);
    }
  }

  private boolean test(Words store, long block, long fields) {
    return switch (pattern) {
      case P2X2 -> BlockKernel.test2x2(store, block, fields);
      case P2X3 -> BlockKernel.test2x3(store, block, fields);
      case P4X2 -> BlockKernel.test4x2(store, block, fields);
      case P4X3 -> BlockKernel.test4x3(store, block, fields);
      case P8X1 -> BlockKernel.test8x1(store, block, fields);
      case P8X2 -> BlockKernel.test8x2(store, block, fields);
      default -> testLoop(store, block, fields);
    };
  }

  /**
   * The same without a branch between words: better where the words were brought near before, and
   * where several stores are asked, so that their misses overlap.
   */
  private boolean testAll(Words store, long block, long fields) {
    return switch (pattern) {
      case P2X2 -> BlockKernel.test2x2(store, block, fields);
      case P2X3 -> BlockKernel.testAll2x3(store, block, fields);
      case P4X2 -> BlockKernel.testAll4x2(store, block, fields);
      case P4X3 -> BlockKernel.testAll4x3(store, block, fields);
      case P8X1 -> BlockKernel.testAll8x1(store, block, fields);
      case P8X2 -> BlockKernel.testAll8x2(store, block, fields);
      default -> testLoop(store, block, fields);
    };
  }

  @Override
  public boolean set(HeapBits store, long hash) {
    return set(store, block(hash), BlockKernel.fields(hash));
  }

  private boolean set(HeapBits store, long block, long fields) {
    return switch (pattern) {
      case P2X2 -> BlockKernel.set2x2(store, block, fields);
      case P2X3 -> BlockKernel.set2x3(store, block, fields);
      case P4X2 -> BlockKernel.set4x2(store, block, fields);
      case P4X3 -> BlockKernel.set4x3(store, block, fields);
      default -> setLoop(store, block, fields);
    };
  }

  @Override
  public void load(HeapBits store, long hash) {
    load(store, block(hash), BlockKernel.fields(hash));
  }

  private void load(HeapBits store, long block, long fields) {
    switch (pattern) {
      case P2X2 -> BlockKernel.load2x2(store, block, fields);
      case P2X3 -> BlockKernel.load2x3(store, block, fields);
      case P4X2 -> BlockKernel.load4x2(store, block, fields);
      case P4X3 -> BlockKernel.load4x3(store, block, fields);
      case P8X1 -> BlockKernel.load8x1(store, block, fields);
      default -> loadLoop(store, block, fields);
    }
  }

  private boolean testLoop(Words store, long block, long fields) {
    long product = fields;
    for (int group = 0; group < words; group++) {
      product = productOf(group, product);
      long rest = rest(group, product);
      long mask = mask(rest << wordBits);
      if ((mask & ~store.word(block + word(group, rest))) != 0) {
        return false;
      }
    }
    return true;
  }

  private boolean setLoop(HeapBits store, long block, long fields) {
    boolean changed = false;
    long product = fields;
    for (int group = 0; group < words; group++) {
      product = productOf(group, product);
      long rest = rest(group, product);
      changed |= store.or(block + word(group, rest), mask(rest << wordBits));
    }
    return changed;
  }

  private void loadLoop(HeapBits store, long block, long fields) {
    long product = fields;
    for (int group = 0; group < words; group++) {
      product = productOf(group, product);
      long rest = rest(group, product);
      store.load(block + word(group, rest), mask(rest << wordBits));
    }
  }

  /** The product that holds the fields of a group, from that of the group before. */
  private long productOf(int group, long product) {
    return group > 0 && group % groupsOfProduct == 0 ? BlockKernel.next(product) : product;
  }

  /** The product with the fields of the group at its top. */
  private long rest(int group, long product) {
    return product << (group % groupsOfProduct * (wordBits + 6 * bitsOfWord));
  }

  private long word(int group, long rest) {
    long inGroup = wordBits == 0 ? 0 : rest >>> (Long.SIZE - wordBits);
    return ((long) group << wordBits) + inGroup;
  }

  private long mask(long positions) {
    long mask = 0;
    for (int i = 0; i < bitsOfWord; i++) {
      mask |= 1L << (positions << (6 * i) >>> 58);
    }
    return mask;
  }

  @Override
  public long begin(long hash) {
    return BlockKernel.fields(hash);
  }

  @Override
  public long step(long product, int probe) {
    return probe % bitsOfWord == 0 ? productOf(probe / bitsOfWord, product) : product;
  }

  @Override
  public long at(long hash, long product, int probe) {
    int group = probe / bitsOfWord;
    long rest = rest(group, product);
    long inWord = (rest << (wordBits + 6 * (probe % bitsOfWord))) >>> 58;
    return ((block(hash) + word(group, rest)) << 6) + inWord;
  }

  @Override
  public int test(BitStore store, Group group, int length, boolean[] hits, int at) {
    if (store instanceof HeapBits heap) {
      return testHeap(heap, group, length, hits, at);
    }
    try {
      return testMapped((MappedBits) store, group, length, hits, at);
    } catch (InternalError e) {
      throw store.fault(e);
    }
  }

  private int testHeap(HeapBits store, Group group, int length, boolean[] hits, int at) {
    approach(store, group, length);
    int count = 0;
    for (int i = 0; i < length; i++) {
      boolean hit = testAll(store, group.places[i], BlockKernel.fields(group.hashes[i]));
      hits[at + i] = hit;
      count += hit ? 1 : 0;
    }
    return count;
  }

  /** The same, with the segment taken once per block. */
  private int testMapped(MappedBits store, Group group, int length, boolean[] hits, int at) {
    for (int i = 0; i < length; i++) {
      group.places[i] = block(group.hashes[i]);
    }
    store.touch(group, length);
    int count = 0;
    for (int i = 0; i < length; i++) {
      long block = group.places[i];
      boolean hit = testAll(store.touched(block), block, BlockKernel.fields(group.hashes[i]));
      hits[at + i] = hit;
      count += hit ? 1 : 0;
    }
    return count;
  }

  @Override
  public int set(HeapBits store, Group group, int length) {
    approach(store, group, length);
    int count = 0;
    for (int i = 0; i < length; i++) {
      count += set(store, group.places[i], BlockKernel.fields(group.hashes[i])) ? 1 : 0;
    }
    return count;
  }

  @Override
  public void load(HeapBits store, Group group, int length) {
    approach(store, group, length);
    for (int i = 0; i < length; i++) {
      load(store, group.places[i], BlockKernel.fields(group.hashes[i]));
    }
  }

  /** Finds the blocks of a group and brings them near. */
  private void approach(HeapBits store, Group group, int length) {
    for (int i = 0; i < length; i++) {
      group.places[i] = block(group.hashes[i]);
    }
    group.touch(store, length);
  }

  /**
   * Words and positions inside a block are the same in every store. One store after the other, and
   * no further than the first that passes: reading the first words of all stores before deciding on
   * one was measured, and is slower (decision 12).
   */
  @Override
  public boolean testAny(Positions[] positions, HeapBits[] stores, long hash) {
    long fields = BlockKernel.fields(hash);
    for (int i = 0; i < stores.length; i++) {
      if (test(stores[i], positions[i].cell(hash) << BLOCK_SHIFT, fields)) {
        return true;
      }
    }
    return false;
  }

  /**
   * An absent key meets every block, and in each group every word, with the same chance: the mean
   * over blocks of the product over groups of the mean over their words of (ones/64)^bits.
   */
  @Override
  public double rate(BitStore store) {
    return store.reading(() -> meanOfBlocks(store));
  }

  private double meanOfBlocks(BitStore store) {
    double[] passing = new double[Long.SIZE + 1];
    for (int ones = 0; ones <= Long.SIZE; ones++) {
      passing[ones] = Math.pow(ones / 64.0, bitsOfWord) * words / Pattern.BLOCK_WORDS;
    }
    int group = Pattern.BLOCK_WORDS / words;
    double sum = 0;
    for (long block = 0, end = store.wordCount(); block < end; block += Pattern.BLOCK_WORDS) {
      double product = 1;
      for (int first = 0; first < Pattern.BLOCK_WORDS; first += group) {
        double mean = 0;
        for (int word = first; word < first + group; word++) {
          mean += passing[Long.bitCount(store.word(block + word))];
        }
        product *= mean;
      }
      sum += product;
    }
    return sum * BlockedCells.BLOCK_BITS / bits;
  }

  @Override
  public LongToDoubleFunction rateAfterFolding(BitStore store) {
    double unfolded = rate(store);
    long keys = Math.round(keys(store));
    return factor -> factor == 1 ? unfolded : layout.fpp(bits / factor, keys);
  }

  @Override
  public double keys(BitStore store) {
    // a full store says "at least so many": count it as if one bit were missing
    return layout.keysFromOnes(bits, Math.min(store.ones(), bits - 1));
  }
}
