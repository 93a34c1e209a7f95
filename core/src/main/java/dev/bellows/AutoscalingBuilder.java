package dev.bellows;

import dev.bellows.internal.Checks;
import dev.bellows.internal.Counters;
import dev.bellows.plan.Criterion;
import dev.bellows.plan.ThresholdPlan;
import dev.bellows.plan.ThresholdRule;
import org.jspecify.annotations.Nullable;

/** Builds an {@link AutoscalingBloomFilter}: bits and hashes, both as the hardware has them. */
public final class AutoscalingBuilder {
  private long bits;
  private int hashes;
  private HashScheme scheme = HashScheme.DEFAULT;
  private Criterion criterion = Criterion.accuracy();
  private double minTpr;
  private ThresholdRule.@Nullable Fixed fixed;
  private @Nullable Integer counterBits;
  private @Nullable Long insertOnlyKeys;

  AutoscalingBuilder() {}

  /** The number of counters. */
  public AutoscalingBuilder bits(long bits) {
    this.bits = Checks.positive(bits, "bits");
    return this;
  }

  /** Distinct positions per key. */
  public AutoscalingBuilder hashes(int hashes) {
    this.hashes = Checks.positive(hashes, "hashes");
    return this;
  }

  /** The seed of the default hash scheme. */
  public AutoscalingBuilder seed(long seed) {
    return hashScheme(HashScheme.xxh3(seed));
  }

  /** The hash scheme. */
  public AutoscalingBuilder hashScheme(HashScheme scheme) {
    this.scheme = scheme;
    return this;
  }

  /** What the thresholds are tuned for; accuracy if nothing is said. */
  public AutoscalingBuilder criterion(Criterion criterion) {
    this.criterion = criterion;
    return this;
  }

  /** The least share of stored keys that the thresholds must accept; 0 if nothing is said. */
  public AutoscalingBuilder minTpr(double minTpr) {
    this.minTpr = minTpr;
    return this;
  }

  /** Fixes both thresholds instead of tuning them. */
  public AutoscalingBuilder thresholds(long theta, int decision) {
    this.fixed = new ThresholdRule.Fixed(theta, decision);
    return this;
  }

  /**
   * Counters of exactly so many bits, 4, 8, 16 or 32, that saturate. Without it they begin with 4
   * and widen on demand.
   */
  public AutoscalingBuilder counterBits(int counterBits) {
    this.counterBits = Counters.checkedWidth(counterBits);
    return this;
  }

  /**
   * The narrowest counters with which no threshold up to so many keys loses anything, as long as no
   * key is removed.
   */
  public AutoscalingBuilder insertOnly(long maxKeys) {
    this.insertOnlyKeys = Checks.notNegative(maxKeys, "maxKeys");
    return this;
  }

  /** Builds the empty filter. */
  public AutoscalingBloomFilter build() {
    if (bits == 0 || hashes == 0) {
      throw new IllegalArgumentException(
          "not enough to build with: give bits and hashes (there are no others to choose)");
    }
    if (counterBits != null && insertOnlyKeys != null) {
      throw new IllegalArgumentException(
          "counterBits " + counterBits + " beside insertOnly, which chooses them: give one");
    }
    FilterShape shape = FilterShape.distinct(bits, hashes, scheme);
    ThresholdRule rule = rule();
    int width = counterBits == null ? 4 : counterBits;
    if (insertOnlyKeys != null) {
      width = ThresholdPlan.counterBits(bits, hashes, insertOnlyKeys, rule);
    }
    boolean widens = counterBits == null && insertOnlyKeys == null;
    Counters counters = new Counters(bits, width, widens);
    if (fixed != null && fixed.theta() > AutoscalingBloomFilter.maxTheta(counters)) {
      throw new IllegalArgumentException(
          "theta %d is beyond counters of %d bits, which serve up to %d: use %d bits"
              .formatted(
                  fixed.theta(),
                  width,
                  AutoscalingBloomFilter.maxTheta(counters),
                  ThresholdPlan.counterBits(fixed.theta())));
    }
    return new AutoscalingBloomFilter(shape, counters, rule, 0);
  }

  private ThresholdRule rule() {
    if (fixed == null) {
      return new ThresholdRule.Tuned(criterion, minTpr);
    }
    if (minTpr != 0 || !criterion.equals(Criterion.accuracy())) {
      throw new IllegalArgumentException(
          "fixed thresholds %d and %d are not tuned: leave out criterion and minTpr"
              .formatted(fixed.theta(), fixed.decision()));
    }
    Checks.inRange(0, hashes, fixed.decision(), "decision");
    return fixed;
  }
}
