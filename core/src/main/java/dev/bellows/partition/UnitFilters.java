package dev.bellows.partition;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.partition.IdPartition;
import java.util.Arrays;

/**
 * The populated unit filters below a node, in the order of their units (002 Definition 2.3). All
 * have the same bits, hashes and hash of the global id, so that the filter of a node is the OR of
 * the unit filters below it (errata <a href="{@docRoot}/doc-files/errata.html#D7">D7</a>).
 */
final class UnitFilters implements LeafContent {
  private final IdPartition partition;
  private final LeafSizes.Size size;
  private long[] units;
  private UnitFilter[] filters;
  private int count;
  private long keys;
  private long excess;

  UnitFilters(
      IdPartition partition, LeafSizes.Size size, long[] units, UnitFilter[] filters, int count) {
    this.partition = partition;
    this.size = size;
    this.units = units;
    this.filters = filters;
    this.count = count;
    for (int i = 0; i < count; i++) {
      include(filters[i]);
    }
  }

  private void include(UnitFilter filter) {
    keys += filter.keys();
    excess = Math.max(excess, filter.excess());
  }

  static UnitFilters empty(IdPartition partition, LeafSizes.Size size) {
    return new UnitFilters(partition, size, new long[0], new UnitFilter[0], 0);
  }

  /**
   * The sum of the units' counts: a bound, since filters do not reveal more (errata <a
   * href="{@docRoot}/doc-files/errata.html#D8">D8</a>).
   */
  @Override
  public long keys() {
    return keys;
  }

  /**
   * The largest excess of a unit: an absent id of unit i meets its own filter and those of the
   * other units, so that {@code max_i(ownKeys_i + sum_(j != i) keys_j)} bounds its rate (errata <a
   * href="{@docRoot}/doc-files/errata.html#D10">D10</a>).
   */
  @Override
  public long excess() {
    return excess;
  }

  @Override
  public long populatedUnits(IdPartition of) {
    return count;
  }

  int count() {
    return count;
  }

  long unit(int place) {
    return units[place];
  }

  UnitFilter filter(int place) {
    return filters[place];
  }

  @Override
  public boolean put(long id, long hash) {
    long unit = partition.leafIndex(id);
    int found = Arrays.binarySearch(units, 0, count, unit);
    if (found < 0) {
      append(unit, -found - 1);
      found = -found - 1;
    }
    UnitFilter filter = filters[found];
    long keysBefore = filter.keys();
    long excessBefore = filter.excess();
    boolean changed = filter.put(hash, partition.leafRange(unit).size());
    keys += filter.keys() - keysBefore;
    if (filter.excess() < excessBefore) {
      excess = Arrays.stream(filters, 0, count).mapToLong(UnitFilter::excess).max().orElse(0);
    }
    return changed;
  }

  private void append(long unit, int place) {
    if (count == units.length) {
      units = Arrays.copyOf(units, count + 2 + count / 4);
      filters = Arrays.copyOf(filters, units.length);
    }
    System.arraycopy(units, place, units, place + 1, count - place);
    System.arraycopy(filters, place, filters, place + 1, count - place);
    units[place] = unit;
    filters[place] = new UnitFilter(size);
    count++;
  }

  @Override
  public boolean remove(long id) {
    throw new UnsupportedOperationException(
        "unit filters cannot take ids back: use mode EXACT_LEAVES");
  }

  @Override
  public UnitFilters part(Node node) {
    int from = lowerBound(node.firstUnit());
    int to = lowerBound(node.lastUnit() + 1);
    return new UnitFilters(
        partition,
        size,
        Arrays.copyOfRange(units, from, to),
        Arrays.copyOfRange(filters, from, to),
        to - from);
  }

  private int lowerBound(long unit) {
    int found = Arrays.binarySearch(units, 0, count, unit);
    return found < 0 ? -found - 1 : found;
  }

  /**
   * Units of both sides are OR-ed; their counts add up, to the unit's ids at most (errata <a
   * href="{@docRoot}/doc-files/errata.html#D8">D8</a>).
   */
  @Override
  public UnitFilters union(LeafContent other, Node node) {
    UnitFilters theirs = (UnitFilters) other;
    UnitFilters union =
        new UnitFilters(
            partition,
            size,
            new long[count + theirs.count],
            new UnitFilter[count + theirs.count],
            0);
    int i = 0;
    int j = 0;
    while (i < count || j < theirs.count) {
      boolean mine = j == theirs.count || (i < count && units[i] <= theirs.units[j]);
      boolean both = i < count && j < theirs.count && units[i] == theirs.units[j];
      if (both) {
        long most = partition.leafRange(units[i]).size();
        union.add(units[i], filters[i++].union(theirs.filters[j++], most));
      } else if (mine) {
        union.add(units[i], filters[i++].copy());
      } else {
        union.add(theirs.units[j], theirs.filters[j++].copy());
      }
    }
    return union;
  }

  /**
   * Units of both sides are AND-ed (errata <a href="{@docRoot}/doc-files/errata.html#D9">D9</a>).
   * Ids of other units see no more of a unit than the smaller count, and than its ones; its own
   * ids, which may be in one side alone and keep their bits, see the larger count. With both the
   * tree is compressed again without breaking the bound (errata <a
   * href="{@docRoot}/doc-files/errata.html#D10">D10</a>).
   */
  @Override
  public UnitFilters intersection(LeafContent other, Node node) {
    UnitFilters theirs = (UnitFilters) other;
    int most = Math.min(count, theirs.count);
    UnitFilters both = new UnitFilters(partition, size, new long[most], new UnitFilter[most], 0);
    for (int i = 0; i < count; i++) {
      int j = Arrays.binarySearch(theirs.units, 0, theirs.count, units[i]);
      if (j >= 0) {
        UnitFilter common = filters[i].intersection(theirs.filters[j]);
        if (!common.isEmpty()) {
          both.add(units[i], common);
        }
      }
    }
    return both;
  }

  private void add(long unit, UnitFilter filter) {
    units[count] = unit;
    filters[count++] = filter;
    include(filter);
  }

  @Override
  public UnitFilters copy() {
    UnitFilter[] copies = new UnitFilter[count];
    Arrays.setAll(copies, i -> filters[i].copy());
    return new UnitFilters(partition, size, Arrays.copyOf(units, count), copies, count);
  }

  @Override
  public HeapBits filter(LeafSizes.Size unitSize) {
    HeapBits store = size.newStore();
    for (int i = 0; i < count; i++) {
      filters[i].loadInto(store);
    }
    return store;
  }
}
