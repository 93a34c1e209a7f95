package dev.bellows.io;

import java.util.Locale;
import java.util.Set;

/** The kind of a filter and the operations it has; the ids in files never change. */
public enum FilterKind {
  /** Bits: {@code BloomFilter}. */
  BLOOM(1, Ability.PUT, Ability.FOLD, Ability.UNION, Ability.INTERSECT, Ability.IDENTIFY),

  /** Counters: {@code CountingBloomFilter}. */
  COUNTING(
      2,
      Ability.PUT,
      Ability.REMOVE,
      Ability.FOLD,
      Ability.UNION,
      Ability.SUBTRACT,
      Ability.IDENTIFY),

  /** A capacity and the folded view of it: {@code ElasticBloomFilter}. */
  ELASTIC(3, Ability.PUT, Ability.REMOVE, Ability.IDENTIFY),

  /** Counters read through thresholds: {@code AutoscalingBloomFilter}. */
  AUTOSCALING(4, Ability.PUT, Ability.REMOVE, Ability.UNION, Ability.MISS),

  /** The bits of an autoscaling filter above theta: {@code BinarizedFilter}. */
  BINARIZED(5, Ability.MISS),

  /** Unit filters of an id space, with their tree: {@code DynamicPartitionBloomFilter}. */
  PARTITION(6, Ability.PUT, Ability.REMOVE, Ability.UNION, Ability.INTERSECT),

  /** The tree alone: {@code PartitionView}. */
  PARTITION_VIEW(7, Ability.UNION, Ability.INTERSECT),

  /** Levels of doubling size: {@code ScalableBloomFilter}. */
  SCALABLE(8, Ability.PUT, Ability.UNION, Ability.INTERSECT),

  /** Numeric ranges and texts: {@code RangeBloomFilter}. */
  RANGE(9, Ability.PUT, Ability.UNION, Ability.INTERSECT),

  /** Several foldings of one filter: {@code FoldedFilters}. */
  FOLDED(10, Ability.IDENTIFY),

  /** Prefixes of hashes: {@code FingerprintFilter}. */
  FINGERPRINT(
      11,
      Ability.PUT,
      Ability.REMOVE,
      Ability.CUT,
      Ability.UNION,
      Ability.INTERSECT,
      Ability.SUBTRACT);

  /** An ability of a kind. */
  public enum Ability {
    /** Keys can be put. */
    PUT,
    /** Keys can be removed; for some kinds only if the filter was built for it. */
    REMOVE,
    /** It folds to divisors of its size. */
    FOLD,
    /** Its prefixes can be cut, down to a higher rate. */
    CUT,
    /** Union: it merges with another filter to one with the keys of both. */
    UNION,
    /** Intersection: it merges with another filter to one with the keys that are in both. */
    INTERSECT,
    /** The keys of another filter can be subtracted. */
    SUBTRACT,
    /** It stores the id of a filter and the state from which it was made. */
    IDENTIFY,
    /** It misses stored keys at a stated rate, so that "no" is not certain. */
    MISS
  }

  private final int id;

  @SuppressWarnings("ImmutableEnumChecker") // Set.of is immutable
  private final Set<Ability> abilities;

  FilterKind(int id, Ability... abilities) {
    this.id = id;
    this.abilities = Set.of(abilities);
  }

  /** The number in the file. */
  public int id() {
    return id;
  }

  /** Whether filters of this kind can do it. */
  public boolean can(Ability ability) {
    return abilities.contains(ability);
  }

  /** Whether "no" is certain: no stored key is ever missed. */
  public boolean isCertain() {
    return !can(Ability.MISS);
  }

  /** Its name in flags, JSON and messages. */
  public String word() {
    return this == AUTOSCALING ? "autoscale" : name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
