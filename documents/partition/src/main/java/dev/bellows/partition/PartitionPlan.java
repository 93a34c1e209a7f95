package dev.bellows.partition;

import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.partition.IdPartition;
import dev.bellows.plan.BloomPlan;

/**
 * The sizes of a partition filter: a tree over {@code universe} ids whose leaves are equal unit
 * filters (Partition paper, Definition 2.2).
 *
 * @param universe the number of ids, up to {@link #MAX_UNIVERSE}
 * @param depth the level of the leaves
 * @param fpp the false positive rate that no query exceeds
 * @param hashes the number of positions per id
 * @param unitKeys the number of ids in the largest unit, {@code ceil(universe / 2^depth)}. A unit
 *     filter is sized for this many keys, and a leaf of the compressed tree holds at most this many
 *     (see erratum <a href="{@docRoot}/doc-files/errata.html#D2">D2</a>)
 * @param unitBits the size of a unit filter according to Partition paper, Eq. 1
 * @param allocatedUnitBits the size that mode EXACT_LEAVES uses instead: at least unitBits, with
 *     many divisors, and large enough for the exact rate
 */
public record PartitionPlan(
    long universe,
    int depth,
    double fpp,
    int hashes,
    long unitKeys,
    long unitBits,
    long allocatedUnitBits) {

  /**
   * The largest universe, 2^63, which contains every non-negative id. As a signed number, it is
   * negative.
   */
  public static final long MAX_UNIVERSE = IdPartition.MAX_UNIVERSE;

  /** Returns the plan for a tree of this depth. */
  public static PartitionPlan of(long universe, int depth, double fpp, int hashes) {
    Checks.probability(fpp, "fpp");
    Checks.positive(hashes, "hashes");
    long unitKeys = IdPartition.of(universe, depth).unitKeys();
    if (unitKeys < 0) {
      throw new IllegalArgumentException(
          "depth 0 gives a single unit of 2^63 keys: use a depth of at least "
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

  /** Returns the plan for a tree whose units hold at most this many keys. */
  public static PartitionPlan ofUnitKeys(long universe, long unitKeys, double fpp, int hashes) {
    return of(universe, IdPartition.depthFor(universe, unitKeys), fpp, hashes);
  }

  /**
   * Returns {@code fpp / (2 (unions + 1))}: the rate that views need so that this many unions of
   * them stay within the fpp of the plan. The rates of views add up, because a union must accept
   * every id that one of its inputs accepts. The other half of the fpp is reserved for leaves that
   * a union merges.
   */
  public double viewFpp(int unions) {
    return fpp / (2.0 * (Checks.notNegative(unions, "unions") + 1));
  }

  /**
   * Returns this plan with another target rate, but with the same unit size and number of hashes.
   */
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

  /** Returns the number of unit filters if all units are populated: 2^depth. */
  public long leaves() {
    return 1L << depth;
  }

  /**
   * Returns the size of the smallest unit filter whose rate, in the power form, is at most the fpp.
   * The rate according to Partition paper, Eq. 1, is too high by O(1/m) (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#D1">D1</a>).
   */
  public long classicUnitBits() {
    return BloomRates.classicBitsFor(unitKeys, hashes, fpp);
  }

  /**
   * Returns the smallest number of unit filters that can hold this many keys (Partition paper, Eq.
   * 2, rounded up to whole units).
   */
  public long fewestUnits(long keys) {
    return Checks.notNegative(keys, "keys") == 0 ? 0 : (keys - 1) / unitKeys + 1;
  }

  /**
   * Returns the maximum number of inner nodes of the compressed tree, {@code depth * floor(keys /
   * (unitKeys + 1))} (see erratum <a href="{@docRoot}/doc-files/errata.html#D6">D6</a>).
   */
  public long mostInnerNodes(long keys) {
    return Checks.notNegative(keys, "keys") / (unitKeys + 1) * depth;
  }

  /**
   * Returns the maximum number of bits of the unit filters and the compressed tree together: two
   * filters for each populated unit (see errata <a
   * href="{@docRoot}/doc-files/errata.html#D5">D5</a>, <a
   * href="{@docRoot}/doc-files/errata.html#D13">D13</a>). It is a double, because the number may
   * exceed 2^63.
   */
  public double mostBits(long populatedUnits) {
    return 2.0 * Checks.inRange(0, leaves(), populatedUnits, "populatedUnits") * unitBits;
  }
}
