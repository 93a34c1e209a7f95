package dev.bellows.internal.columns;

import java.util.Arrays;

/**
 * Hashes in ascending order, as unsigned numbers, each of them once. They are scattered by their
 * upper bits, then each part by the bits below these; what is left is nearly in order. Hashes that
 * are not evenly distributed cost time and nothing else.
 */
final class HashSort {
  /** Fewer hashes than this are not worth scattering. */
  private static final int FEW = 1 << 10;

  /**
   * The maximum number of bits that are scattered by at once: each value has a place in the caches.
   */
  private static final int MOST_BITS = 11;

  /** A run that is longer than this is not sorted by moving one hash at a time. */
  private static final int LONG_RUN = 48;

  private final long[] hashes;
  private final int count;

  private HashSort(long[] hashes, int count) {
    this.hashes = hashes;
    this.count = count;
  }

  /**
   * Returns the sorted hashes, from index 0 on; what follows {@link #count} of them is anything.
   */
  long[] hashes() {
    return hashes;
  }

  /** Returns how many different ones there are. */
  int count() {
    return count;
  }

  /**
   * Sorts the first hashes of an array, which stays as it is. Two arrays of that length are
   * allocated, and one of them is the result.
   *
   * @param mask is applied to each hash first
   */
  static HashSort of(long[] source, int length, long mask) {
    long[] sorted = new long[length];
    if (length < FEW) {
      for (int i = 0; i < length; i++) {
        sorted[i] = (source[i] & mask) ^ Long.MIN_VALUE;
      }
      Arrays.sort(sorted);
      for (int i = 0; i < length; i++) {
        sorted[i] ^= Long.MIN_VALUE;
      }
    } else {
      scatter(source, length, mask, sorted);
    }
    return new HashSort(sorted, distinct(sorted, length));
  }

  private static void scatter(long[] source, int length, long mask, long[] sorted) {
    int bits = Math.min(MOST_BITS, bits(length) / 2);
    int shift = Long.SIZE - bits;
    int[] ends = new int[(1 << bits) + 1];
    for (int i = 0; i < length; i++) {
      ends[(int) ((source[i] & mask) >>> shift) + 1]++;
    }
    for (int part = 1; part < ends.length; part++) {
      ends[part] += ends[part - 1];
    }
    long[] parts = new long[length];
    for (int i = 0; i < length; i++) {
      long hash = source[i] & mask;
      parts[ends[(int) (hash >>> shift)]++] = hash;
    }
    int[] counts = new int[1 << MOST_BITS];
    for (int part = 0, from = 0; part < ends.length - 1; part++) {
      sortPart(parts, from, ends[part], shift, counts, sorted);
      from = ends[part];
    }
  }

  /**
   * Sorts hashes that agree in all bits from {@code shift} on into the same places of another
   * array.
   */
  private static void sortPart(
      long[] parts, int from, int to, int shift, int[] counts, long[] sorted) {
    int bits = Math.max(1, Math.min(MOST_BITS, bits(to - from)));
    int below = shift - bits;
    int mask = (1 << bits) - 1;
    Arrays.fill(counts, 0, mask + 1, 0);
    for (int i = from; i < to; i++) {
      counts[(int) (parts[i] >>> below) & mask]++;
    }
    int place = from;
    int longest = 0;
    for (int value = 0; value <= mask; value++) {
      int run = counts[value];
      counts[value] = place;
      place += run;
      longest = Math.max(longest, run);
    }
    for (int i = from; i < to; i++) {
      sorted[counts[(int) (parts[i] >>> below) & mask]++] = parts[i];
    }
    if (longest > LONG_RUN) {
      // their upper bits agree, so that the order of signed numbers is the same
      Arrays.sort(sorted, from, to);
      return;
    }
    for (int i = from + 1; i < to; i++) {
      long hash = sorted[i];
      int at = i;
      while (at > from && Long.compareUnsigned(sorted[at - 1], hash) > 0) {
        sorted[at] = sorted[--at];
      }
      sorted[at] = hash;
    }
  }

  /** Returns the bits of a number. */
  private static int bits(int number) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(number);
  }

  private static int distinct(long[] sorted, int length) {
    int distinct = Math.min(1, length);
    for (int i = 1; i < length; i++) {
      if (sorted[i] != sorted[distinct - 1]) {
        sorted[distinct++] = sorted[i];
      }
    }
    return distinct;
  }
}
