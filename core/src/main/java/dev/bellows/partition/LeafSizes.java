package dev.bellows.partition;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.partition.LeafLadder;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import java.util.ArrayList;
import java.util.List;

/**
 * The sizes a leaf's filter may have: the unit size and, where leaves fold to their occupancy, the
 * smaller ones of {@link LeafLadder}, each with the largest number of keys and of ones that keeps
 * the rate.
 */
final class LeafSizes {
  /** The placeholder for the filter of an empty leaf. */
  private static final HeapBits NO_BITS = HeapBits.aligned(1);

  private final int hashes;
  private final List<Size> ascending;

  /**
   * One size.
   *
   * @param bits the size
   * @param hashes positions of an id
   * @param maxKeys the most keys that hold the rate in the mean over hash functions
   * @param maxOnes the most ones that keep it in a concrete filter; the unit accepts any number
   * @param positions where an id's bits are
   */
  record Size(long bits, int hashes, long maxKeys, long maxOnes, Positions positions) {
    HeapBits newStore() {
      return positions.newStore();
    }

    /** Sets the bits of a hash, for one thread; returns how many of them were zero. */
    int set(HeapBits store, long hash) {
      int changed = 0;
      long value = positions.begin(hash);
      for (int probe = 0; probe < hashes; probe++) {
        value = positions.step(value, probe);
        changed += store.loadBit(positions.at(hash, value, probe)) ? 1 : 0;
      }
      return changed;
    }
  }

  LeafSizes(PartitionPlan plan, Mode mode) {
    this.hashes = plan.hashes();
    this.ascending = new ArrayList<>();
    long unit = mode.unitBits(plan);
    if (mode == Mode.EXACT_LEAVES) {
      for (LeafLadder.Size size :
          LeafLadder.of(unit, plan.unitKeys(), hashes, plan.fpp()).ascending()) {
        if (size.bits() < unit) {
          long ones = BloomRates.maxOnes(size.bits(), hashes, plan.fpp());
          ascending.add(size(size.bits(), size.maxKeys(), ones));
        }
      }
    }
    ascending.add(size(unit, plan.unitKeys(), unit));
  }

  private Size size(long bits, long maxKeys, long maxOnes) {
    return new Size(bits, hashes, maxKeys, maxOnes, Positions.classic(bits, hashes));
  }

  /** The bytes of the smallest filter for so many keys. */
  long bytesFor(long keys) {
    for (Size size : ascending) {
      if (size.maxKeys >= keys) {
        return size.bits / 8;
      }
    }
    return unit().bits / 8;
  }

  Size unit() {
    return ascending.get(ascending.size() - 1);
  }

  /** The leaf at the smallest size that keeps the rate, for its number of keys and of ones. */
  PartitionLeaf leaf(LeafContent.Node node, LeafContent content) {
    if (content.keys() == 0) {
      return new PartitionLeaf(node, content, null, NO_BITS, 0);
    }
    for (Size size : ascending) {
      if (size.maxKeys >= content.load()) {
        HeapBits store = content.filter(size);
        long ones = store.ones();
        if (ones <= size.maxOnes) {
          return new PartitionLeaf(node, content, size, store, ones);
        }
      }
    }
    throw new IllegalStateException(content.load() + " keys in a leaf of " + unit());
  }
}
