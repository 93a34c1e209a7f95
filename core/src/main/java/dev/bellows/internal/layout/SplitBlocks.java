package dev.bellows.internal.layout;

import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import java.util.Arrays;

/**
 * The arithmetic of Parquet's split-block filter. A key is hashed with XXH64, seed 0; its block is
 * {@code (upper half * blocks) >> 32}, and in each of the block's eight lanes of 32 bits it sets
 * the bit that is given by a multiple of the lower half.
 *
 * <p>Blocks are chosen by a multiplication, not by a modulo, so equal stripes do not fold. Adjacent
 * blocks do: {@code floor(floor(x * blocks) / f) = floor(x * (blocks/f))} for every f that divides
 * the blocks, so OR-ing every f adjacent blocks gives exactly the filter of that size.
 */
public final class SplitBlocks {
  /** The number of bits in a block. */
  public static final int BLOCK_BITS = 256;

  /** The number of bytes in a block. */
  public static final int BLOCK_BYTES = BLOCK_BITS / 8;

  /** The number of bits per key: one in each lane of its block. */
  public static final int HASHES = 8;

  private static final Hasher64 XXH64 = Hashing.xxh64();
  private static final int BLOCK_WORDS = 4;

  /** The logarithm of the probability that a key misses a given bit of its block. */
  private static final double LOG_MISS = Math.log1p(-1.0 / 32);

  /**
   * The load of a block at which nearly every absent key passes and exp(-load) does not underflow
   * yet.
   */
  private static final double FULL_LOAD = 600;

  private static final int[] SALT = {
    0x47b6137b, 0x44974d91, 0x8824ad5b, 0xa2b7289d, 0x705495c7, 0x2df1424b, 0x9efc4947, 0x5c6bfb31
  };

  private SplitBlocks() {}

  /** Returns the hash of the bytes of a key. */
  public static long hash(byte[] key) {
    return XXH64.hashBytesToLong(key);
  }

  /** Returns the number of blocks of a store. */
  public static long blocks(BitStore store) {
    return store.bits() / BLOCK_BITS;
  }

  /** Returns whether all bits of a hash are set. */
  public static boolean test(BitStore store, long hash) {
    long block = firstWord(store, hash) << 6;
    for (int lane = 0; lane < HASHES; lane++) {
      if (!store.isSet(block + 32L * lane + bit(hash, lane))) {
        return false;
      }
    }
    return true;
  }

  /** Sets all bits of a hash in a store that no other thread uses. */
  public static void put(HeapBits store, long hash) {
    long block = firstWord(store, hash);
    for (int lane = 0; lane < HASHES; lane++) {
      store.load(block + lane / 2, 1L << (32 * (lane & 1) + bit(hash, lane)));
    }
  }

  private static long firstWord(BitStore store, long hash) {
    return BLOCK_WORDS * (((hash >>> 32) * blocks(store)) >>> 32);
  }

  private static int bit(long hash, int lane) {
    return ((int) hash * SALT[lane]) >>> 27;
  }

  /**
   * Returns the store folded by a factor of its number of blocks: each group of {@code factor}
   * adjacent blocks is OR-ed into one.
   */
  public static HeapBits fold(BitStore store, long factor) {
    HeapBits folded = HeapBits.aligned(store.bits() / factor);
    long[] words = new long[BLOCK_WORDS];
    for (long block = 0; block < blocks(folded); block++) {
      group(store, block, factor, words);
      for (int i = 0; i < BLOCK_WORDS; i++) {
        folded.load(BLOCK_WORDS * block + i, words[i]);
      }
    }
    return folded;
  }

