package dev.bellows.internal.bits;

import dev.bellows.internal.base.Prose;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/** Bits in an array of words. */
public final class HeapBits extends BitStore {
  /**
   * The index of the first word of an aligned store in its array. G1, the default collector,
   * allocates a large array at the start of a region, and the words of the array begin 16 bytes
   * later. The next cache line begins six words after that, so starting there, every block of 512
   * bits is in one line instead of two.
   */
  private static final int ALIGNED = 6;

  /**
   * The minimum number of bits of an aligned store; for a few cache lines alignment makes no
   * difference.
   */
  private static final long LEAST_ALIGNED_BITS = 1 << 12;

  private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final int first;

  private HeapBits(long bits, long[] words, int first) {
    super(bits);
    this.words = words;
    this.first = first;
  }

  /** Returns a store of zeros, aligned so that each block of a large store is one cache line. */
  public static HeapBits aligned(long bits) {
    if (bits > MAX_BITS) {
      throw new IllegalArgumentException(
          ("%d bits are more than one filter can hold on the heap (%d): fill a "
                  + "file with loader(path) and open it with map(path), or split the keys")
              .formatted(bits, MAX_BITS));
    }
    int first = first(bits);
    return new HeapBits(bits, words(bits, first), first);
  }

  private static long[] words(long bits, int first) {
    try {
      return new long[first + (int) words(bits)];
    } catch (OutOfMemoryError e) {
      throw new IllegalArgumentException(
          ("%s for %d bits do not fit into the heap: give the JVM more (-Xmx), or fill a file with"
                  + " loader(path), and open it with map(path)")
              .formatted(Prose.bytes(bits / Byte.SIZE), bits),
          e);
    }
  }

  /** Returns the index of the first word of an aligned store in its array. */
  public static int first(long bits) {
    return bits < LEAST_ALIGNED_BITS ? 0 : ALIGNED;
  }

  /** Returns a store that uses existing words, from index {@code first} to the end of the array. */
  public static HeapBits over(long bits, long[] words, int first) {
    return new HeapBits(bits, words, first);
  }

  /** Returns the array; the words before {@link #first} are not bits of the store. */
  public long[] array() {
    return words;
  }

  /** Returns the index in the array at which the bits begin. */
  public int first() {
    return first;
  }

  @Override
  public long word(long index) {
    return words[first + (int) index];
  }

  /**
   * ORs the mask into a word, atomically if a bit is missing, and returns whether a bit changed.
   * Thread-safe.
   */
  public boolean or(long index, long mask) {
    long word = word(index);
    return (word & mask) != mask && or(index, word, mask);
  }

  /** ORs the mask into a word that was just read as {@code seen} and has rarely changed since. */
  public boolean or(long index, long seen, long mask) {
    int at = first + (int) index;
    return WORD.compareAndSet(words, at, seen, seen | mask)
        ? (mask & ~seen) != 0
        : ((long) WORD.getAndBitwiseOr(words, at, mask) & mask) != mask;
  }

  /** ORs the mask into a word of a store that no other thread uses. */
  public void load(long index, long mask) {
    words[first + (int) index] |= mask;
  }

  /**
   * Sets the bit at a position of a store that no other thread uses, and returns whether it was
   * zero.
   */
  public boolean loadBit(long position) {
    boolean changed = !isSet(position);
    load(position >>> 6, 1L << position);
    return changed;
  }

  @Override
  public void copyTo(long from, long[] into, int at, int count) {
    System.arraycopy(words, first + (int) from, into, at, count);
  }

  @Override
  public void passTo(WordSink sink) throws IOException {
    int count = (int) wordCount();
    for (int done = 0, length; done < count; done += length) {
      length = Math.min(CHUNK_WORDS, count - done);
      sink.accept(words, first + done, length);
    }
  }

  @Override
  public void orTo(long from, long[] into, int at, int count) {
    int start = first + (int) from;
    for (int i = 0; i < count; i++) {
      into[at + i] |= words[start + i];
    }
  }

  /** ORs the other store, of the same size, into this one, which no other thread uses. */
  public void loadAll(BitStore other) {
    combine(this, other, true);
  }

  /**
   * Sets this store, which no other thread uses, to the OR or else the AND of two stores of its
   * size, and returns it.
   */
  HeapBits combine(BitStore one, BitStore other, boolean or) {
    int count = (int) wordCount();
    if (!(one instanceof HeapBits a && other instanceof HeapBits b)) {
      return one.reading(() -> other.reading(() -> combineWords(one, other, or)));
    }
    if (or) {
      union(a.words, a.first, b.words, b.first, words, first, count);
    } else {
      intersection(a.words, a.first, b.words, b.first, words, first, count);
    }
    return this;
  }

  /** Combines stores of which at least one is not on the heap. */
  private HeapBits combineWords(BitStore one, BitStore other, boolean or) {
    for (int i = 0, count = (int) wordCount(); i < count; i++) {
      long here = one.word(i);
      long there = other.word(i);
      words[first + i] = or ? here | there : here & there;
    }
    return this;
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

  /** ORs the other store, of the same size, into this one, while other threads may set bits. */
  public boolean orAll(BitStore other) {
    return other.reading(
        () -> {
          boolean changed = false;
          for (long i = 0, count = wordCount(); i < count; i++) {
            changed |= or(i, other.word(i));
          }
          return changed;
        });
  }

  /**
   * ORs words into this store, starting at the word with this index, while other threads may set
   * bits.
   */
  public boolean orAll(long from, long[] mask, int count) {
    if (count > 0 && from + count == wordCount()) {
      requireClearTail(mask[count - 1]);
    }
    boolean changed = false;
    for (int i = 0; i < count; i++) {
      changed |= or(from + i, mask[i]);
    }
    return changed;
  }

  /** Sets every bit to zero. */
  public void clear() {
    Arrays.fill(words, 0);
  }
}
