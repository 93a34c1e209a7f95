package dev.bellows;

import dev.bellows.internal.Words;
import java.util.Arrays;

/**
 * One unit filter with the count of the keys that changed it. A filter with few keys is the sorted
 * list of its ones; it becomes a row of bits when that is smaller.
 */
final class UnitFilter {
  private static final long[] NO_WORDS = {};

  private final LeafSizes.Size size;

  /** Sorted positions; none once there are words. */
  private int[] positions;

  private long[] words;
  private int ones;
  private long keys;

  UnitFilter(LeafSizes.Size size) {
    this(size, new int[0], 0, 0);
  }

  private UnitFilter(LeafSizes.Size size, int[] positions, int ones, long keys) {
    this.size = size;
    this.positions = positions;
    this.words = NO_WORDS;
    this.ones = ones;
    this.keys = keys;
  }

  /** A filter of these bits, in whichever form is smaller. */
  static UnitFilter of(LeafSizes.Size size, long[] words, long keys) {
    UnitFilter filter = new UnitFilter(size, new int[0], (int) Words.ones(words), keys);
    if (filter.isSparse(filter.ones)) {
      filter.positions = positions(words, filter.ones);
    } else {
      filter.words = words;
    }
    return filter;
  }

  /** A filter of these sorted positions, which are few. */
  static UnitFilter ofPositions(LeafSizes.Size size, int[] positions, long keys) {
    UnitFilter filter = new UnitFilter(size, positions, positions.length, keys);
    if (!filter.isSparse(positions.length)) {
      filter.words = filter.words();
      filter.positions = new int[0];
    }
    return filter;
  }

  /** Whether so many ones take less as a list of 4-byte positions than as bits. */
  private boolean isSparse(long count) {
    return 32 * count < size.bits();
  }

  boolean isSparse() {
    return words.length == 0;
  }

  long keys() {
    return keys;
  }

  boolean isEmpty() {
    return ones == 0;
  }

  /** Counts the key iff it changes a bit (errata D8); the unit has {@code most} ids. */
  boolean put(long hash, long most) {
    int before = ones;
    for (int probe = 0; probe < size.hashes(); probe++) {
      set((int) size.positions().position(hash, probe));
    }
    keys = Math.min(most, keys + (ones > before ? 1 : 0));
    return ones > before;
  }

  private void set(int position) {
    if (!isSparse()) {
      long old = words[position >>> 6];
      words[position >>> 6] |= 1L << position;
      ones += old == words[position >>> 6] ? 0 : 1;
      return;
    }
    int found = Arrays.binarySearch(positions, 0, ones, position);
    if (found >= 0) {
      return;
    }
    if (!isSparse(ones + 1L)) {
      words = words();
      positions = new int[0];
      set(position);
      return;
    }
    int place = -found - 1;
    int[] old = positions;
    if (ones == old.length) {
      positions = Arrays.copyOf(old, ones + size.hashes());
    }
    System.arraycopy(old, place, positions, place + 1, ones - place);
    positions[place] = position;
    ones++;
  }

  private static int[] positions(long[] words, int ones) {
    int[] positions = new int[ones];
    int n = 0;
    for (int index = 0; index < words.length; index++) {
      for (long rest = words[index]; rest != 0; rest &= rest - 1) {
        positions[n++] = (index << 6) + Long.numberOfTrailingZeros(rest);
      }
    }
    return positions;
  }

  int[] positions() {
    return isSparse() ? Arrays.copyOf(positions, ones) : positions(words, ones);
  }

  long[] words() {
    long[] copy = size.newWords();
    orInto(copy);
    return copy;
  }

  void orInto(long[] into) {
    if (!isSparse()) {
      Words.or(into, words);
      return;
    }
    for (int i = 0; i < ones; i++) {
      into[positions[i] >>> 6] |= 1L << positions[i];
    }
  }

  /** Counts add up, but where one side has every bit of the other nothing was added. */
  UnitFilter union(UnitFilter other, long most) {
    long[] mine = words();
    long[] theirs = other.words();
    long sum = Math.min(keys + other.keys, most);
    if (Words.isSubset(theirs, mine) || Words.isSubset(mine, theirs)) {
      sum = Math.max(keys, other.keys);
    }
    return of(size, Words.union(mine, theirs), sum);
  }

  UnitFilter intersection(UnitFilter other) {
    long[] common = Words.intersection(words(), other.words());
    return of(size, common, Math.max(keys, other.keys));
  }

  UnitFilter copy() {
    UnitFilter copy = new UnitFilter(size, positions.clone(), ones, keys);
    copy.words = words.length == 0 ? NO_WORDS : words.clone();
    return copy;
  }
}
