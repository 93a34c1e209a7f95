package dev.bellows.internal.store;

/**
 * An array of bits in 64-bit words, independent of where the memory is: {@link HeapBits} keeps them
 * on the heap. Layouts and their kernels read and set single words; folding and merging read many
 * words at once.
 *
 * <p>The fold law is here: cell i of the folded store is the OR of the cells {@code i + l *
 * cells/factor} (000 Eq 3, with 0-based cells: errata F4). A cell is a whole number of bits, so
 * that folding needs to know the bits only. They move as whole words where the folded size is a
 * multiple of 64, and as parts of two words elsewhere.
 */
public abstract sealed class BitStore permits HeapBits {
  /** The largest array of words that a JVM can allocate. */
  public static final long MAX_BITS = 64L * (Integer.MAX_VALUE - 8);

  /** The number of target words that are folded at a time, so that they stay in the cache. */
  private static final int PIECE_WORDS = 1 << 14;

  private final long bits;

  BitStore(long bits) {
    this.bits = bits;
  }

  /** The number of bits. */
  public final long bits() {
    return bits;
  }

  /** The number of words that hold them. */
  public final long wordCount() {
    return words(bits);
  }

  /** The number of words for this many bits. */
  public static long words(long bits) {
    return ((bits - 1) >>> 6) + 1;
  }

  /** A word. */
  public abstract long word(long index);

  /**
   * ORs the mask into a word, atomically where a bit is missing; true iff a bit changed. Any number
   * of threads may call it at the same time.
   */
  public abstract boolean or(long index, long mask);

  /** The same for a word that was just read as {@code seen} and has rarely changed since. */
  public abstract boolean or(long index, long seen, long mask);

  /** ORs the mask into a word of a store that no other thread uses. */
  public abstract void load(long index, long mask);

  /** Copies words into an array. */
  public abstract void copyTo(long from, long[] into, int at, int count);

  /** ORs words into those of an array. */
  public abstract void orTo(long from, long[] into, int at, int count);

  /** Whether the bit at a position is one. */
  public final boolean isSet(long position) {
    return ((word(position >>> 6) >>> position) & 1) != 0;
  }

  /** Sets the bit at a position of a store that no other thread uses; true iff it was zero. */
  public final boolean loadBit(long position) {
    boolean changed = !isSet(position);
    load(position >>> 6, 1L << position);
    return changed;
  }

  /** The number of ones. */
  public final long ones() {
    long ones = 0;
    for (long i = 0, count = wordCount(); i < count; i++) {
      ones += Long.bitCount(word(i));
    }
    return ones;
  }

  /** The store folded by a factor of its bits. */
  public final HeapBits fold(long factor) {
    long folded = bits / factor;
    HeapBits out = HeapBits.aligned(folded);
    if ((folded & 63) == 0) {
      foldWords(out);
    } else {
      foldBits(out);
    }
    return out;
  }

  /** ORs the stripes one after the other, a cache-sized piece of the target at a time. */
  private void foldWords(HeapBits out) {
    long[] target = out.array();
    long stripe = out.wordCount();
    for (long from = 0; from < stripe; from += PIECE_WORDS) {
      int count = (int) Math.min(PIECE_WORDS, stripe - from);
      int at = out.first() + (int) from;
      copyTo(from, target, at, count);
      for (long start = from + stripe; start < wordCount(); start += stripe) {
        orTo(start, target, at, count);
      }
    }
  }

  /** The same where stripes begin inside words. */
  private void foldBits(HeapBits out) {
    long last = out.wordCount() - 1;
    long lastMask = -1L >>> -out.bits();
    for (long start = 0; start < bits; start += out.bits()) {
      for (long i = 0; i < last; i++) {
        out.load(i, bitsAt(start + (i << 6)));
      }
      out.load(last, bitsAt(start + (last << 6)) & lastMask);
    }
  }

  /** The 64 bits from a position on; zeros behind the last. */
  private long bitsAt(long position) {
    long index = position >>> 6;
    long low = word(index) >>> position;
    boolean split = (position & 63) != 0 && index + 1 < wordCount();
    return split ? low | word(index + 1) << -position : low;
  }

  /**
   * The store repeated this many times. For a folding, the result has all bits of the store that
   * was folded, and more: the nearest there is to an inverse of {@link #fold}.
   */
  public final HeapBits repeat(long times) {
    HeapBits out = HeapBits.aligned(bits * times);
    if ((bits & 63) == 0) {
      int length = (int) wordCount();
      for (long to = 0; to < out.wordCount(); to += length) {
        copyTo(0, out.array(), out.first() + (int) to, length);
      }
      return out;
    }
    for (long position = 0, source = 0; position < out.bits(); position++) {
      out.load(position >>> 6, (isSet(source) ? 1L : 0L) << position);
      source = source + 1 == bits ? 0 : source + 1;
    }
    return out;
  }

  /** The OR of two stores of equal size, as a new store. */
  public abstract HeapBits union(BitStore other);

  /** The AND of two stores of equal size, as a new store. */
  public abstract HeapBits intersection(BitStore other);

  /** Whether every one of these bits is one in the other store. */
  public final boolean isSubsetOf(BitStore other) {
    for (long i = 0, count = wordCount(); i < count; i++) {
      if ((word(i) & ~other.word(i)) != 0) {
        return false;
      }
    }
    return true;
  }

  /** An independent store with the same bits. */
  public final HeapBits copy() {
    HeapBits copy = HeapBits.aligned(bits);
    copyTo(0, copy.array(), copy.first(), (int) wordCount());
    return copy;
  }

  /**
   * A 64-bit hash of the content: the sum over the words of a mix of index and word, so that the
   * order of reading does not matter. Words of zero add nothing. The size adds to it too, so that a
   * folding has another hash than the store that was folded.
   */
  public final long contentHash() {
    long sum = ContentHash.ofSize(bits);
    for (long i = 0, count = wordCount(); i < count; i++) {
      sum += ContentHash.of(i, word(i));
    }
    return sum;
  }

  /** Refuses a store with ones after its last bit. */
  public final void requireClearTail() {
    if ((bits & 63) != 0 && word(wordCount() - 1) >>> bits != 0) {
      throw new IllegalArgumentException("there are ones after the last of " + bits + " bits");
    }
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof BitStore store && bits == store.bits && sameWords(store);
  }

  private boolean sameWords(BitStore other) {
    for (long i = 0, count = wordCount(); i < count; i++) {
      if (word(i) != other.word(i)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public final int hashCode() {
    return Long.hashCode(contentHash());
  }
}
