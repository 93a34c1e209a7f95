package dev.bellows.autoscale;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.store.CounterStore;
import dev.bellows.internal.store.Shape;
import dev.bellows.plan.ThresholdPlan;
import dev.bellows.plan.ThresholdRule;
import dev.bellows.plan.ThresholdRule.Thresholds;
import java.util.Objects;

/**
 * The thresholds of an autoscaling filter: a rule, and what it gives at the present number of keys.
 * They are computed when a query first needs them. Those of the present and of the previous step
 * are kept, so that a filter at a boundary does not tune on every change.
 */
final class LiveThresholds {
  private final long bits;
  private final int hashes;
  private final int counterBits;
  private volatile ThresholdRule rule;
  private volatile Thresholds current;
  private volatile Thresholds previous;

  /** The thresholds of a rule for counters of a shape; refuses fixed ones that they rule out. */
  LiveThresholds(Shape shape, CounterStore counters, ThresholdRule rule) {
    this.bits = shape.bits();
    this.hashes = shape.hashes();
    this.counterBits = ceilingBits(counters);
    this.rule = checked(rule);
    this.current = of(0);
    this.previous = current;
  }

  private LiveThresholds(LiveThresholds other) {
    this.bits = other.bits;
    this.hashes = other.hashes;
    this.counterBits = other.counterBits;
    this.rule = other.rule;
    this.current = other.current;
    this.previous = other.previous;
  }

  /** The widest that the counters may become. */
  static int ceilingBits(CounterStore counters) {
    return counters.widens() ? 32 : counters.width();
  }

  private ThresholdRule checked(ThresholdRule wanted) {
    if (wanted instanceof ThresholdRule.Fixed fixed) {
      Checks.inRange(0, hashes, fixed.decision(), "decision");
      if (fixed.theta() > maxTheta()) {
        throw new IllegalArgumentException(
            "theta %d is beyond counters of %d bits, which allow theta up to %d: use %d bits"
                .formatted(
                    fixed.theta(),
                    counterBits,
                    maxTheta(),
                    ThresholdPlan.counterBits(fixed.theta())));
      }
    }
    return Objects.requireNonNull(wanted, "rule");
  }

  private long maxTheta() {
    return ThresholdPlan.maxTheta(counterBits);
  }

  private Thresholds of(long keys) {
    return rule.thresholds(bits, hashes, keys, maxTheta());
  }

  ThresholdRule rule() {
    return rule;
  }

  /** The thresholds at a number of keys. */
  Thresholds at(long keys) {
    Thresholds now = current;
    return now.serve(keys) ? now : next(keys);
  }

  private Thresholds next(long keys) {
    Thresholds other = previous;
    if (!other.serve(keys)) {
      other = of(keys);
    }
    previous = current;
    current = other;
    return other;
  }

  /** Follows another rule from now on. */
  void retune(ThresholdRule wanted) {
    rule = checked(wanted);
    current = of(0);
    previous = current;
  }

  /** Takes the thresholds that a file has for its number of keys. */
  void adopt(Thresholds read) {
    current = read;
  }

  LiveThresholds copy() {
    return new LiveThresholds(this);
  }
}
