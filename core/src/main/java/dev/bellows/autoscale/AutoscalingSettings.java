package dev.bellows.autoscale;

import dev.bellows.HashScheme;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.counters.CounterStore;
import dev.bellows.internal.layout.Shape;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The settings of an autoscaling filter that is to be built, and what follows from them. */
abstract class AutoscalingSettings {
  private long bits;
  private int hashes;
  private HashScheme scheme = HashScheme.DEFAULT;
  private Criterion criterion = Criterion.accuracy();
  private double minTpr;
  private ThresholdPlan.Rule.@Nullable Fixed fixed;
  private @Nullable Integer counterBits;
  private @Nullable Long insertOnlyKeys;

  abstract AutoscalingBloomFilter.Builder self();

  /** The number of counters. */
  public AutoscalingBloomFilter.Builder bits(long bits) {
    this.bits = Checks.positive(bits, "bits");
    return self();
  }

  /** Distinct positions per key. */
  public AutoscalingBloomFilter.Builder hashes(int hashes) {
    this.hashes = Checks.positive(hashes, "hashes");
    return self();
  }

  /** The seed of the default hash scheme. */
  public AutoscalingBloomFilter.Builder seed(long seed) {
    return hashScheme(HashScheme.xxh3(seed));
  }

  /** The hash scheme. */
  public AutoscalingBloomFilter.Builder hashScheme(HashScheme scheme) {
    this.scheme = Objects.requireNonNull(scheme, "hashScheme");
    return self();
  }

  /** What the thresholds are tuned for; accuracy by default. */
  public AutoscalingBloomFilter.Builder criterion(Criterion criterion) {
    this.criterion = Objects.requireNonNull(criterion, "criterion");
    return self();
  }

  /** The least share of stored keys that the thresholds must accept; 0 by default. */
  public AutoscalingBloomFilter.Builder minTpr(double minTpr) {
    this.minTpr = minTpr;
    return self();
  }

  /** Fixes both thresholds instead of tuning them. */
  public AutoscalingBloomFilter.Builder thresholds(long theta, int decision) {
    this.fixed = new ThresholdPlan.Rule.Fixed(theta, decision);
    return self();
  }

  /**
   * Counters of exactly this many bits, 4, 8, 16 or 32, that saturate. By default they begin with 4
   * bits and widen on demand.
   */
  public AutoscalingBloomFilter.Builder counterBits(int counterBits) {
    this.counterBits = CounterStore.checkedWidth(counterBits);
    return self();
  }

  /**
   * The narrowest counters that answer exactly at every number of keys up to this one, as long as
   * no key is removed and the thresholds are not retuned.
   */
  public AutoscalingBloomFilter.Builder insertOnly(long maxKeys) {
    this.insertOnlyKeys = Checks.notNegative(maxKeys, "maxKeys");
    return self();
  }

  final Shape shape() {
    if (bits == 0 || hashes == 0) {
      throw new IllegalArgumentException(
          "not enough to build with: give bits and hashes (both are required)");
    }
    return Shape.distinct(bits, hashes, scheme);
  }

  final ThresholdPlan.Rule rule() {
    if (fixed == null) {
      return new ThresholdPlan.Rule.Tuned(criterion, minTpr);
    }
    if (minTpr != 0 || !criterion.equals(Criterion.accuracy())) {
      throw new IllegalArgumentException(
          "fixed thresholds %d and %d are not tuned: leave out criterion and minTpr"
              .formatted(fixed.theta(), fixed.decision()));
    }
    return fixed;
  }

  final CounterStore counters(ThresholdPlan.Rule rule) {
    if (counterBits != null && insertOnlyKeys != null) {
      throw new IllegalArgumentException(
          "counterBits " + counterBits + " and insertOnly, which chooses the width: give only one");
    }
    if (insertOnlyKeys != null) {
      int width = ThresholdPlan.counterBits(bits, hashes, insertOnlyKeys, rule);
      return new CounterStore(bits, width, false);
    }
    return counterBits == null
        ? new CounterStore(bits, 4, true)
        : new CounterStore(bits, counterBits, false);
  }
}
