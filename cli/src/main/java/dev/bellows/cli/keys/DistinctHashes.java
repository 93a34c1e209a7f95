package dev.bellows.cli.keys;

import java.util.Arrays;

/** Drops repetitions from groups of hashes, by a table that is used again. */
final class DistinctHashes {
  /** 2^64 divided by the golden ratio: spreads codes that are no hashes as well. */
  private static final long SPREAD = 0x9e3779b97f4a7c15L;

  private long[] table = {};

  /** Moves the first of each hash to the front, in order, and returns how many there are. */
  int keepFirst(long[] hashes, int count) {
    int size = 2 * Integer.highestOneBit(Math.max(1, 2 * count - 1)); // at most half full
    if (table.length < size) {
      table = new long[size];
    } else {
      Arrays.fill(table, 0, size, 0);
    }
    int shift = Long.numberOfLeadingZeros(size) + 1;
    boolean hasZero = false; // which marks empty places
    int kept = 0;
    for (int i = 0; i < count; i++) {
      long hash = hashes[i];
      boolean isNew;
      if (hash == 0) {
        isNew = !hasZero;
        hasZero = true;
      } else {
        isNew = add(hash, (int) (hash * SPREAD >>> shift), size - 1);
      }
      if (isNew) {
        hashes[kept++] = hash;
      }
    }
    return kept;
  }

  private boolean add(long hash, int first, int mask) {
    int place = first;
    while (table[place] != 0) {
      if (table[place] == hash) {
        return false;
      }
      place = (place + 1) & mask;
    }
    table[place] = hash;
    return true;
  }
}
