package dev.bellows.internal.columns;

import java.util.Arrays;

/**
 * Sorts hashes in ascending unsigned order and removes duplicates. They are scattered by their
 * upper bits, then each part by the next bits; the result is nearly sorted. Hashes that are not
 * evenly distributed only take longer.
 *
 * @param hashes the sorted hashes, starting at index 0; only the first {@code count} elements are
 *     defined
 * @param count the number of distinct hashes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HashSort(long[] hashes, int count) {
  /** The number of hashes below which scattering does not pay off. */
  private static final int FEW = 1 << 10;

  /**
   * The maximum number of bits to scatter by at once, so that the target of each value stays in the
   * cache.
   */
  private static final int MOST_BITS = 11;

  /** The maximum length of a run that is sorted by insertion. */
  private static final int LONG_RUN = 48;

  /**
   * Sorts the first hashes of an array, which is not changed. This allocates two arrays of that
   * length, one of which is the result.
   *
   * @param mask a mask that is applied to each hash first
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
   * Sorts hashes that agree in all bits from {@code shift} upwards into the same range of another
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
      // their upper bits agree, so the signed order is the same as the unsigned one
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

  /** Returns the number of bits of a number. */
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
