package dev.bellows.internal.bits;

import java.io.IOException;
import java.util.function.LongBinaryOperator;
import java.util.function.Supplier;

/**
 * An array of bits in 64-bit words, independent of where the memory is: {@link HeapBits} keeps them
 * on the heap and can change, {@link MappedBits} are those of a mapped file and cannot. Layouts and
 * their kernels read single words; folding and merging read many words at once. Another kind of
 * store only needs another subclass; a branch in the layouts is needed only if it must be as fast
 * as these two.
 *
 * <p>This class implements the fold law: cell i of the folded store is the OR of the cells {@code i
 * + l * cells/factor} (Folding paper, Eq. 3, with 0-based cells: erratum <a
 * href="{@docRoot}/doc-files/errata.html#F4">F4</a>). A cell is a whole number of bits, so folding
 * does not depend on the size of a cell. Bits are moved as whole words if the folded size is a
 * multiple of 64, and as parts of two words otherwise.
 */
public abstract class BitStore extends Words {
  /** The maximum number of bits on the heap: the largest array of words that a JVM can allocate. */
  public static final long MAX_BITS = 64L * (Integer.MAX_VALUE - 8);

  /** The number of target words that are folded at a time, so that they stay in the cache. */
  private static final int PIECE_WORDS = 1 << 14;

  /** The maximum number of words that are passed to a sink at a time. */
  public static final int CHUNK_WORDS = 1 << 13;

  private final long bits;

  BitStore(long bits) {
    this.bits = bits;
  }

  /** Returns the number of bits. */
  public final long bits() {
    return bits;
  }

  /** Returns the number of words. */
  public final long wordCount() {
    return words(bits);
  }

  /** Returns the number of words for this many bits. */
  public static long words(long bits) {
    return ((bits - 1) >>> 6) + 1;
  }

  /**
   * Returns the words for batches, which end with {@link #confirm}: those of this store, without
   * checks once all pieces have been checked.
   */
  public Words direct() {
    return this;
  }

  /** Copies words into an array. */
  public abstract void copyTo(long from, long[] into, int at, int count);

  /** Copies words to the beginning of an array, inside {@link #reading}. */
  public final void copy(long from, long[] into, int count) {
    reading(
        () -> {
          copyTo(from, into, 0, count);
          return into;
        });
  }

  /** Passes all words to a sink, in order. */
  public void passTo(WordSink sink) throws IOException {
    long[] chunk = new long[(int) Math.min(CHUNK_WORDS, wordCount())];
    for (long done = 0; done < wordCount(); done += chunk.length) {
      int length = (int) Math.min(chunk.length, wordCount() - done);
      copy(done, chunk, length);
      sink.accept(chunk, 0, length);
    }
  }

  /** ORs words into those of an array. */
  public void orTo(long from, long[] into, int at, int count) {
    for (int i = 0; i < count; i++) {
      into[at + i] |= word(from + i);
    }
  }

  /**
   * Returns words for a single query as a store of their own, which this thread may use until the
   * next call. They are certain: if a mapped file no longer has them, this method throws. Must be
   * called inside a block that catches InternalError and throws the {@link #fault} instead.
   */
  public HeapBits certain(long from, int count) {
    HeapBits words = HeapBits.aligned((long) count << 6);
    copyTo(from, words.array(), words.first(), count);
    return words;
  }

  /** Returns whether the bit at a position is one, as certain as {@link #certain}. */
  public boolean isSet(long position) {
    return ((word(position >>> 6) >>> position) & 1) != 0;
  }

  /** Returns the number of ones. */
  public long ones() {
    return reading(
        () -> {
          long ones = 0;
          for (long i = 0, count = wordCount(); i < count; i++) {
            ones += Long.bitCount(word(i));
          }
          return ones;
        });
  }

  /** Returns the store folded by a factor, which must divide the number of bits. */
  public final HeapBits fold(long factor) {
    long folded = bits / factor;
    HeapBits out = HeapBits.aligned(folded);
    return reading(() -> (folded & 63) == 0 ? foldWords(out) : foldBits(out));
  }

  /** ORs the stripes one after the other, a cache-sized piece of the target at a time. */
  private HeapBits foldWords(HeapBits out) {
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
    return out;
  }

  /** Like {@link #foldWords}, for stripes that begin inside words. */
  private HeapBits foldBits(HeapBits out) {
    long last = out.wordCount() - 1;
    long lastMask = -1L >>> -out.bits();
    for (long start = 0; start < bits; start += out.bits()) {
      for (long i = 0; i < last; i++) {
        out.load(i, bitsAt(start + (i << 6)));
      }
      out.load(last, bitsAt(start + (last << 6)) & lastMask);
    }
    return out;
  }

