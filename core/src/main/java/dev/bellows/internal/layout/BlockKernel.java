package dev.bellows.internal.layout;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.bits.Words;

/**
 * Sets and tests the bits of a key in one block of eight words, by pattern. The fields of a key are
 * taken from the top of a product: for each group of words the index of the word inside the group
 * (2 bits for 4 words, 1 bit for 2, none for 1), then 6 bits for each position. A group whose
 * fields do not fit into the rest of a product begins the next product (spec/HASHING.md, section
 * 5).
 *
 * <p>The patterns that plans choose, and 8x1, are written out: one branch after the first words
 * rejects most absent keys, and the rest is decided without another branch; {@code testAll} has no
 * branch at all, for callers that query many keys or stores at once. All other patterns use the
 * loop.
 *
 * <p>A put reads its words before it changes the first one, because a read after an atomic
 * operation waits for it. A word that already has all bits is written like the others, because a
 * mispredicted branch costs more than a redundant compare-and-set.
 */
final class BlockKernel {
  private static final long FIRST = 0x9fb21c651e98df25L;
  private static final long NEXT = 0xd6e8feb86659fd93L;

  private BlockKernel() {}

  /** Returns the first product of a hash; the block came from the hash itself. */
  static long fields(long hash) {
    return (hash ^ (hash >>> 32)) * FIRST;
  }

  /** Returns the product that follows another one. */
  static long next(long fields) {
    return (fields ^ (fields >>> 29)) * NEXT;
  }

  private static long one(long fields, int top) {
    return 1L << (fields >>> (top - 6));
  }

  private static long two(long fields, int top) {
    return 1L << (fields >>> (top - 6)) | 1L << (fields >>> (top - 12));
  }

  private static long three(long fields, int top) {
    return 1L << (fields >>> (top - 6))
        | 1L << (fields >>> (top - 12))
        | 1L << (fields >>> (top - 18));
  }

  /** Returns the bits of a mask that a word lacks. */
  private static long lack(Words store, long index, long mask) {
    return mask & ~store.word(index);
  }

  static boolean test2x2(Words store, long block, long f) {
    // at several percent, the first word accepts too many absent keys for a branch after it
    return (lack(store, block + (f >>> 62), two(f, 62))
            | lack(store, block + 4 + (f >>> 48 & 3), two(f, 48)))
        == 0;
  }

  static boolean test2x3(Words store, long block, long f) {
    return lack(store, block + (f >>> 62), three(f, 62)) == 0
        && lack(store, block + 4 + (f >>> 42 & 3), three(f, 42)) == 0;
  }

  static boolean test4x2(Words store, long block, long f) {
    return lack(store, block + (f >>> 63), two(f, 63)) == 0
        && lack(store, block + 2 + (f >>> 50 & 1), two(f, 50)) == 0
        && (lack(store, block + 4 + (f >>> 37 & 1), two(f, 37))
                | lack(store, block + 6 + (f >>> 24 & 1), two(f, 24)))
            == 0;
  }

  static boolean test4x3(Words store, long block, long f) {
    if (lack(store, block + (f >>> 63), three(f, 63)) != 0
        || lack(store, block + 2 + (f >>> 44 & 1), three(f, 44)) != 0) {
      return false;
    }
    long g = next(f);
    return (lack(store, block + 4 + (f >>> 25 & 1), three(f, 25))
            | lack(store, block + 6 + (g >>> 63), three(g, 63)))
        == 0;
  }

  static boolean test8x1(Words store, long block, long f) {
    long upper =
        ((store.word(block) >>> (f >>> 58)) & (store.word(block + 1) >>> (f >>> 52)))
            & ((store.word(block + 2) >>> (f >>> 46)) & (store.word(block + 3) >>> (f >>> 40)));
    if (((int) upper & 1) == 0) {
      return false;
    }
    long lower =
        ((store.word(block + 4) >>> (f >>> 34)) & (store.word(block + 5) >>> (f >>> 28)))
            & ((store.word(block + 6) >>> (f >>> 22)) & (store.word(block + 7) >>> (f >>> 16)));
    // compared as an int, which was measured to be faster than a long
    return ((int) lower & 1) != 0;
  }

  static boolean test8x2(Words store, long block, long f) {
    if ((lack(store, block, two(f, 64)) | lack(store, block + 1, two(f, 52))) != 0) {
      return false;
    }
    long g = next(f);
    return (lack(store, block + 2, two(f, 40))
            | lack(store, block + 3, two(f, 28))
            | lack(store, block + 4, two(f, 16))
            | lack(store, block + 5, two(g, 64))
            | lack(store, block + 6, two(g, 52))
            | lack(store, block + 7, two(g, 40)))
        == 0;
  }

  static boolean testAll2x3(Words store, long block, long f) {
    return (lack(store, block + (f >>> 62), three(f, 62))
            | lack(store, block + 4 + (f >>> 42 & 3), three(f, 42)))
        == 0;
  }

  static boolean testAll4x2(Words store, long block, long f) {
    return (lack(store, block + (f >>> 63), two(f, 63))
            | lack(store, block + 2 + (f >>> 50 & 1), two(f, 50))
            | lack(store, block + 4 + (f >>> 37 & 1), two(f, 37))
            | lack(store, block + 6 + (f >>> 24 & 1), two(f, 24)))
        == 0;
  }

