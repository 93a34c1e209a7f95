package dev.bellows.internal.store;

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

  /** Gives a chunk all entries of the hashes that it is for, one of which is given. */
  static void replace(long[][] entries, long hash, long[] chunk) {
    int span = entries.length >>> PrefixHead.depth(chunk[0]);
    int first = index(entries, hash) & -span;
    for (int i = 0; i < span; i++) {
      ENTRY.setRelease(entries, first + i, chunk);
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