  /** Returns the 64 bits starting at a position, with zeros after the last bit. */
  private long bitsAt(long position) {
    long index = position >>> 6;
    long low = word(index) >>> position;
    boolean split = (position & 63) != 0 && index + 1 < wordCount();
    return split ? low | word(index + 1) << -position : low;
  }

  /**
   * Returns the store repeated this many times. For a folding, the result has all one bits of the
   * store that was folded, and more; this is the closest approximation of an inverse of {@link
   * #fold}.
   */
  public final HeapBits repeat(long times) {
    HeapBits out = HeapBits.aligned(bits * times);
    return reading(() -> repeatInto(out));
  }

  private HeapBits repeatInto(HeapBits out) {
    if ((bits & 63) == 0) {
      int length = (int) wordCount();
      for (long to = 0; to < out.wordCount(); to += length) {
        copyTo(0, out.array(), out.first() + (int) to, length);
      }
      return out;
    }
    for (long position = 0, source = 0; position < out.bits(); position++) {
      out.load(position >>> 6, (word(source >>> 6) >>> source & 1) << position);
      source = source + 1 == bits ? 0 : source + 1;
    }
    return out;
  }

  /** Returns the OR of two stores of equal size, as a new store. */
  public final HeapBits union(BitStore other) {
    return HeapBits.aligned(bits).combine(this, other, true);
  }

  /** Returns the AND of two stores of equal size, as a new store. */
  public final HeapBits intersection(BitStore other) {
    return HeapBits.aligned(bits).combine(this, other, false);
  }

  /** Returns whether all one bits of this store are one in the other store. */
  public final boolean isSubsetOf(BitStore other) {
    return allZero(other, (here, there) -> here & ~there);
  }

  /** Returns an independent store with the same bits. */
  public final HeapBits copy() {
    HeapBits copy = HeapBits.aligned(bits);
    return reading(
        () -> {
          copyTo(0, copy.array(), copy.first(), (int) wordCount());
          return copy;
        });
  }

  /**
   * Returns a 64-bit hash of the content: the sum over the words of a mix of index and word, so the
   * order of reading does not matter. Zero words add nothing. The size is included, so a folding
   * has a different hash than the store that was folded.
   */
  public final long contentHash() {
    return reading(
        () -> {
          long sum = ContentHash.ofSize(bits);
          for (long i = 0, count = wordCount(); i < count; i++) {
            sum += ContentHash.of(i, word(i));
          }
          return sum;
        });
  }

  /**
   * Runs an operation that reads words and returns its result. Throws if a mapped file was
   * truncated, because the words read may then be wrong.
   */
  public <T> T reading(Supplier<T> operation) {
    return operation.get();
  }

  /**
   * Throws if words that were read without {@link #reading} may be wrong. Must be called inside a
   * block that catches InternalError and throws the {@link #fault} instead.
   */
  public void confirm() {}

  /** Returns the exception for a fault while words were read. */
  public RuntimeException fault(InternalError fault) {
    throw fault;
  }

  /** Returns whether the path of a mapped file now refers to another file; false on the heap. */
  public boolean isStale() {
    return false;
  }

  /** Verifies the checksums of all pieces of a mapped file immediately. */
  public void verify() throws IOException {}

  /** Makes further queries of a mapped file throw. */
  public void close() {}

  /** Throws if a store has ones after its last bit. */
  public final void requireClearTail() {
    requireClearTail(reading(() -> word(wordCount() - 1)));
  }

  /** Throws if a last word has ones after the last bit. */
  final void requireClearTail(long last) {
    if ((bits & 63) != 0 && last >>> bits != 0) {
      throw new IllegalArgumentException("there are ones after the last of " + bits + " bits");
    }
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof BitStore store
        && bits == store.bits
        && allZero(store, (here, there) -> here ^ there);
  }

  /** Returns whether an operation gives zero for all pairs of words of the two stores. */
  private boolean allZero(BitStore other, LongBinaryOperator operation) {
    return reading(
        () ->
            other.reading(
                () -> {
                  for (long i = 0, count = wordCount(); i < count; i++) {
                    if (operation.applyAsLong(word(i), other.word(i)) != 0) {
                      return false;
                    }
                  }
                  return true;
                }));
  }

  @Override
  public final int hashCode() {
    return Long.hashCode(contentHash());
  }
}
