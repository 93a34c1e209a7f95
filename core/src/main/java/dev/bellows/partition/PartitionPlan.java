package dev.bellows.partition;

import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.partition.IdPartition;
import dev.bellows.internal.partition.PartitionRates;
import dev.bellows.plan.BloomPlan;

/**
 * The sizes of a partition filter: a tree over {@code universe} ids whose leaves are equal unit
 * filters (Partition paper, Definition 2.2).
 *
 * @param universe number of ids, up to {@link #MAX_UNIVERSE}
 * @param depth level of the leaves
 * @param fpp rate that no query exceeds
 * @param hashes positions of an id
 * @param unitKeys ids in the largest leaf, {@code ceil(U / 2^d)}: what a unit filter is sized for,
 *     and the maximum number of keys a leaf of the compressed tree holds (errata <a
 *     href="{@docRoot}/doc-files/errata.html#D2">D2</a>)
 * @param unitBits size of a unit filter by Partition paper, Eq. 1
 * @param allocatedUnitBits the well-divisible size at or above it that the filter uses, at which
 *     the exact rate holds too
 */
public record PartitionPlan(
    long universe,
    int depth,
    double fpp,
    int hashes,
    long unitKeys,
    long unitBits,
    long allocatedUnitBits) {

  /** 2^63: every non-negative id. As a signed number it is negative. */
  public static final long MAX_UNIVERSE = IdPartition.MAX_UNIVERSE;

  /** Returns the plan of a tree of this depth. */
  public static PartitionPlan of(long universe, int depth, double fpp, int hashes) {
    Checks.probability(fpp, "fpp");
    Checks.positive(hashes, "hashes");
    long unitKeys = IdPartition.of(universe, depth).unitKeys();
    if (unitKeys < 0) {
      throw new IllegalArgumentException(
          "depth 0 makes one unit of 2^63 keys: use a depth of at least "
              + IdPartition.depthFor(universe, 1 << 20));
    }
    return new PartitionPlan(
        universe,
        depth,
        fpp,
        hashes,
        unitKeys,
        BloomRates.bitsFor(unitKeys, hashes, fpp),
        BloomPlan.foldable(unitKeys, fpp, new Layout.Classic(hashes)).bits());
  }

  /** Returns the plan whose units hold at most this many keys. */
  public static PartitionPlan ofUnitKeys(long universe, long unitKeys, double fpp, int hashes) {
    return of(universe, IdPartition.depthFor(universe, unitKeys), fpp, hashes);
  }

  /**
   * Returns {@code fpp / (2 (unions + 1))}: the rate of views of which this many unions keep the
   * fpp of the plan. The rates of views add up, because a union must accept what an input accepts;
   * the other half of the fpp is for leaves that a union merges into one.
   */
  public double viewFpp(int unions) {
    return fpp / (2.0 * (Checks.notNegative(unions, "unions") + 1));
  }

  /** Returns the plan for another rate whose units keep the size and the hashes that they have. */
  PartitionPlan withFpp(double target) {
    return new PartitionPlan(
        universe,
        depth,
        target,
        hashes,
        unitKeys,
        BloomRates.bitsFor(unitKeys, hashes, target),
        allocatedUnitBits);
  }

  /** 2^depth, the number of unit filters if all are populated. */
  public long leaves() {
    return 1L << depth;
  }

  /**
   * Returns the smallest unit whose power-form rate holds: Eq 1 exceeds it by O(1/m) (errata <a
   * href="{@docRoot}/doc-files/errata.html#D1">D1</a>).
   */
  public long classicUnitBits() {
    return PartitionRates.classicBits(unitKeys, hashes, fpp);
  }

  /**
   * Returns the fewest unit filters that can hold the keys (Partition paper, Eq. 2, with whole
   * units).
   */
  public long fewestUnits(long keys) {
    return Checks.notNegative(keys, "keys") == 0 ? 0 : (keys - 1) / unitKeys + 1;
  }

  /**
   * Returns {@code d floor(n / (n_t + 1))}: the most inner nodes of the compressed tree (errata <a
   * href="{@docRoot}/doc-files/errata.html#D6">D6</a>).
   */
  public long mostInnerNodes(long keys) {
    return Checks.notNegative(keys, "keys") / (unitKeys + 1) * depth;
  }

  /**
   * Returns the maximum number of bits that the map and the compressed tree take together with this
   * many populated units: two filters for each (erratum <a
   * href="{@docRoot}/doc-files/errata.html#D5">D5</a>, <a
   * href="{@docRoot}/doc-files/errata.html#D13">D13</a>), as a double because it may pass 2^63.
   */
  public double mostBits(long populatedUnits) {
    return 2.0 * Checks.inRange(0, leaves(), populatedUnits, "populatedUnits") * unitBits;
  }
}
