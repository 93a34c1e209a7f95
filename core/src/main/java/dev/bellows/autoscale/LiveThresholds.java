package dev.bellows.autoscale;

import dev.bellows.autoscale.ThresholdPlan.Rule.Thresholds;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.counters.CounterStore;
import dev.bellows.internal.layout.Shape;
import java.util.Objects;

/**
 * The thresholds of an autoscaling filter: a rule, and what it gives at the present number of keys.
 * Those of the previous step are kept too, so that a filter at a boundary does not tune on every
 * change.
 *
 * <p>It is immutable: a filter replaces it by compare-and-set, so that thresholds which a query has
 * computed never replace those of a rule that was set meanwhile.
 *
 * @param counterBits the widest that the counters may become
 */
record LiveThresholds(
    long bits,
    int hashes,
    int counterBits,
    ThresholdPlan.Rule rule,
    Thresholds current,
    Thresholds previous) {
  /** The thresholds of a rule for counters of a shape; refuses fixed ones that they rule out. */
  static LiveThresholds of(Shape shape, CounterStore counters, ThresholdPlan.Rule rule) {
    return of(shape.bits(), shape.hashes(), ceilingBits(counters), rule);
  }

  private static LiveThresholds of(
      long bits, int hashes, int counterBits, ThresholdPlan.Rule rule) {
    long maxTheta = ThresholdPlan.maxTheta(counterBits);
    if (rule instanceof ThresholdPlan.Rule.Fixed fixed) {
      Checks.inRange(0, hashes, fixed.decision(), "decision");
      if (fixed.theta() > maxTheta) {
        throw new IllegalArgumentException(
            "theta %d is beyond counters of %d bits, which allow theta up to %d: use %d bits"
                .formatted(
                    fixed.theta(),
                    counterBits,
                    maxTheta,
                    ThresholdPlan.counterBits(fixed.theta())));
      }
    }
    Thresholds first = Objects.requireNonNull(rule, "rule").thresholds(bits, hashes, 0, maxTheta);
    return new LiveThresholds(bits, hashes, counterBits, rule, first, first);
  }

  /** The widest that the counters may become. */
  static int ceilingBits(CounterStore counters) {
    return counters.widens() ? 32 : counters.width();
  }

  /** The same rule with the thresholds for this many keys as the current ones. */
  LiveThresholds at(long keys) {
    if (current.serve(keys)) {
      return this;
    }
    return with(
        previous.serve(keys)
            ? previous
            : rule.thresholds(bits, hashes, keys, ThresholdPlan.maxTheta(counterBits)));
  }

  /** The same rule with these thresholds as the current ones. */
  LiveThresholds with(Thresholds next) {
    return new LiveThresholds(bits, hashes, counterBits, rule, next, current);
  }

  /** The thresholds of another rule for the same counters. */
  LiveThresholds retuned(ThresholdPlan.Rule other) {
    return of(bits, hashes, counterBits, other);
  }
}
