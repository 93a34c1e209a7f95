package dev.bellows.growth;

import dev.bellows.internal.store.HeapBits;
import dev.bellows.internal.store.Positions;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One unit filter with the count of the keys that changed it. A filter with few keys is the sorted
 * list of its ones; it becomes an array of bits when that is smaller.
 */
final class UnitFilter {
  private final LeafSizes.Size size;

  /** Sorted positions; empty once there is a store. */
  private int[] positions;

  private @Nullable HeapBits store;
  private int ones;
  private long keys;

  UnitFilter(LeafSizes.Size size) {
    this(size, new int[0], 0, 0);
  }

  private UnitFilter(LeafSizes.Size size, int[] positions, int ones, long keys) {
    this.size = size;
    this.positions = positions;
    this.ones = ones;
    this.keys = keys;
  }

  /** A filter of these bits, in the smaller of the two forms. */
  static UnitFilter of(LeafSizes.Size size, HeapBits store, long keys) {
    UnitFilter filter = new UnitFilter(size, new int[0], (int) store.ones(), keys);
    if (filter.isSparse(filter.ones)) {
      filter.positions = positions(store, filter.ones);
    } else {
      filter.store = store;
    }
    return filter;
  }

  /** A filter of these sorted positions, which are few. */
  static UnitFilter ofPositions(LeafSizes.Size size, int[] positions, long keys) {
    UnitFilter filter = new UnitFilter(size, positions, positions.length, keys);
    if (!filter.isSparse(positions.length)) {
      filter.store = filter.bits();
      filter.positions = new int[0];
    }
    return filter;
  }

  /** Whether this many ones take less memory as a list of 4-byte positions than as bits. */
  private boolean isSparse(long count) {
    return 32 * count < size.bits();
  }

  boolean isSparse() {
    return store == null;
  }

  long keys() {
    return keys;
  }

  boolean isEmpty() {
    return ones == 0;
  }

  /**
   * Counts the key iff it changes a bit (errata <a
   * href="{@docRoot}/doc-files/errata.html#D8">D8</a>); the unit has {@code most} ids.
   */
  boolean put(long hash, long most) {
    int before = ones;
    Positions layout = size.positions();
    long value = layout.begin(hash);
    for (int probe = 0; probe < size.hashes(); probe++) {
      value = layout.step(value, probe);
      set((int) layout.at(hash, value, probe));
    }
    keys = Math.min(most, keys + (ones > before ? 1 : 0));
    return ones > before;
  }

  private void set(int position) {
    if (store != null) {
      ones += store.loadBit(position) ? 1 : 0;
      return;
    }
    int found = Arrays.binarySearch(positions, 0, ones, position);
    if (found >= 0) {
      return;
    }
    if (!isSparse(ones + 1L)) {
      store = bits();
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

  private static int[] positions(HeapBits store, int ones) {
    int[] positions = new int[ones];
    int n = 0;
    for (int index = 0; index < store.wordCount(); index++) {
      for (long rest = store.word(index); rest != 0; rest &= rest - 1) {
        positions[n++] = (index << 6) + Long.numberOfTrailingZeros(rest);
      }
    }
    return positions;
  }

  int[] positions() {
    return store == null ? Arrays.copyOf(positions, ones) : positions(store, ones);
  }

  /** A copy of all bits. */
  HeapBits bits() {
    HeapBits copy = size.newStore();
    loadInto(copy);
    return copy;
  }

  void loadInto(HeapBits into) {
    if (store != null) {
      into.loadAll(store);
      return;
    }
    for (int i = 0; i < ones; i++) {
      into.loadBit(positions[i]);
    }
  }

  /**
   * The count is the sum of both; where one side has every bit of the other, the larger of the two.
   */
  UnitFilter union(UnitFilter other, long most) {
    HeapBits mine = bits();
    HeapBits theirs = other.bits();
    long sum = Math.min(keys + other.keys, most);
    if (theirs.isSubsetOf(mine) || mine.isSubsetOf(theirs)) {
      sum = Math.max(keys, other.keys);
    }
    return of(size, mine.union(theirs), sum);
  }

  UnitFilter intersection(UnitFilter other) {
    return of(size, bits().intersection(other.bits()), Math.max(keys, other.keys));
  }

  UnitFilter copy() {
    UnitFilter copy = new UnitFilter(size, positions.clone(), ones, keys);
    copy.store = store == null ? null : store.copy();
    return copy;
  }
}
