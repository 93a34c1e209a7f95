package dev.bellows.papers.baseline;

import dev.bellows.HashScheme;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/**
 * The plain filter of the Autoscaling paper: every key sets the same number of <em>distinct</em>
 * bits (erratum A1). With some of its ones erased it is the retouched Bloom filter of Donnet,
 * Baynat and Friedman, which gives up stored keys to pass fewer others (erratum A10).
 */
public final class DistinctBloomFilter {
  private final BitSet bits;
  private final int size;
  private final int hashes;
  private final HashScheme scheme;

  private DistinctBloomFilter(BitSet bits, int size, int hashes, HashScheme scheme) {
    this.bits = bits;
    this.size = size;
    this.hashes = hashes;
    this.scheme = scheme;
  }

  /** Returns an empty filter. */
  public static DistinctBloomFilter create(int size, int hashes, long seed) {
    return new DistinctBloomFilter(new BitSet(size), size, hashes, HashScheme.xxh3(seed));
  }

  /** Returns a filter of the keys 0 to n - 1. */
  public static DistinctBloomFilter filled(int size, int hashes, long seed, long keys) {
    DistinctBloomFilter filter = create(size, hashes, seed);
    LongStream.range(0, keys).forEach(filter::put);
    return filter;
  }

  /** Sets the bits of a key. */
  public void put(long key) {
    bits.or(positions(key));
  }

  /** Returns whether all bits of the key are set. */
  public boolean mightContain(long key) {
    BitSet missing = positions(key);
    missing.andNot(bits);
    return missing.isEmpty();
  }

  private BitSet positions(long key) {
    SplittableRandom random = new SplittableRandom(scheme.hash(key));
    BitSet positions = new BitSet(size);
    for (int left = hashes; left > 0; ) {
      int position = random.nextInt(size);
      if (!positions.get(position)) {
        positions.set(position);
        left--;
      }
    }
    return positions;
  }

  /** Returns the number of ones. */
  public int ones() {
    return bits.cardinality();
  }

  /** Returns the retouched filter: this share of the ones, rounded, erased at random. */
  public DistinctBloomFilter retouched(double share, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    BitSet kept = (BitSet) bits.clone();
    for (long left = Math.round(share * ones()); left > 0; ) {
      int position = random.nextInt(size);
      if (kept.get(position)) {
        kept.clear(position);
        left--;
      }
    }
    return new DistinctBloomFilter(kept, size, hashes, scheme);
  }
}
