package dev.bellows.internal.bits;

/**
 * Computes the contribution of one indexed value to the 64-bit hash of a content. The sum of all
 * contributions identifies the content of a filter from which foldings were made; spec/FORMAT.md
 * specifies the constants.
 */
public final class ContentHash {
  private static final long INDEX = 0x9e3779b97f4a7c15L;
  private static final long FIRST = 0xbf58476d1ce4e5b9L;
  private static final long SECOND = 0x94d049bb133111ebL;

  private ContentHash() {}

  /**
   * Returns the contribution of the number of bits or counters, which is treated as a value before
   * the first one.
   */
  public static long ofSize(long size) {
    return of(-1, size);
  }

  /** Returns the mix of an index and a value; a value of 0 adds nothing. */
  public static long of(long index, long value) {
    if (value == 0) {
      return 0;
    }
    long z = value ^ ((index + 1) * INDEX);
    z = (z ^ (z >>> 30)) * FIRST;
    z = (z ^ (z >>> 27)) * SECOND;
    z ^= z >>> 31;
    // mixes in the index again, so that equal values at different indices contribute differently
    z = (z + (index + 1) * FIRST) * SECOND;
    return z ^ (z >>> 32);
  }
}
