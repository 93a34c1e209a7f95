package dev.bellows.internal.layout;

import dev.bellows.internal.bits.Words;

/**
 * Up to 32 hashes that go through a filter together: first all their places are found, then their
 * memory is touched, then it is used, so that the misses of the caches overlap.
 */
public final class Group {
  /** The hashes that go together. */
  public static final int SIZE = 32;

  /** The hashes, from index 0 on; a layout may use them up. */
  public final long[] hashes = new long[SIZE];

  /** Where in the store a hash's next word or bit is. */
  final long[] places = new long[SIZE];

  /** Where the one after that is, or how far a sequence of positions has come. */
  final long[] others = new long[SIZE];

  /** The numbers of the hashes that may still pass. */
  final byte[] open = new byte[SIZE];

  /** What was seen there: kept, because the compiler drops reads that lead nowhere. */
  long seen;

  /** Takes hashes from an index on, as many as fit before {@code to}; returns how many. */
  public int take(long[] source, int from, int to) {
    int length = Math.min(SIZE, to - from);
    System.arraycopy(source, from, hashes, 0, length);
    return length;
  }

  /** Brings the words at the first places near, all at once. */
  void touch(Words store, int length) {
    long any = 0;
    for (int i = 0; i < length; i++) {
      any |= store.word(places[i]);
    }
    seen = any;
  }
}
