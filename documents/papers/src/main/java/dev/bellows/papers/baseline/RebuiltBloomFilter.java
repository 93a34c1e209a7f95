package dev.bellows.papers.baseline;

import dev.bellows.internal.math.BloomRates;

/**
 * The optimized filter of the Autoscaling paper: a plain filter that is built again, from its keys,
 * whenever another number of hashes suits them better (Autoscaling paper, Eq. 3; see erratum A9).
 * The keys are 0 to n - 1.
 */
public final class RebuiltBloomFilter {
  private final int size;
  private final long seed;
  private DistinctBloomFilter filter;
  private int hashes;
  private long keys;
  private int builds;

  /** Returns a filter before its first key. */
  public RebuiltBloomFilter(int size, long seed) {
    this.size = size;
    this.seed = seed;
    this.filter = DistinctBloomFilter.create(size, 1, seed);
  }

  /**
   * Returns {@code max(1, floor((m/n) ln 2 + 1/2))}, the number of hashes for this many keys.
   * {@link BloomRates#bestHashes} compares the rates instead of rounding.
   */
  public static int hashesFor(long bits, long keys) {
    return (int) Math.max(1, Math.floor(BloomRates.optimalHashes(bits, keys) + 0.5));
  }

  /** Grows to the keys 0 to n - 1, and is rebuilt if they need a different number of hashes. */
  public void growTo(long more) {
    int best = hashesFor(size, more);
    if (best != hashes) {
      filter = DistinctBloomFilter.create(size, best, seed);
      hashes = best;
      keys = 0;
      builds++;
    }
    for (; keys < more; keys++) {
      filter.put(keys);
    }
  }

  /** Returns whether all bits of the key are set. */
  public boolean mightContain(long key) {
    return filter.mightContain(key);
  }

  /** Returns the present number of hashes. */
  public int hashes() {
    return hashes;
  }

  /** Returns how often it was built, the first time included. */
  public int builds() {
    return builds;
  }
}
