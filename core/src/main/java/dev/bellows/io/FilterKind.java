package dev.bellows.io;

import java.util.Locale;

/**
 * The kind of a filter, as stored in its file: the one table of ids, names and artifacts. The
 * interfaces that the class of a kind implements declare its capabilities; {@link Filters#format}
 * leads to the class.
 */
public enum FilterKind {
  /** Bits: {@code BloomFilter}. */
  BLOOM(1, Artifact.CORE),

  /** Counters: {@code CountingBloomFilter}. */
  COUNTING(2, Artifact.CORE),

  /** A capacity filter and a folded view of it: {@code ElasticBloomFilter}. */
  ELASTIC(3, Artifact.CORE),

  /** Counters read through thresholds: {@code AutoscalingBloomFilter}. */
  AUTOSCALING(4, "bellows-autoscale"),

  /** The bits of an autoscaling filter above theta: {@code BinarizedFilter}. */
  BINARIZED(5, "bellows-autoscale"),

  /** A partition tree of unit filters over an id space: {@code DynamicPartitionBloomFilter}. */
  PARTITION(6, "bellows-partition"),

  /** The query tree of a partition filter: {@code PartitionView}. */
  PARTITION_VIEW(7, "bellows-partition"),

  /** Levels of doubling size: {@code ScalableBloomFilter}. */
  SCALABLE(8, "bellows-scalable"),

  /** Numeric ranges and texts: {@code RangeBloomFilter}. */
  RANGE(9, "bellows-range"),

  /** Several foldings of one filter: {@code FoldedFilters}. */
  FOLDED(10, Artifact.CORE),

  /** Prefixes of hashes: {@code FingerprintFilter}. */
  FINGERPRINT(11, Artifact.CORE),

  /** Columns of a static set: {@code FrozenFilter}. */
  FROZEN(12, Artifact.CORE),

  /** A ring of generations of bits: {@code WindowFilter}. */
  WINDOW(13, Artifact.CORE),

  /** Prefixes of hashes with generations: {@code WindowFilter}. */
  WINDOW_PREFIXES(14, Artifact.CORE),

  /** The query tree of a partition filter, with bitmaps for dense parts: {@code PartitionView}. */
  PARTITION_COMPACT(15, "bellows-partition"),

  /** The bits of a counting filter above theta: {@code BinarizedFilter}. */
  BINARIZED_COUNTING(16, "bellows-autoscale"),

  /** Several foldings of one filter and their version: {@code FoldedFilters}. */
  PARTS(17, Artifact.CORE),

  /** The changes of a durable filter between two versions: {@code Delta}. */
  DELTA(18, "bellows-durable"),

  /** Some columns of a frozen filter, for a receiver: {@code FrozenPart}. */
  FROZEN_PART(20, Artifact.CORE);

  private static final class Artifact {
    static final String CORE = "bellows-core";
  }

  private final int id;
  private final String artifact;

  FilterKind(int id, String artifact) {
    this.id = id;
    this.artifact = artifact;
  }

  /** Returns the id of this kind in files. */
  public int id() {
    return id;
  }

  /** Returns the name of this kind in options, JSON and messages. */
  public String word() {
    return this == AUTOSCALING ? "autoscale" : name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Returns the artifact of the group {@code dev.bellows} that reads and writes this kind. */
  public String artifact() {
    return artifact;
  }
}
