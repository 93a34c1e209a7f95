package dev.bellows.internal.prefixes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The entries of a directory, 2^d chunks for d first bits of a hash: a chunk of a smaller depth
 * stands in several entries beside each other.
 */
final class PrefixDirectory {
  private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(long[][].class);

  private PrefixDirectory() {}

  private static int index(long[][] entries, long hash) {
    // of a single entry the index is 0: shifts by 64 are shifts by 0
    return (int) (hash >>> 1 >>> (63 - Integer.numberOfTrailingZeros(entries.length)));
  }

  /** The chunk of a hash. */
  static long[] chunk(long[][] entries, long hash) {
    return (long[]) ENTRY.getAcquire(entries, index(entries, hash));
  }

  /**
   * Replaces the chunk of this depth that a hash is in by two others, the first for the lower half
   * of its entries; or by one that is given twice.
   */
  static void replace(long[][] entries, long hash, int depth, long[] low, long[] high) {
    int span = entries.length >>> depth;
    int first = index(entries, hash) & -span;
    VarHandle.releaseFence();
    // from here on nothing is called, so that a stack overflow cannot leave half of it
    for (int i = 0; i < span; i++) {
      entries[first + i] = i < span >>> 1 ? low : high;
    }
  }

  /** The same chunks for one bit more. */
  static long[][] doubled(long[][] entries) {
    long[][] twice = new long[2 * entries.length][];
    for (int i = 0; i < twice.length; i++) {
      twice[i] = (long[]) ENTRY.getAcquire(entries, i >>> 1);
    }
    return twice;
  }

  /** The entries of chunks in their order, the deepest of which has this depth. */
  static long[][] of(Iterable<long[]> chunks, int depth) {
    long[][] entries = new long[1 << depth][];
    int at = 0;
    for (long[] chunk : chunks) {
      int span = entries.length >>> PrefixHead.depth(chunk[0]);
      Arrays.fill(entries, at, at + span, chunk);
      at += span;
    }
    return entries;
  }
}
