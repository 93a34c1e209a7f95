package dev.bellows.io;

import java.util.Locale;

/**
 * The kind of a filter, as stored in its file; the ids in files never change. The interfaces that
 * the class of a kind implements declare its capabilities; {@link Filters#format} leads to the
 * class.
 */
public enum FilterKind {
  /** Bits: {@code BloomFilter}. */
  BLOOM(1),

  /** Counters: {@code CountingBloomFilter}. */
  COUNTING(2),

  /** A capacity filter and a folded view of it: {@code ElasticBloomFilter}. */
  ELASTIC(3),

  /** Counters read through thresholds: {@code AutoscalingBloomFilter}. */
  AUTOSCALING(4),

  /** The bits of an autoscaling filter above theta: {@code BinarizedFilter}. */
  BINARIZED(5),

  /** A partition tree of unit filters over an id space: {@code DynamicPartitionBloomFilter}. */
  PARTITION(6),

  /** The query tree of a partition filter: {@code PartitionView}. */
  PARTITION_VIEW(7),

  /** Levels of doubling size: {@code ScalableBloomFilter}. */
  SCALABLE(8),

  /** Numeric ranges and texts: {@code RangeBloomFilter}. */
  RANGE(9),

  /** Several foldings of one filter: {@code FoldedFilters}. */
  FOLDED(10),

  /** Prefixes of hashes: {@code FingerprintFilter}. */
  FINGERPRINT(11),

  /** Columns of a static set: {@code FrozenFilter}. */
  FROZEN(12),

  /** A ring of generations of bits: {@code WindowFilter}. */
  WINDOW(13),

  /** Prefixes of hashes with generations: {@code WindowFilter}. */
  WINDOW_PREFIXES(14),

  /** The query tree of a partition filter, with bitmaps for dense parts: {@code PartitionView}. */
  PARTITION_COMPACT(15),

  /** The bits of a counting filter above theta: {@code BinarizedFilter}. */
  BINARIZED_COUNTING(16),

  /** Several foldings of one filter and their version: {@code FoldedFilters}. */
  PARTS(17),

  /** The changes of a durable filter between two versions: {@code Delta}. */
  DELTA(18),

  /** Some columns of a frozen filter, for a receiver: {@code FrozenPart}. */
  FROZEN_PART(20);

  private final int id;

  FilterKind(int id) {
    this.id = id;
  }

  /** Returns the id of this kind in files. */
  public int id() {
    return id;
  }

  /** Returns the name of this kind in options, JSON and messages. */
  public String word() {
    return this == AUTOSCALING ? "autoscale" : name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
