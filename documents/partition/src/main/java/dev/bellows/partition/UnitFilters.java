package dev.bellows.partition;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.partition.IdPartition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The populated unit filters below a node, in the order of their units (Partition paper, Definition
 * 2.3). All have the same size and number of hashes and hash the global id, so the filter of a node
 * is the OR of the unit filters below it (see erratum <a
 * href="{@docRoot}/doc-files/errata.html#D7">D7</a>).
 */
final class UnitFilters implements LeafContent {
  private final IdPartition partition;
  private final CompressedTree.LeafSizes.Size size;
  private final List<UnitFilter> filters;
  private long keys;
  private long excess;

  UnitFilters(
      IdPartition partition, CompressedTree.LeafSizes.Size size, Collection<UnitFilter> filters) {
    this.partition = partition;
    this.size = size;
    this.filters = new ArrayList<>(filters);
    this.keys = filters.stream().mapToLong(UnitFilter::keys).sum();
    this.excess = mostExcess();
  }

  private long mostExcess() {
    return filters.stream().mapToLong(UnitFilter::excess).max().orElse(0);
  }

  /**
   * Returns the sum of the counts of all units, which is an upper bound: the exact number cannot be
   * derived from filters (see erratum <a href="{@docRoot}/doc-files/errata.html#D8">D8</a>).
   */
  @Override
  public long keys() {
    return keys;
  }

  /**
   * Returns the largest excess of a unit. An absent id of unit i is tested against the bits of its
   * own unit and of all other units, so {@code max_i(ownKeys_i + sum_(j != i) keys_j)} bounds its
   * rate (see erratum <a href="{@docRoot}/doc-files/errata.html#D10">D10</a>).
   */
  @Override
  public long excess() {
    return excess;
  }

  @Override
  public long populatedUnits(IdPartition of) {
    return filters.size();
  }

  List<UnitFilter> filters() {
    return filters;
  }

  @Override
  public boolean put(long id, long hash) {
    long unit = partition.leafIndex(id);
    int place = lowerBound(unit);
    if (place == filters.size() || filters.get(place).unit != unit) {
      filters.add(place, new UnitFilter(size, unit, new int[0], 0, 0, 0));
    }
    UnitFilter filter = filters.get(place);
    long keysBefore = filter.keys();
    long excessBefore = filter.excess();
    boolean changed = filter.put(hash, partition.leafRange(unit).size());
    keys += filter.keys() - keysBefore;
    if (filter.excess() < excessBefore) {
      excess = mostExcess();
    }
    return changed;
  }

  @Override
  public boolean remove(long id) {
    throw new UnsupportedOperationException(
        "unit filters cannot remove ids: use mode EXACT_LEAVES");
  }

  @Override
  public UnitFilters part(Node node) {
    int from = lowerBound(node.firstUnit());
    int to = lowerBound(node.lastUnit() + 1);
    return new UnitFilters(partition, size, filters.subList(from, to));
  }

