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
 * smaller ones, each with the largest number of keys and of ones that keeps the rate.
 *
 * <p>The largest foldings of any size are a half, a third and a quarter of it: too coarse for
 * leaves that are mostly more than half full. The sizes here are foldings of a capacity of 210
 * units that is never allocated, so that each is about a tenth larger than the one before it.
 */
final class LeafSizes {
  /** 2 * 3 * 5 * 7. */
  private static final long CAPACITY_UNITS = 210;

  /** With closer sizes the cost of rebuilding would exceed the memory saved. */
  private static final double LEAST_STEP = 1.08;

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

  /**
   * The most keys whose rate is at most fpp, with the correction of errata <a
   * href="{@docRoot}/doc-files/errata.html#C1">C1</a>.
   */
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
