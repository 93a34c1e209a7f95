package dev.bellows.internal;

import dev.bellows.plan.Layout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.LongToDoubleFunction;

/**
 * From a 64-bit hash to bits in an array of words. The array is a row of equal cells; a key chooses
 * cells by {@code (value mod cells)}, a value of 62 bits that does not depend on the size. That is
 * all the fold law needs: {@code (value mod cells) mod (cells/f) = value mod (cells/f)}, so OR-ing
 * the f stripes of cells gives the filter that would have been built at the smaller size (000 Eq 3,
 * Eq 6 corrected: errata F3).
 */
public abstract sealed class BitLayout permits ClassicBits, BlockedBits {
  /** The largest array of words a JVM gives. */
  public static final long MAX_BITS = 64L * (Integer.MAX_VALUE - 8);

  /** More bits per key than any plan asks for. */
  public static final int MAX_HASHES = 1 << 16;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  final long bits;
  final int hashes;
  private final int firstWord;
  private final long cells;
  private final long reciprocal;

  BitLayout(long bits, int hashes, int cellBits, int firstWord) {
    if (bits > MAX_BITS) {
      throw new IllegalArgumentException(
          bits + " bits are more than one filter can hold (" + MAX_BITS + "): split the keys");
    }
    this.bits = bits;
    this.hashes = hashes;
    this.firstWord = firstWord;
    this.cells = bits / cellBits;
    this.reciprocal = Long.MAX_VALUE / cells;
  }

  /** The layout of a size. */
  public static BitLayout of(Layout layout, long bits, int hashes) {
    Checks.positive(bits, "bits");
    Checks.inRange(1, MAX_HASHES, hashes, "hashes");
    return layout == Layout.CLASSIC ? new ClassicBits(bits, hashes) : new BlockedBits(bits, hashes);
  }

  /** An empty store: words that stay 0 up to the first cell, then {@link #wordCount} words. */
  public final long[] newStore() {
    return new long[firstWord + wordCount()];
  }

  /** The words that hold bits. */
  public final int wordCount() {
    return (int) (((bits - 1) >>> 6) + 1);
  }

  /** Where they begin in a store. */
  public final int firstWord() {
    return firstWord;
  }

  /** The store folded by a factor of its cells. */
  public final long[] fold(long[] words, long factor) {
    return Words.fold(words, firstWord, bits, factor);
  }

  /** The store repeated so many times. */
  public final long[] repeat(long[] words, long times) {
    return Words.repeat(words, firstWord, bits, times);
  }

  /** Refuses a store with ones behind its last bit. */
  public final void requireClearTail(long[] words) {
    if ((bits & 63) != 0 && words[words.length - 1] >>> bits != 0) {
      throw new IllegalArgumentException("ones stand behind the last of " + bits + " bits");
    }
  }

  /** Sets the key's bits, safely beside other threads; true iff a bit changed. */
  public abstract boolean set(long[] words, long hash);

  /** Whether all of the key's bits are set. */
  public abstract boolean test(long[] words, long hash);

  /** The key's position number {@code probe}, of {@code hashes}; positions may coincide. */
  public abstract long position(long hash, int probe);

  /** Sets the key's bits in a store that no other thread uses. */
  public abstract void load(long[] words, long hash);

  /** Sets the bits of a group's first hashes in a store that no other thread uses. */
  public abstract void load(long[] words, Group group, int length);

  /**
   * Sets the bits of a group's first hashes, as {@link #set} does; returns how many changed one.
   */
  public abstract int set(long[] words, Group group, int length);

  /**
   * Writes the answers for a group's first hashes to {@code hits}, from index {@code at} on, and
   * returns how many pass.
   */
  public abstract int test(long[] words, Group group, int length, boolean[] hits, int at);

  /**
   * Whether any of several stores has all of the key's bits; the layouts are of this kind and have
   * the same number of hashes.
   */
  public boolean testAny(BitLayout[] layouts, long[][] stores, long hash) {
    for (int i = 0; i < stores.length; i++) {
      if (layouts[i].test(stores[i], hash)) {
        return true;
      }
    }
    return false;
  }

  /** The rate at which outsiders pass this very store. */
  public abstract double fpp(long[] words);

  /** The rate to expect after folding by a factor, from one look at the unfolded store. */
  public abstract LongToDoubleFunction fppAfterFolding(long[] words);

  /** The number of keys that most likely set these bits; finite on a full store too. */
  public abstract double keys(long[] words);

  /**
   * The cell a 64-bit value chooses: its upper 62 bits modulo the number of cells. The quotient
   * comes from a product with the reciprocal and is at most one too small.
   */
  final long cell(long value) {
    long quotient = Math.multiplyHigh(value >>> 1, reciprocal);
    long less = (value >>> 2) - (quotient + 1) * cells;
    return less + (less >> 63 & cells);
  }

  /** Replaces a word if it is still what it was. */
  static boolean replace(long[] words, int index, long word, long other) {
    return WORD.compareAndSet(words, index, word, other);
  }

  /**
   * ORs the mask into a word, atomically where a bit is missing; true iff a bit changed. The first
   * attempt trusts the word just read, which is nearly always still there.
   */
  static boolean or(long[] words, int index, long mask) {
    long word = words[index];
    if ((word & mask) == mask) {
      return false;
    }
    return replace(words, index, word, word | mask)
        || ((long) WORD.getAndBitwiseOr(words, index, mask) & mask) != mask;
  }
}
