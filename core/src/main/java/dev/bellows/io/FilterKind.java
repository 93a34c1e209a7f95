package dev.bellows.io;

import java.util.Locale;

/** What a file holds; the ids are frozen. */
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

  /** Numeric ranges and texts: {@code RangeBloomFilter}. */
  RANGE(9),

  /** Several foldings of one filter: {@code FoldedFilters}. */
  FOLDED(10);

  private final int id;

  FilterKind(int id) {
    this.id = id;
  }

  /** The number in the file. */
  public int id() {
    return id;
  }

  /** The word for it in flags, JSON and messages. */
  public String word() {
    return this == AUTOSCALING ? "autoscale" : name().toLowerCase(Locale.ROOT);
  }

  static FilterKind ofId(int id) throws FilterFormatException {
    for (FilterKind kind : values()) {
      if (kind.id == id) {
        return kind;
      }
    }
    throw new FilterFormatException(FilterHeader.KIND_OFFSET, "unknown kind " + id);
  }
}
