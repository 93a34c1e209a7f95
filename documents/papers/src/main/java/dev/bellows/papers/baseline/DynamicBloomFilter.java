package dev.bellows.papers.baseline;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.math.BloomRates;
import java.util.ArrayList;
import java.util.List;

/**
 * Guo's dynamic Bloom filter, for comparison: a list of equal filters, filled one after the other,
 * all of which are queried. Its rate grows with every filter (Partition paper, Appendix A).
 */
public final class DynamicBloomFilter {
  private final long unitKeys;
  private final long unitBits;
  private final int hashes;
  private final List<BloomFilter> filters = new ArrayList<>();
  private long keysInLast;

  /** Returns an empty list whose filters take this many keys each. */
  public DynamicBloomFilter(long unitKeys, long unitBits, int hashes) {
    this.unitKeys = unitKeys;
    this.unitBits = unitBits;
    this.hashes = hashes;
    filters.add(unit());
  }

  /**
   * Returns the rate of a list with this many keys (Partition paper, appendix; see erratum D12):
   * {@code 1 - (1 - f)^full (1 - f_last)}.
   */
  public static double fpp(long keys, long unitKeys, long unitBits, int hashes) {
    double unit = BloomRates.fpp(unitBits, unitKeys, hashes);
    double last = BloomRates.fpp(unitBits, keys % unitKeys, hashes);
    return -Math.expm1(keys / unitKeys * Math.log1p(-unit) + Math.log1p(-last));
  }

  private BloomFilter unit() {
    return BloomFilter.builder()
        .bits(unitBits)
        .hashes(hashes)
        .layout(Layout.Family.CLASSIC)
        .build();
  }

  /** Puts a key into the last filter, or into a new one if that is full. */
  public void put(long key) {
    if (keysInLast == unitKeys) {
      filters.add(unit());
      keysInLast = 0;
    }
    filters.get(filters.size() - 1).put(key);
    keysInLast++;
  }

  /** Returns whether any filter has the key. */
  public boolean mightContain(long key) {
    long hash = HashScheme.DEFAULT.hash(key);
    for (int i = 0; i < filters.size(); i++) {
      if (filters.get(i).mightContainHash(hash)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of filters. */
  public int size() {
    return filters.size();
  }

  /** Returns the filters of both lists. */
  public DynamicBloomFilter union(DynamicBloomFilter other) {
    DynamicBloomFilter union = new DynamicBloomFilter(unitKeys, unitBits, hashes);
    union.filters.clear();
    filters.forEach(filter -> union.filters.add(filter.copy()));
    other.filters.forEach(filter -> union.filters.add(filter.copy()));
    union.keysInLast = unitKeys;
    return union;
  }

  /**
   * Returns the AND of every filter of one list with every filter of the other. A common key lies
   * anywhere in either list; pairing the filters row by row would lose nearly all of them.
   */
  public DynamicBloomFilter intersection(DynamicBloomFilter other) {
    DynamicBloomFilter both = new DynamicBloomFilter(unitKeys, unitBits, hashes);
    both.filters.clear();
    for (BloomFilter mine : filters) {
      for (BloomFilter theirs : other.filters) {
        both.filters.add(mine.intersection(theirs, 1));
      }
    }
    both.keysInLast = unitKeys;
    return both;
  }
}