  static boolean testAll4x3(Words store, long block, long f) {
    long g = next(f);
    return (lack(store, block + (f >>> 63), three(f, 63))
            | lack(store, block + 2 + (f >>> 44 & 1), three(f, 44))
            | lack(store, block + 4 + (f >>> 25 & 1), three(f, 25))
            | lack(store, block + 6 + (g >>> 63), three(g, 63)))
        == 0;
  }

  static boolean testAll8x1(Words store, long block, long f) {
    long present =
        (store.word(block) >>> (f >>> 58))
            & (store.word(block + 1) >>> (f >>> 52))
            & (store.word(block + 2) >>> (f >>> 46))
            & (store.word(block + 3) >>> (f >>> 40))
            & (store.word(block + 4) >>> (f >>> 34))
            & (store.word(block + 5) >>> (f >>> 28))
            & (store.word(block + 6) >>> (f >>> 22))
            & (store.word(block + 7) >>> (f >>> 16));
    return ((int) present & 1) != 0;
  }

  static boolean testAll8x2(Words store, long block, long f) {
    long g = next(f);
    return (lack(store, block, two(f, 64))
            | lack(store, block + 1, two(f, 52))
            | lack(store, block + 2, two(f, 40))
            | lack(store, block + 3, two(f, 28))
            | lack(store, block + 4, two(f, 16))
            | lack(store, block + 5, two(g, 64))
            | lack(store, block + 6, two(g, 52))
            | lack(store, block + 7, two(g, 40)))
        == 0;
  }

  static boolean set2x2(HeapBits store, long block, long f) {
    return set(store, block + (f >>> 62), two(f, 62), block + 4 + (f >>> 48 & 3), two(f, 48));
  }

  static boolean set2x3(HeapBits store, long block, long f) {
    return set(store, block + (f >>> 62), three(f, 62), block + 4 + (f >>> 42 & 3), three(f, 42));
  }

  static boolean set4x2(HeapBits store, long block, long f) {
    return set(
        store,
        block + (f >>> 63),
        two(f, 63),
        block + 2 + (f >>> 50 & 1),
        two(f, 50),
        block + 4 + (f >>> 37 & 1),
        two(f, 37),
        block + 6 + (f >>> 24 & 1),
        two(f, 24));
  }

  static boolean set4x3(HeapBits store, long block, long f) {
    long g = next(f);
    return set(
        store,
        block + (f >>> 63),
        three(f, 63),
        block + 2 + (f >>> 44 & 1),
        three(f, 44),
        block + 4 + (f >>> 25 & 1),
        three(f, 25),
        block + 6 + (g >>> 63),
        three(g, 63));
  }

  @SuppressWarnings("ShortCircuitBoolean") // both words must be set
  private static boolean set(HeapBits store, long i0, long m0, long i1, long m1) {
    long w0 = store.word(i0);
    long w1 = store.word(i1);
    if (((m0 & ~w0) | (m1 & ~w1)) == 0) {
      return false;
    }
    return store.or(i0, w0, m0) | store.or(i1, w1, m1);
  }

  @SuppressWarnings("ShortCircuitBoolean") // all words must be set
  private static boolean set(
      HeapBits store, long i0, long m0, long i1, long m1, long i2, long m2, long i3, long m3) {
    long w0 = store.word(i0);
    long w1 = store.word(i1);
    long w2 = store.word(i2);
    long w3 = store.word(i3);
    if (((m0 & ~w0) | (m1 & ~w1) | (m2 & ~w2) | (m3 & ~w3)) == 0) {
      return false;
    }
    return store.or(i0, w0, m0)
        | store.or(i1, w1, m1)
        | store.or(i2, w2, m2)
        | store.or(i3, w3, m3);
  }

  static void load2x2(HeapBits store, long block, long f) {
    store.load(block + (f >>> 62), two(f, 62));
    store.load(block + 4 + (f >>> 48 & 3), two(f, 48));
  }

  static void load2x3(HeapBits store, long block, long f) {
    store.load(block + (f >>> 62), three(f, 62));
    store.load(block + 4 + (f >>> 42 & 3), three(f, 42));
  }

  static void load4x2(HeapBits store, long block, long f) {
    store.load(block + (f >>> 63), two(f, 63));
    store.load(block + 2 + (f >>> 50 & 1), two(f, 50));
    store.load(block + 4 + (f >>> 37 & 1), two(f, 37));
    store.load(block + 6 + (f >>> 24 & 1), two(f, 24));
  }

  static void load4x3(HeapBits store, long block, long f) {
    long g = next(f);
    store.load(block + (f >>> 63), three(f, 63));
    store.load(block + 2 + (f >>> 44 & 1), three(f, 44));
    store.load(block + 4 + (f >>> 25 & 1), three(f, 25));
    store.load(block + 6 + (g >>> 63), three(g, 63));
  }

  static void load8x1(HeapBits store, long block, long f) {
    for (int word = 0; word < 8; word++) {
      store.load(block + word, one(f, 64 - 6 * word));
    }
  }
}