  /**
   * Returns a store with the same keys and any number of blocks. If that number divides the current
   * one, this is {@link #fold}. Otherwise the keys of one block may belong to several of the new
   * blocks. The block is OR-ed into each of them, so no key is lost, but the rate is higher than
   * that of a filter built at this size.
   */
  public static HeapBits resize(BitStore store, long blocks) {
    long own = blocks(store);
    if (own % blocks == 0) {
      return fold(store, own / blocks);
    }
    HeapBits resized = HeapBits.aligned(blocks * BLOCK_BITS);
    for (long block = 0; block < own; block++) {
      // the upper halves of hashes that choose this block, both ends inclusive
      long low = ceilingOfHalf(block, own);
      long high = ceilingOfHalf(block + 1, own) - 1;
      for (long into = (low * blocks) >>> 32; into <= (high * blocks) >>> 32; into++) {
        for (int i = 0; i < BLOCK_WORDS; i++) {
          resized.load(BLOCK_WORDS * into + i, store.word(BLOCK_WORDS * block + i));
        }
      }
    }
    return resized;
  }

  /** Returns the smallest upper half of a hash that chooses this block. */
  private static long ceilingOfHalf(long block, long blocks) {
    return ((block << 32) + blocks - 1) / blocks;
  }

  /** Computes the words of a folded block: the OR of the blocks that it is folded from. */
  private static void group(BitStore store, long foldedBlock, long factor, long[] into) {
    if (store instanceof HeapBits heap) {
      group(heap, (int) (BLOCK_WORDS * foldedBlock * factor), (int) factor, into);
      return;
    }
    Arrays.fill(into, 0);
    long from = BLOCK_WORDS * foldedBlock * factor;
    for (long word = from; word < from + BLOCK_WORDS * factor; word++) {
      into[(int) (word % BLOCK_WORDS)] |= store.word(word);
    }
  }

  /**
   * Computes the words of a folded block directly on the array, four words at a time, because
   * folding spends most of its time here.
   */
  private static void group(HeapBits store, int from, int factor, long[] into) {
    long[] words = store.array();
    int at = store.first() + from;
    long a = 0;
    long b = 0;
    long c = 0;
    long d = 0;
    for (int end = at + BLOCK_WORDS * factor; at < end; at += BLOCK_WORDS) {
      a |= words[at];
      b |= words[at + 1];
      c |= words[at + 2];
      d |= words[at + 3];
    }
    into[0] = a;
    into[1] = b;
    into[2] = c;
    into[3] = d;
  }

  /** Returns the exact false positive rate: the mean over blocks of the product over lanes. */
  public static double fpp(BitStore store) {
    return fppAfterFolding(store, 1);
  }

  /**
   * Returns the mean false positive rate of filters with this many keys: a block has a Poisson
   * number j of keys, and each lane of an absent key is then hit with probability {@code 1 -
   * (31/32)^j}.
   */
  public static double fpp(long blocks, long keys) {
    double load = (double) keys / blocks;
    if (load > FULL_LOAD) {
      return 1;
    }
    double weight = Math.exp(-load);
    double sum = 0;
    for (int j = 0; j <= load || weight > 1e-18; j++) {
      sum += weight * Math.pow(-Math.expm1(j * LOG_MISS), HASHES);
      weight *= load / (j + 1);
    }
    return sum;
  }

  /** Returns the exact rate after folding, computed without building the folded filter. */
  public static double fppAfterFolding(BitStore store, long factor) {
    long blocks = blocks(store) / factor;
    double sum = 0;
    long[] words = new long[BLOCK_WORDS];
    for (long block = 0; block < blocks; block++) {
      group(store, block, factor, words);
      double product = 1;
      for (int i = 0; i < BLOCK_WORDS && product > 0; i++) {
        long word = words[i];
        product *= Integer.bitCount((int) word) * Integer.bitCount((int) (word >>> 32)) / 1024.0;
      }
      sum += product;
    }
    return sum / blocks;
  }

  /**
   * Returns the estimated number of keys: the sum of each block's own estimate, since loads are
   * uneven.
   */
  public static double keys(BitStore store) {
    double sum = 0;
    for (long block = 0; block < store.wordCount(); block += BLOCK_WORDS) {
      int ones = 0;
      for (int i = 0; i < BLOCK_WORDS; i++) {
        ones += Long.bitCount(store.word(block + i));
      }
      sum += Math.log1p(-Math.min(ones, BLOCK_BITS - 0.5) / BLOCK_BITS) / LOG_MISS;
    }
    return sum;
  }
}
