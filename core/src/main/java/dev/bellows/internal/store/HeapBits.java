package dev.bellows.internal.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** Bits in an array of words. */
public final class HeapBits extends BitStore {
  /**
   * G1, the usual collector, lays a large array at the start of a region, and the array's words
   * begin 16 bytes later: six words on, a cache line begins, and every block of 512 bits from there
   * on is one line instead of parts of two.
   */
  private static final int ALIGNED = 6;

  /** An array that fits into a few cache lines gains nothing from where it begins. */
  private static final long LEAST_ALIGNED_BITS = 1 << 12;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
  private static final BlockKernel KERNEL = BlockKernel.ACTIVE;

  private final long[] words;
  private final int first;

  private HeapBits(long bits, long[] words, int first) {
    super(bits);
    this.words = words;
    this.first = first;
  }

  /** Zeros, placed so that blocks of a large store are cache lines. */
  public static HeapBits aligned(long bits) {
    int first = first(bits);
    return new HeapBits(bits, new long[first + (int) words(bits)], first);
  }

  /** Where the first word of an aligned store is in its array. */
  public static int first(long bits) {
    return bits < LEAST_ALIGNED_BITS ? 0 : ALIGNED;
  }

  /** Bits over words that are there already, from index {@code first} to the end of the array. */
  public static HeapBits over(long bits, long[] words, int first) {
    return new HeapBits(bits, words, first);
  }

  /** The array; its first words up to {@link #first} are no bits. */
  public long[] array() {
    return words;
  }

  /** Where in the array the bits begin. */
  public int first() {
    return first;
  }

  @Override
  public long word(long index) {
    return words[first + (int) index];
  }

  @Override
  public boolean or(long index, long mask) {
    return or(words, first + (int) index, mask);
  }

  /** The first attempt trusts the word just read, which is nearly always still there. */
  static boolean or(long[] words, int at, long mask) {
    long word = words[at];
    if ((word & mask) == mask) {
      return false;
    }
    return replace(words, at, word, word | mask)
        || ((long) WORD.getAndBitwiseOr(words, at, mask) & mask) != mask;
  }

  /** Replaces a word if it is still what it was, atomically. */
  static boolean replace(long[] words, int at, long word, long other) {
    return WORD.compareAndSet(words, at, word, other);
  }

  @Override
  public void load(long index, long mask) {
    words[first + (int) index] |= mask;
  }

  @Override
  boolean testBlock(long block, long fields) {
    return KERNEL.test(words, first + (int) block, fields);
  }

  @Override
  boolean setBlock(long block, long fields) {
    return BlockKernel.set(words, first + (int) block, fields);
  }

  @Override
  void loadBlock(long block, long fields) {
    KERNEL.load(words, first + (int) block, fields);
  }

  @Override
  public void copyTo(long from, long[] into, int at, int count) {
    System.arraycopy(words, first + (int) from, into, at, count);
  }

  @Override
  public void orTo(long from, long[] into, int at, int count) {
    or(into, at, words, first + (int) from, count);
  }

  private static void or(long[] into, int at, long[] other, int from, int count) {
    for (int i = 0; i < count; i++) {
      into[at + i] |= other[from + i];
    }
  }

  @Override
  public HeapBits union(BitStore other) {
    HeapBits out = aligned(bits());
    combine(other, out, true);
    return out;
  }

  @Override
  public HeapBits intersection(BitStore other) {
    HeapBits out = aligned(bits());
    combine(other, out, false);
    return out;
  }

  /** ORs the other store, of the same size, into this one, which no other thread uses. */
  public void loadAll(BitStore other) {
    combine(other, this, true);
  }

  /** ANDs the other store, of the same size, into this one, which no other thread uses. */
  public void keepAll(BitStore other) {
    combine(other, this, false);
  }

  private void combine(BitStore other, HeapBits into, boolean or) {
    int count = (int) wordCount();
    if (other instanceof HeapBits heap) {
      if (or) {
        union(words, first, heap.words, heap.first, into.words, into.first, count);
      } else {
        intersection(words, first, heap.words, heap.first, into.words, into.first, count);
      }
      return;
    }
    for (int i = 0; i < count; i++) {
      long theirs = other.word(i);
      into.words[into.first + i] = or ? word(i) | theirs : word(i) & theirs;
    }
  }

  private static void union(long[] a, int from, long[] b, int start, long[] to, int at, int count) {
    for (int i = 0; i < count; i++) {
      to[at + i] = a[from + i] | b[start + i];
    }
  }

  private static void intersection(
      long[] a, int from, long[] b, int start, long[] to, int at, int count) {
    for (int i = 0; i < count; i++) {
      to[at + i] = a[from + i] & b[start + i];
    }
  }

  /** ORs the other store, of the same size, into this one, safely beside other threads. */
  public boolean orAll(BitStore other) {
    boolean changed = false;
    for (long i = 0, count = wordCount(); i < count; i++) {
      changed |= or(i, other.word(i));
    }
    return changed;
  }

  /** Makes every bit zero. */
  public void clear() {
    Arrays.fill(words, 0);
  }
}