  /** Returns the place of the first filter of this unit or a later one. */
  private int lowerBound(long unit) {
    int low = 0;
    int high = filters.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (filters.get(middle).unit < unit) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /**
   * Returns the OR of the units of both sides. The counts of a unit add up, but not beyond the
   * number of its ids (see erratum <a href="{@docRoot}/doc-files/errata.html#D8">D8</a>).
   */
  @Override
  public UnitFilters union(LeafContent other, Node node) {
    Map<Long, UnitFilter> union = new TreeMap<>();
    filters.forEach(mine -> union.put(mine.unit, mine.copy()));
    for (UnitFilter theirs : ((UnitFilters) other).filters) {
      long most = partition.leafRange(theirs.unit).size();
      union.merge(theirs.unit, theirs.copy(), (mine, copy) -> mine.union(copy, most));
    }
    return new UnitFilters(partition, size, union.values());
  }

  /**
   * Returns the AND of the units of both sides (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#D9">D9</a>). For ids of other units, the rate of a unit
   * is bounded by the smaller of the two counts and by its one bits. Ids of the unit itself may be
   * in only one of the sides, in which all of their bits are set, so for them the larger count
   * applies. With these two bounds, the tree can be compressed again without exceeding its rate
   * (see erratum <a href="{@docRoot}/doc-files/errata.html#D10">D10</a>).
   */
  @Override
  public UnitFilters intersection(LeafContent other, Node node) {
    Map<Long, UnitFilter> theirs = new HashMap<>();
    ((UnitFilters) other).filters.forEach(filter -> theirs.put(filter.unit, filter));
    List<UnitFilter> both = new ArrayList<>();
    for (UnitFilter mine : filters) {
      UnitFilter same = theirs.get(mine.unit);
      if (same != null) {
        both.add(mine.intersection(same));
      }
    }
    both.removeIf(UnitFilter::isEmpty);
    return new UnitFilters(partition, size, both);
  }

  @Override
  public UnitFilters copy() {
    return new UnitFilters(partition, size, filters.stream().map(UnitFilter::copy).toList());
  }

  @Override
  public HeapBits filter(CompressedTree.LeafSizes.Size unitSize) {
    HeapBits store = size.newStore();
    filters.forEach(filter -> filter.loadInto(store));
    return store;
  }

  /**
   * A unit filter with two counts. A filter with few keys is stored as a sorted list of the
   * positions of its one bits, and is converted to an array of bits when the array is smaller.
   *
   * <p>{@link #keys} counts the keys that changed a bit: an id of another unit passes at most as
   * often as in a filter with that many keys. {@code ownKeys} is the corresponding bound for absent
   * ids of the unit itself. It is larger after an intersection, because such an id may be in one of
   * the two sides, and then only the filter of the other side can reject it (see errata <a
   * href="{@docRoot}/doc-files/errata.html#D9">D9</a>, <a
   * href="{@docRoot}/doc-files/errata.html#D10">D10</a>). Without intersections, the two counts are
   * equal.
   */
  static final class UnitFilter {
    private final CompressedTree.LeafSizes.Size size;
    private final long unit;

    /** The sorted positions of the one bits; empty if there is a store. */
    private int[] positions;

    private @Nullable HeapBits store;
    private int ones;
    private long keys;
    private long ownKeys;

    private UnitFilter(
        CompressedTree.LeafSizes.Size size,
        long unit,
        int[] positions,
        int ones,
        long keys,
        long ownKeys) {
      this.size = size;
      this.unit = unit;
      this.positions = positions;
      this.ones = ones;
      this.keys = keys;
      this.ownKeys = ownKeys;
    }

    /** Returns a filter with these bits, in the smaller of the two forms. */
    static UnitFilter of(
        CompressedTree.LeafSizes.Size size, long unit, HeapBits store, long keys, long ownKeys) {
      UnitFilter filter = new UnitFilter(size, unit, new int[0], (int) store.ones(), keys, ownKeys);
      if (filter.isSparse(filter.ones)) {
        filter.positions = positions(store, filter.ones);
      } else {
        filter.store = store;
      }
      return filter;
    }

    /**
     * Returns a filter with one bits at these sorted positions, in the smaller of the two forms.
     */
    static UnitFilter ofPositions(
        CompressedTree.LeafSizes.Size size, long unit, int[] positions, long keys, long ownKeys) {
      UnitFilter filter = new UnitFilter(size, unit, positions, positions.length, keys, ownKeys);
      if (!filter.isSparse(positions.length)) {
        filter.store = filter.bits();
        filter.positions = new int[0];
      }
      return filter;
    }

    /**
     * Returns whether this many ones take less memory as a list of 4-byte positions than as bits.
     */
    private boolean isSparse(long count) {
      return 32 * count < size.bits();
    }

    boolean isSparse() {
      return store == null;
    }

    long unit() {
      return unit;
    }

    long keys() {
      return keys;
    }

    /** Returns the difference of {@code ownKeys} and {@link #keys}, which is never negative. */
    long excess() {
      return ownKeys - keys;
    }

    boolean isEmpty() {
      return ones == 0;
    }

    /**
     * Puts a key, which is counted if it changes a bit (see erratum <a
     * href="{@docRoot}/doc-files/errata.html#D8">D8</a>), and returns whether it did.
     *
     * @param most the number of ids of the unit
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

    /** Returns a copy of all bits. */
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
     * Returns the OR of both filters. The counts add up, unless one filter has every bit of the
     * other: then the larger counts apply.
     *
     * @param most the number of ids of the unit
     */
    UnitFilter union(UnitFilter other, long most) {
      HeapBits mine = bits();
      HeapBits theirs = other.bits();
      HeapBits union = mine.union(theirs);
      if (theirs.isSubsetOf(mine) || mine.isSubsetOf(theirs)) {
        return of(size, unit, union, Math.max(keys, other.keys), Math.max(ownKeys, other.ownKeys));
      }
      return of(
          size,
          unit,
          union,
          Math.min(keys + other.keys, most),
          Math.min(ownKeys + other.ownKeys, most));
    }

    /**
     * Returns the AND of both filters. Its {@code keys} is the smaller of the two counts, or the
     * number of keys that would set as many bits as the AND has, if that is smaller (see erratum <a
     * href="{@docRoot}/doc-files/errata.html#D8">D8</a>); {@code ownKeys} is the larger count.
     */
    UnitFilter intersection(UnitFilter other) {
      HeapBits both = bits().intersection(other.bits());
      double byOnes = Math.ceil(BloomRates.keysFromOnes(size.bits(), both.ones(), size.hashes()));
      long fewest = Math.min(keys, other.keys);
      long left = byOnes < fewest ? (long) byOnes : fewest;
      return of(size, unit, both, left, Math.max(ownKeys, other.ownKeys));
    }

    UnitFilter copy() {
      UnitFilter copy = new UnitFilter(size, unit, positions.clone(), ones, keys, ownKeys);
      copy.store = store == null ? null : store.copy();
      return copy;
    }
  }
}
