package dev.bellows.io;

import java.util.Locale;

/**
 * The kind of a filter, as its file names it; the ids in files never change. What a kind can do is
 * what its class implements: {@link Filters#format} has the class of each.
 */
public enum FilterKind {
  /** Bits: {@code BloomFilter}. */
  BLOOM(1),

  /** Counters: {@code CountingBloomFilter}. */
  COUNTING(2),

  /** A capacity and the folded view of it: {@code ElasticBloomFilter}. */
  ELASTIC(3),

  /** Counters read through thresholds: {@code AutoscalingBloomFilter}. */
  AUTOSCALING(4),

  /** The bits of an autoscaling filter above theta: {@code BinarizedFilter}. */
  BINARIZED(5),

  /** Unit filters of an id space, with their tree: {@code DynamicPartitionBloomFilter}. */
  PARTITION(6),

  /** The tree alone: {@code PartitionView}. */
  PARTITION_VIEW(7),

  /** Levels of doubling size: {@code ScalableBloomFilter}. */
  SCALABLE(8),

  /** Numeric ranges and texts: {@code RangeBloomFilter}. */
  RANGE(9),

  /** Several foldings of one filter: {@code FoldedFilters}. */
  FOLDED(10),

  /** Prefixes of hashes: {@code FingerprintFilter}. */
  FINGERPRINT(11);

  private final int id;

  FilterKind(int id) {
    this.id = id;
  }

  /** The number in the file. */
  public int id() {
    return id;
  }

  /** Its name in flags, JSON and messages. */
  public String word() {
    return this == AUTOSCALING ? "autoscale" : name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
