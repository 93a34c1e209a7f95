package dev.bellows.papers.autoscaling;

import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.AutoscalingBloomFilter.Builder;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.ThresholdPlan;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * The filter of Section 4 of the Autoscaling paper: m = 10 000 counters, k = 100, usually n = 500
 * keys.
 */
final class Setting {
  static final long BITS = 10_000;
  static final int HASHES = 100;
  static final int KEYS = 500;

  private Setting() {}

  /**
   * Returns a filter of this shape, filled with the keys 0 to n - 1 of a plan and read through its
   * thresholds.
   */
  static AutoscalingBloomFilter filled(int seed, ThresholdPlan plan) {
    Builder builder = AutoscalingBloomFilter.builder();
    return filled(builder.thresholds(plan.theta(), plan.decision()), seed, plan.keys());
  }

  /** The same filter, as a predicate of keys. */
  static LongPredicate accepting(int seed, ThresholdPlan plan) {
    return filled(seed, plan)::accepts;
  }

  /** Builds a filter of this shape and fills it with the keys 0 to n - 1. */
  static AutoscalingBloomFilter filled(Builder builder, int seed, long keys) {
    return filled(builder.bits(BITS).hashes(HASHES).seed(seed(seed, keys)), keys);
  }

  /** Builds a filter of any shape and fills it with the keys 0 to n - 1. */
  static AutoscalingBloomFilter filled(Builder builder, long keys) {
    AutoscalingBloomFilter filter = builder.build();
    LongStream.range(0, keys).forEach(filter::put);
    return filter;
  }

  /** Returns a seed that no other number of keys has, so that points of a curve are independent. */
  static long seed(int seed, long keys) {
    return keys * 10_000 + seed;
  }

  /** Returns what filters of this shape answer when read by likelihood, tuned for a minimum TPR. */
  static Answers likelihood(int filters, int queries, long keys, double leastTpr) {
    return Answers.of(
        filters,
        queries,
        seed -> {
          AutoscalingBloomFilter filter = filled(AutoscalingBloomFilter.builder(), seed, keys);
          return filter.likelihood(Criterion.accuracy(), leastTpr)::accepts;
        });
  }
}
