package dev.bellows.internal.layout;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.bits.MappedWords;
import dev.bellows.internal.bits.PackedCounters;
import dev.bellows.internal.bits.Words;
import java.util.function.LongToDoubleFunction;

/**
 * The positions of layout BLOCKED: every key sets the bits of a {@link Pattern} in one block of
 * 512. The block is derived from the hash, words and positions inside it from products of the hash,
 * which do not depend on the size, so whole blocks can be folded. {@link BlockKernel} does the work
 * inside a block; its variant is a constant of the layout, so that branch is always predicted.
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

  /** The number of bits that choose the word of a group. */
  private final int wordBits;

  /** The number of groups whose fields fit into one product. */
  private final int groupsOfProduct;

  /**
   * The places of the fields of each probe, precomputed so that a walk needs no division: the
   * lowest 6 bits are the offset of its position in the product, the next 6 bits that of its group,
   * then 3 bits are the first word of the group, and one bit is set if the probe begins a new
   * product.
   */
  private final int[] walk;

  private static final int GROUP_AT = 6;
  private static final int WORD_AT = 12;
  private static final int FRESH = 1 << 15;

  BlockedPositions(Layout.Blocked layout, long bits) {
    super(layout, bits);
    Pattern chosen = layout.pattern();
    this.words = chosen.words();
    this.bitsOfWord = chosen.bits();
    this.pattern = words * 16 + bitsOfWord;
    this.wordBits = Integer.numberOfTrailingZeros(Pattern.BLOCK_WORDS / words);
    this.groupsOfProduct = Long.SIZE / (wordBits + 6 * bitsOfWord);
    this.walk = new int[hashes];
    for (int probe = 0; probe < hashes; probe++) {
      int group = probe / bitsOfWord;
      int groupShift = group % groupsOfProduct * (wordBits + 6 * bitsOfWord);
      boolean fresh = probe > 0 && probe % (bitsOfWord * groupsOfProduct) == 0;
      walk[probe] =
          groupShift + wordBits + 6 * (probe % bitsOfWord)
              | groupShift << GROUP_AT
              | group << wordBits << WORD_AT
              | (fresh ? FRESH : 0);
    }
  }

  /** Returns the first word of the hash's block. */
  private long block(long hash) {
    return cell(hash) << BLOCK_SHIFT;
  }

  @Override
  public boolean test(BitStore store, long hash) {
    long block = block(hash);
    long fields = BlockKernel.fields(hash);
    return store instanceof HeapBits heap
        ? test(heap, block, fields)
        : testConfirmed(store, block, fields);
  }

  /** Tests a store that is not on the heap and whose reads may have failed. */
  private boolean testConfirmed(BitStore store, long block, long fields) {
    try {
      return test(store.certain(block, Pattern.BLOCK_WORDS), 0, fields);
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
   * Tests without a branch between words, which is faster if the words were prefetched, or if
   * several stores are queried, so that their cache misses overlap.
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

  /** Returns the product that holds the fields of a group, from that of the group before. */
  private long productOf(int group, long product) {
    return group > 0 && group % groupsOfProduct == 0 ? BlockKernel.next(product) : product;
  }

  /** Returns the product with the fields of the group at its top. */
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
    return (walk[probe] & FRESH) == 0 ? product : BlockKernel.next(product);
  }

  @Override
  public long at(long hash, long product, int probe) {
    int fields = walk[probe];
    // two shifts, because a shift by 64 would be a shift by 0: wordBits may be 0
    long inGroup = product << (fields >>> GROUP_AT) >>> 1 >>> (Long.SIZE - 1 - wordBits);
    long word = (fields >>> WORD_AT & Pattern.BLOCK_WORDS - 1) + inGroup;
    return ((block(hash) + word) << 6) + (product << fields >>> 58);
  }

  /** {@inheritDoc} All counters of a word are read before a branch. */
  @Override
  public boolean test(PackedCounters counters, long hash) {
    long block = block(hash);
    long product = BlockKernel.fields(hash);
    long rest = product;
    int left = groupsOfProduct;
    for (int group = 0; group < words; group++) {
      if (left-- == 0) {
        product = BlockKernel.next(product);
        rest = product;
        left = groupsOfProduct - 1;
      }
      long first = (block + word(group, rest)) << 6;
      rest <<= wordBits;
      long anyZero = 0;
      for (int i = 0; i < bitsOfWord; i++) {
        anyZero |= counters.get(first + (rest >>> 58)) - 1;
        rest <<= 6;
      }
      if (anyZero < 0) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int test(BitStore store, Group group, int length, boolean[] hits, int at) {
    if (store instanceof HeapBits heap) {
      return testGroup(heap, group, length, hits, at);
    }
    Words words = store.direct();
    return words instanceof MappedWords whole
        ? testGroup(whole, group, length, hits, at)
        : testGroup(words, group, length, hits, at);
  }

  private int testGroup(Words store, Group group, int length, boolean[] hits, int at) {
    approach(store, group, length);
    int count = 0;
    for (int i = 0; i < length; i++) {
      boolean hit = testAll(store, group.places[i], BlockKernel.fields(group.hashes[i]));
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

  /** Finds the blocks of a group and prefetches them. */
  private void approach(Words store, Group group, int length) {
    for (int i = 0; i < length; i++) {
      group.places[i] = block(group.hashes[i]);
    }
    group.touch(store, length);
  }

  /**
   * Words and positions inside a block are the same in every store. Stores are tested one after the
   * other, up to the first that passes: reading the first words of all stores before deciding was
   * measured to be slower (decision 12).
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
   * An absent key chooses every block, and in each group every word, with the same probability: the
   * rate is the mean over blocks of the product over groups of the mean over their words of
   * (ones/64)^bits.
   */
  @Override
  Fill fill(BitStore store) {
    return store.reading(() -> overBlocks(store));
  }

  /** Returns the mean over the blocks of the rate at which an absent key of the block passes. */
  private Fill overBlocks(BitStore store) {
    double[] passing = new double[Long.SIZE + 1];
    for (int ones = 0; ones <= Long.SIZE; ones++) {
      passing[ones] = Math.pow(ones / 64.0, bitsOfWord) * words / Pattern.BLOCK_WORDS;
    }
    long ones = 0;
    double sum = 0;
    for (long block = 0, end = store.wordCount(); block < end; block += Pattern.BLOCK_WORDS) {
      int a = Long.bitCount(store.word(block));
      int b = Long.bitCount(store.word(block + 1));
      int c = Long.bitCount(store.word(block + 2));
      int d = Long.bitCount(store.word(block + 3));
      int e = Long.bitCount(store.word(block + 4));
      int f = Long.bitCount(store.word(block + 5));
      int g = Long.bitCount(store.word(block + 6));
      int h = Long.bitCount(store.word(block + 7));
      ones += a + b + c + d + e + f + g + h;
      // the mean of the words of a group, and the product of the groups
      double ab = words == 8 ? passing[a] * passing[b] : passing[a] + passing[b];
      double cd = words == 8 ? passing[c] * passing[d] : passing[c] + passing[d];
      double ef = words == 8 ? passing[e] * passing[f] : passing[e] + passing[f];
      double gh = words == 8 ? passing[g] * passing[h] : passing[g] + passing[h];
      double front = words >= 4 ? ab * cd : ab + cd;
      double back = words >= 4 ? ef * gh : ef + gh;
      sum += words >= 2 ? front * back : front + back;
    }
    return new Fill(ones, sum * Layout.Blocked.BLOCK_BITS / bits);
  }

  @Override
  LongToDoubleFunction rateAfterFolding(Fill fill) {
    long keys = Math.round(keysFromOnes(fill.ones()));
    return factor -> factor == 1 ? fill.rate() : layout.fpp(bits / factor, keys);
  }

  @Override
  public double keysFromOnes(long ones) {
    // a full store only gives a lower bound: it is counted as if one bit were missing
    return layout.keysFromOnes(bits, Math.min(ones, bits - 1));
  }
}
