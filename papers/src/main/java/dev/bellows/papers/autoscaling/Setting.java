package dev.bellows.papers.autoscaling;

import dev.bellows.AutoscalingBloomFilter;
import java.util.function.LongPredicate;

/** The filter of section 4 of document 004: m = 10 000 counters, k = 100, usually n = 500 keys. */
final class Setting {
  static final long BITS = 10_000;
  static final int HASHES = 100;
  static final int KEYS = 500;

  private Setting() {}

  /** A filter of this shape, filled with the keys 0 to n - 1, read through fixed thresholds. */
  static AutoscalingBloomFilter filled(int seed, long keys, long theta, int decision) {
    return fill(AutoscalingBloomFilter.builder().thresholds(theta, decision), seed, keys);
  }

  /** The same filter, as the question for a key. */
  static LongPredicate asked(int seed, long keys, long theta, int decision) {
    return filled(seed, keys, theta, decision)::mightContain;
  }

  /** Builds a filter of this shape and fills it with the keys 0 to n - 1. */
  static AutoscalingBloomFilter fill(AutoscalingBloomFilter.Builder builder, int seed, long keys) {
    AutoscalingBloomFilter filter = builder.bits(BITS).hashes(HASHES).seed(seed).build();
    for (long key = 0; key < keys; key++) {
      filter.put(key);
    }
    return filter;
  }
}
