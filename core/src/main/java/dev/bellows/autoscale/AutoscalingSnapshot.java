package dev.bellows.autoscale;

import dev.bellows.autoscale.ThresholdPlan.Rule.Thresholds;
import dev.bellows.internal.autoscale.ObservedRates;
import dev.bellows.internal.counters.CounterStore;
import dev.bellows.internal.layout.Shape;

/**
 * An autoscaling filter at one moment: its counters, its number of keys, and the thresholds for
 * that number. Later puts, removals and retunings of the filter do not change it, so that whatever
 * is computed from it agrees.
 */
record AutoscalingSnapshot(Shape shape, CounterStore counters, long keys, LiveThresholds live) {
  /** Tunes the thresholds to the number of keys. */
  AutoscalingSnapshot {
    live = live.at(keys);
  }

  Thresholds thresholds() {
    return live.current();
  }

  ThresholdPlan.Rule rule() {
    return live.rule();
  }

  /** The number of counters above theta. */
  long ones() {
    return counters.split(thresholds().theta()).above();
  }

  long saturatedCounters() {
    return counters.split(counters.saturated() - 1).above();
  }

  /** The rates on these counters (errata A11). */
  ThresholdPlan.Rates rates() {
    Thresholds now = thresholds();
    int hashes = shape.hashes();
    CounterStore.Split split = counters.split(now.theta());
    double fpr = ObservedRates.fpr(shape.bits(), hashes, split.above(), now.decision());
    // a saturated counter does not show how many keys it holds; counters that do not hit are exact
    double missed = split.sumUpTo() / ((double) keys * hashes);
    double storedHit = keys == 0 ? Double.NaN : 1 - Math.min(1, missed);
    double tpr = ObservedRates.tpr(shape.bits(), hashes, storedHit, now.decision());
    return new ThresholdPlan.Rates(tpr, 1 - tpr, fpr);
  }

  /** One bit per counter: whether it is above theta. */
  BinarizedFilter binarized() {
    Thresholds now = thresholds();
    return new BinarizedFilter(
        shape, counters.above(now.theta()), now.theta(), now.decision(), keys, rates().tpr());
  }
}
