package dev.bellows.partition;

import dev.bellows.HashScheme;
import dev.bellows.HashScheme.KeyType;
import dev.bellows.KeyHasher;
import dev.bellows.Layout;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.layout.Shape;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.partition.IdPartition;
import dev.bellows.io.FilterKind;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import java.util.List;
import java.util.Optional;

/**
 * The settings that a partition filter shares with its views, and that must be equal for two
 * filters to be merged.
 *
 * @param plan the sizes and bounds
 * @param mode the data that the filter keeps in addition to its tree
 * @param scheme the scheme that hashes ids
 */
record PartitionSettings(PartitionPlan plan, Mode mode, HashScheme scheme) {
  /** Returns the division of all ids into units. */
  IdPartition partition() {
    return IdPartition.of(plan.universe(), plan.depth());
  }

  /** Returns the size of a unit filter. */
  long unitBits() {
    return mode.unitBits(plan);
  }

  /** Returns the reason why filters with these settings cannot be merged, or empty if they can. */
  Optional<String> incompatibility(PartitionSettings other) {
    return scheme
        .incompatibility(other.scheme)
        .or(() -> Merging.difference(described(), other.described()));
  }

  /** Returns whether two filters with the same content are equal, which ignores key types. */
  boolean isLike(PartitionSettings other) {
    return described().equals(other.described());
  }

  /** Returns the scheme that hashes ids, whatever the keys are that became ids. */
  HashScheme idScheme() {
    return scheme.withKeyType(KeyType.UNKNOWN);
  }

  /** Throws if the keys are known not to be ids themselves. */
  void requireIds() {
    KeyType type = scheme.keyType();
    if (type != KeyType.UNKNOWN && type != KeyType.IDS) {
      throw new IllegalArgumentException(
          ("the keys of this filter are %s, of which ids are the scaled hashes, not ids: pass the key"
                  + " with its hasher; a filter of ids has key type IDS")
              .formatted(type.word()));
    }
  }

  /** Returns the hash of a key whose id is that hash, scaled; throws if the keys are ids. */
  <T> long hash(T key, KeyHasher<? super T> hasher) {
    if (scheme.keyType() == KeyType.IDS) {
      throw new IllegalArgumentException(
          "the keys of this filter are ids, not keys with a hasher: pass the id itself");
    }
    return scheme.hash(key, hasher);
  }

  /**
   * Returns the properties that two filters must share: those that users set, then the whole plan.
   */
  private List<?> described() {
    return List.of(
        scheme,
        mode,
        "a universe of " + Long.toUnsignedString(plan.universe()) + " ids",
        "depth " + plan.depth(),
        "fpp " + plan.fpp(),
        plan.hashes() + " hashes",
        plan);
  }

  /** Returns the settings of a merged filter, or throws if the two cannot be merged. */
  PartitionSettings mergedWith(PartitionSettings other) {
    Merging.requireCompatible(incompatibility(other));
    return new PartitionSettings(plan, mode, scheme.mergedWith(other.scheme));
  }

  /**
   * Returns the settings of a view whose leaves have at most this rate. In mode EXACT_LEAVES, units
   * get more bits and more hashes. In mode PUBLISHED, the size of a unit is fixed by Partition
   * paper, Eq. 1, so leaves hold fewer keys instead.
   */
  PartitionSettings forLeaves(double leafFpp) {
    if (mode == Mode.PUBLISHED || leafFpp == plan.fpp()) {
      return this;
    }
    PartitionPlan larger =
        PartitionFormat.checked(
            PartitionPlan.of(
                plan.universe(), plan.depth(), leafFpp, BloomRates.hashesFor(leafFpp)));
    return new PartitionSettings(larger.withFpp(plan.fpp()), mode, scheme);
  }

  FilterHeader header(FilterKind kind, List<Long> sectionBytes) {
    return ShapeCodec.header(
        kind,
        new Shape(new Layout.Classic(plan.hashes()), unitBits(), scheme),
        List.of(
            (long) mode.id(),
            plan.universe(),
            (long) plan.depth(),
            Double.doubleToRawLongBits(plan.fpp())),
        sectionBytes);
  }
}
