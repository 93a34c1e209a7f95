package dev.bellows.internal.layout;

import dev.bellows.internal.bits.Words;

/**
 * A group of up to 32 hashes that are processed together: first all their addresses are computed,
 * then the memory is touched, then it is used, so that cache misses overlap.
 */
public final class Group {
  /** The maximum number of hashes in a group. */
  public static final int SIZE = 32;

  /** The hashes, starting at index 0. A layout may overwrite them. */
  public final long[] hashes = new long[SIZE];

  /** The address of a hash's next word or bit in the store. */
  final long[] places = new long[SIZE];

  /** The address of the word or bit after that, or the state of a sequence of positions. */
  final long[] others = new long[SIZE];

  /** The indices of the hashes that may still pass. */
  final byte[] open = new byte[SIZE];

  /**
   * The values that were read; kept, because the compiler removes reads whose results are unused.
   */
  long seen;

  /** Copies as many hashes from {@code [from, to)} of an array as fit, and returns their number. */
  public int take(long[] source, int from, int to) {
    int length = Math.min(SIZE, to - from);
    System.arraycopy(source, from, hashes, 0, length);
    return length;
  }

  /** Prefetches the words at the first addresses. */
  void touch(Words store, int length) {
    long any = 0;
    for (int i = 0; i < length; i++) {
      any |= store.word(places[i]);
    }
    seen = any;
  }
}
