package dev.bellows;

import dev.bellows.internal.Checks;
import dev.bellows.plan.BloomRates;
import dev.bellows.plan.IdPartition;
import dev.bellows.plan.PartitionPlan;
import org.jspecify.annotations.Nullable;

/** Builds a {@link DynamicPartitionBloomFilter}: a universe, and a depth or a size of units. */
public final class PartitionBuilder {
  /** Units of about this many keys unless the caller says otherwise. */
  private static final long DEFAULT_UNIT_KEYS = 1024;

  private long universe = IdPartition.MAX_UNIVERSE;
  private @Nullable Integer depth;
  private long unitKeys = DEFAULT_UNIT_KEYS;
  private double fpp = 0.01;
  private @Nullable Integer hashes;
  private PartitionMode mode = PartitionMode.EXACT_LEAVES;
  private HashScheme scheme = HashScheme.DEFAULT;

  PartitionBuilder() {}

  /** The number of ids, up to 2^63 ({@link IdPartition#MAX_UNIVERSE}, the default). */
  public PartitionBuilder universe(long universe) {
    this.universe = universe;
    return this;
  }

  /** Units: 2^depth of them. */
  public PartitionBuilder depth(int depth) {
    this.depth = depth;
    return this;
  }

  /** Units of at most this many ids (default 1024), which settles the depth. */
  public PartitionBuilder unitKeys(long unitKeys) {
    this.unitKeys = Checks.positive(unitKeys, "unitKeys");
    this.depth = null;
    return this;
  }

  /** The rate that no query exceeds (default 1 %). */
  public PartitionBuilder fpp(double fpp) {
    this.fpp = Checks.probability(fpp, "fpp");
    return this;
  }

  /** Positions per id; by default as many as need the fewest bits. */
  public PartitionBuilder hashes(int hashes) {
    this.hashes = Checks.positive(hashes, "hashes");
    return this;
  }

  /** What is kept beside the tree (default: the ids). */
  public PartitionBuilder mode(PartitionMode mode) {
    this.mode = mode;
    return this;
  }

  /** The seed of the default hash scheme. */
  public PartitionBuilder seed(long seed) {
    return hashScheme(HashScheme.xxh3(seed));
  }

  /** The hash scheme. */
  public PartitionBuilder hashScheme(HashScheme scheme) {
    this.scheme = scheme;
    return this;
  }

  /** The plan of the filter it would build. */
  public PartitionPlan plan() {
    int k = hashes == null ? BloomRates.hashesFor(fpp) : hashes;
    return depth == null
        ? PartitionPlan.ofUnitKeys(universe, unitKeys, fpp, k)
        : PartitionPlan.of(universe, depth, fpp, k);
  }

  /** Builds the empty filter. */
  public DynamicPartitionBloomFilter build() {
    return DynamicPartitionBloomFilter.of(PartitionCodec.checked(plan()), mode, scheme);
  }
}
