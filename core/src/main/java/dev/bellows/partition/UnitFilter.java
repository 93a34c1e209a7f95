package dev.bellows.partition;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.math.BloomRates;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * One unit filter with two counts. A filter with few keys is the sorted list of its ones; it
 * becomes an array of bits when that is smaller.
 *
 * <p>{@link #keys} counts the keys that changed it. An id of another unit passes it no more often
 * than a filter of that many keys. {@link #ownKeys} bounds the same for an absent id of its own
 * unit, which may be in one side of an intersection and has set bits there: then only the other
 * side's filter decides (errata <a href="{@docRoot}/doc-files/errata.html#D9">D9</a>, <a
 * href="{@docRoot}/doc-files/errata.html#D10">D10</a>). Without an intersection the two are equal.
 */
final class UnitFilter {
  /** The two counts of a filter. */
  record Counts(long keys, long ownKeys) {}

  private final LeafSizes.Size size;

  /** Sorted positions; empty once there is a store. */
  private int[] positions;

  private @Nullable HeapBits store;
  private int ones;
  private long keys;
  private long ownKeys;

  UnitFilter(LeafSizes.Size size) {
    this(size, new int[0], 0, new Counts(0, 0));
  }

  private UnitFilter(LeafSizes.Size size, int[] positions, int ones, Counts counts) {
    this.size = size;
    this.positions = positions;
    this.ones = ones;
    this.keys = counts.keys;
    this.ownKeys = counts.ownKeys;
  }

  /** A filter of these bits, in the smaller of the two forms. */
  static UnitFilter of(LeafSizes.Size size, HeapBits store, Counts counts) {
    UnitFilter filter = new UnitFilter(size, new int[0], (int) store.ones(), counts);
    if (filter.isSparse(filter.ones)) {
      filter.positions = positions(store, filter.ones);
    } else {
      filter.store = store;
    }
    return filter;
  }

  /** A filter of these sorted positions, which are few. */
  static UnitFilter ofPositions(LeafSizes.Size size, int[] positions, Counts counts) {
    UnitFilter filter = new UnitFilter(size, positions, positions.length, counts);
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

  /** The keys that bound the rate of the unit's own ids, at least {@link #keys}. */
  long ownKeys() {
    return ownKeys;
  }

  /** What the own ids see more of than others. */
  long excess() {
    return ownKeys - keys;
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
    if (ones > before) {
      keys = Math.min(most, keys + 1);
      ownKeys = Math.min(most, ownKeys + 1);
    }
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
   * Both counts add up; where one side has every bit of the other, the larger ones stay.
   *
   * @param most the number of ids of the unit
   */
  UnitFilter union(UnitFilter other, long most) {
    HeapBits mine = bits();
    HeapBits theirs = other.bits();
    boolean nested = theirs.isSubsetOf(mine) || mine.isSubsetOf(theirs);
    Counts counts =
        nested
            ? new Counts(Math.max(keys, other.keys), Math.max(ownKeys, other.ownKeys))
            : new Counts(
                Math.min(keys + other.keys, most), Math.min(ownKeys + other.ownKeys, most));
    return of(size, mine.union(theirs), counts);
  }

  /**
   * For ids of other units the smaller of the two counts, or as many keys as set so many bits as
   * the AND has, if these are fewer (errata <a href="{@docRoot}/doc-files/errata.html#D8">D8</a>);
   * for the unit's own the larger count.
   */
  UnitFilter intersection(UnitFilter other) {
    HeapBits both = bits().intersection(other.bits());
    double byOnes = Math.ceil(BloomRates.keysFromOnes(size.bits(), both.ones(), size.hashes()));
    long fewest = Math.min(keys, other.keys);
    return of(
        size,
        both,
        new Counts(byOnes < fewest ? (long) byOnes : fewest, Math.max(ownKeys, other.ownKeys)));
  }

  UnitFilter copy() {
    UnitFilter copy = new UnitFilter(size, positions.clone(), ones, new Counts(keys, ownKeys));
    copy.store = store == null ? null : store.copy();
    return copy;
  }
}
