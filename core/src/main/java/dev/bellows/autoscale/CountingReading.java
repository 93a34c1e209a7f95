package dev.bellows.autoscale;

import dev.bellows.CountingBloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.autoscale.ObservedRates;
import dev.bellows.internal.layout.Positions;

/**
 * A counting filter read through thresholds: a view of its counters that any number of threads may
 * query while no thread changes the filter (004 Eq 12, "given a CBF").
 *
 * <p>The two filters of counters are read alike and never merged: an autoscaling filter counts a
 * key once at distinct positions (errata <a href="{@docRoot}/doc-files/errata.html#A1">A1</a>), a
 * counting filter once per hash, even where two hashes meet (errata <a
 * href="{@docRoot}/doc-files/errata.html#F6">F6</a>). So this reading has a model of its own: a
 * counter holds Bin(nk, 1/m), a position of a stored key 1 + Bin(nk - 1, 1/m), and the evidence for
 * a key counts its hashes whose counter exceeds theta, those that meet as often as they do. Theta 0
 * with decision = hashes is the counting filter itself and misses no key.
 *
 * <p>Every put adds {@code hashes} to the counters, so the number of keys is their sum over hashes,
 * unless a counter is saturated. The view uses the present counters, but its thresholds were tuned
 * for the number of keys at its creation: create a new one when that number has changed by a few
 * per cent. Only filters of the CLASSIC layout are read so: in the BLOCKED layout the keys of a
 * block share its 512 counters, and no pair of thresholds suits all blocks.
 */
public final class CountingReading implements GradedMembership {
  private final CountingBloomFilter filter;
  private final Positions positions;
  private final ThresholdPlan plan;

  private CountingReading(CountingBloomFilter filter, Positions positions, ThresholdPlan plan) {
    this.filter = filter;
    this.positions = positions;
    this.plan = plan;
  }

  /** The reading by a rule, for the keys that the counters add up to; none may be saturated. */
  public static CountingReading of(CountingBloomFilter filter, ThresholdPlan.Rule rule) {
    if (isSaturated(filter)) {
      throw new IllegalArgumentException(
          "a counter of %d bits is saturated, so the counters do not show the number of keys: give it"
              .formatted(filter.counterBits()));
    }
    long total = 0;
    for (long i = 0; i < filter.bits(); i++) {
      total += filter.count(i);
    }
    return of(filter, total / filter.hashes(), rule);
  }

  /** The reading by a rule, for this many keys. */
  public static CountingReading of(CountingBloomFilter filter, long keys, ThresholdPlan.Rule rule) {
    if (!(filter.layout() instanceof Layout.Classic)) {
      throw new IllegalArgumentException(
          "layout %s: thresholds are read from layout CLASSIC only; build it so"
              .formatted(filter.layout()));
    }
    Positions positions = Positions.of(filter.layout(), filter.bits());
    return new CountingReading(filter, positions, plan(filter, keys, rule));
  }

  private static ThresholdPlan plan(
      CountingBloomFilter filter, long keys, ThresholdPlan.Rule rule) {
    long maxTheta = ThresholdPlan.maxTheta(filter.counterBits());
    if (rule instanceof ThresholdPlan.Rule.Fixed fixed) {
      if (fixed.theta() > maxTheta && isSaturated(filter)) {
        throw new IllegalArgumentException(
            "theta %d is beyond counters of %d bits that are saturated: they allow theta up to %d"
                .formatted(fixed.theta(), filter.counterBits(), maxTheta));
      }
      return ThresholdPlan.fixedCounting(
          filter.bits(), filter.hashes(), keys, fixed.theta(), fixed.decision());
    }
    ThresholdPlan.Rule.Tuned tuned = (ThresholdPlan.Rule.Tuned) rule;
    return ThresholdPlan.tuneCounting(
        filter.bits(), filter.hashes(), keys, tuned.criterion(), tuned.minTpr(), maxTheta);
  }

  private static boolean isSaturated(CountingBloomFilter filter) {
    long saturated = ThresholdPlan.maxTheta(filter.counterBits()) + 1;
    for (long i = 0; i < filter.bits(); i++) {
      if (filter.count(i) == saturated) {
        return true;
      }
    }
    return false;
  }

  @Override
  public HashScheme hashScheme() {
    return filter.hashScheme();
  }

  /** The thresholds, the number of keys they are for, and what the model predicts. */
  public ThresholdPlan plan() {
    return plan;
  }

  /** A hash hits when its counter exceeds this. */
  public long theta() {
    return plan.theta();
  }

  @Override
  public long decision() {
    return plan.decision();
  }

  /** The number of hashes of the key whose counter exceeds theta. */
  @Override
  public long evidenceHash(long hash) {
    int hits = 0;
    long value = positions.begin(hash);
    for (int i = 0; i < positions.hashes(); i++) {
      value = positions.step(value, i);
      hits += filter.count(positions.at(hash, value, i)) > plan.theta() ? 1 : 0;
    }
    return hits;
  }

  @Override
  public boolean acceptsHash(long hash) {
    int needed = plan.decision();
    long value = positions.begin(hash);
    for (int left = positions.hashes(); needed > 0 && needed <= left; left--) {
      int probe = positions.hashes() - left;
      value = positions.step(value, probe);
      needed -= filter.count(positions.at(hash, value, probe)) > plan.theta() ? 1 : 0;
    }
    return needed <= 0;
  }

  /**
   * The rates of this reading on the present counters (errata <a
   * href="{@docRoot}/doc-files/errata.html#A11">A11</a>): the FPR is exact, the TPR takes the
   * hashes of one key as independent. Without keys those of stored keys are NaN.
   */
  public ThresholdPlan.Rates rates() {
    long above = 0;
    long sumUpTo = 0;
    for (long i = 0; i < filter.bits(); i++) {
      long count = filter.count(i);
      above += count > plan.theta() ? 1 : 0;
      sumUpTo += count > plan.theta() ? 0 : count;
    }
    int hashes = filter.hashes();
    double missed = sumUpTo / ((double) plan.keys() * hashes);
    double storedHit = plan.keys() == 0 ? Double.NaN : 1 - Math.min(1, missed);
    double tpr = ObservedRates.tprRepeated(hashes, storedHit, plan.decision());
    double fpr = ObservedRates.fprRepeated(filter.bits(), hashes, above, plan.decision());
    return new ThresholdPlan.Rates(tpr, 1 - tpr, fpr);
  }

  @Override
  public String toString() {
    return "CountingReading[" + filter + ", theta " + theta() + ", decision " + decision() + "]";
  }
}
