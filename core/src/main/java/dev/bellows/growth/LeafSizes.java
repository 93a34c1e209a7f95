package dev.bellows.growth;

import dev.bellows.growth.DynamicPartitionBloomFilter.Mode;
import dev.bellows.internal.numbers.Divisors;
import dev.bellows.internal.rates.BloomRates;
import dev.bellows.internal.store.HeapBits;
import dev.bellows.internal.store.Positions;
import dev.bellows.plan.PartitionPlan;
import java.util.ArrayList;
import java.util.List;

/**
 * The sizes a leaf's filter may have: the unit size and, where leaves fold to their occupancy,
 * smaller ones, each with the most keys and the most ones that hold the rate.
 *
 * <p>Near the top the foldings of a size are a half, a third, a quarter of it, whatever the size:
 * too coarse for leaves that are mostly more than half full. The sizes here are foldings of a
 * capacity of 210 units that is never allocated, so that each is about a tenth larger than the one
 * before it.
 */
final class LeafSizes {
  /** 2 * 3 * 5 * 7. */
  private static final long CAPACITY_UNITS = 210;

  /** Closer sizes would save less memory than they cost rebuilding. */
  private static final double LEAST_STEP = 1.08;

  /** What an empty leaf has instead of a filter. */
  private static final HeapBits NO_BITS = HeapBits.aligned(1);

  private final int hashes;
  private final List<Size> ascending;

  /**
   * One size.
   *
   * @param bits the size
   * @param hashes positions of an id
   * @param maxKeys the most keys that hold the rate in the mean over hash functions
   * @param maxOnes the most ones that hold it in this very filter; the unit takes any number
   * @param positions where an id's bits are
   */
  record Size(long bits, int hashes, long maxKeys, long maxOnes, Positions positions) {
    HeapBits newStore() {
      return positions.newStore();
    }

    /** Sets the bits of a hash, for one thread; returns how many of them were zero. */
    int set(HeapBits store, long hash) {
      int changed = 0;
      for (int probe = 0; probe < hashes; probe++) {
        changed += store.loadBit(positions.position(hash, probe)) ? 1 : 0;
      }
      return changed;
    }
  }

  LeafSizes(PartitionPlan plan, Mode mode) {
    this.hashes = plan.hashes();
    this.ascending = new ArrayList<>();
    long unit = mode.unitBits(plan);
    if (mode == Mode.EXACT_LEAVES) {
      double least = 0;
      for (long divisor : Divisors.of(CAPACITY_UNITS * (unit / Long.SIZE))) {
        long bits = divisor * Long.SIZE;
        long keys = bits < unit ? maxKeys(bits, plan) : 0;
        if (keys > 0 && bits >= least && bits * LEAST_STEP <= unit) {
          ascending.add(size(bits, keys, BloomRates.maxOnes(bits, hashes, plan.fpp())));
          least = bits * LEAST_STEP;
        }
      }
    }
    ascending.add(size(unit, plan.unitKeys(), unit));
  }

  private Size size(long bits, long maxKeys, long maxOnes) {
    return new Size(bits, hashes, maxKeys, maxOnes, Positions.classic(bits, hashes));
  }

  /** The most keys whose exact rate is at most fpp, by the slack of errata C1. */
  private static long maxKeys(long bits, PartitionPlan plan) {
    int hashes = plan.hashes();
    double slack = 1 + hashes * (hashes - 1.0) / (4.0 * bits);
    long low = 0;
    long high = plan.unitKeys();
    while (low < high) {
      long mid = (low + high + 1) >>> 1;
      if (BloomRates.fppClassic(bits, mid, hashes) * slack <= plan.fpp()) {
        low = mid;
      } else {
        high = mid - 1;
      }
    }
    return low;
  }

  Size unit() {
    return ascending.get(ascending.size() - 1);
  }

  /** The leaf at the smallest size that holds the rate, by its keys and by its real ones. */
  PartitionLeaf leaf(LeafContent.Node node, LeafContent content) {
    if (content.keys() == 0) {
      return new PartitionLeaf(node, content, null, NO_BITS, 0);
    }
    for (Size size : ascending) {
      if (size.maxKeys >= content.keys()) {
        HeapBits store = content.filter(size);
        long ones = store.ones();
        if (ones <= size.maxOnes) {
          return new PartitionLeaf(node, content, size, store, ones);
        }
      }
    }
    throw new IllegalStateException(content.keys() + " keys in a leaf of " + unit());
  }
}
