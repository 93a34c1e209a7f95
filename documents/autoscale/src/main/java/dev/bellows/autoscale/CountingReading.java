package dev.bellows.autoscale;

import dev.bellows.CountingBloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.autoscale.BlockedEvidence;
import dev.bellows.internal.autoscale.ObservedRates;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;

/**
 * A view of a counting filter that compares its counters with thresholds, like an autoscaling
 * filter does. It is the query of the Autoscaling paper, Eq. 12. Any number of threads may query it
 * while no thread changes the filter.
 *
 * <p>The two kinds of filters are read in the same way, but they count differently and cannot be
 * merged: an autoscaling filter counts a key once at each of its distinct positions (see erratum <a
 * href="{@docRoot}/doc-files/errata.html#A1">A1</a>), a counting filter counts it once per hash,
 * even if two hashes coincide (see erratum <a href="{@docRoot}/doc-files/errata.html#F6">F6</a>).
 * This reading therefore has its own model: a counter holds Bin(nk, 1/m), and 1 + Bin(nk - 1, 1/m)
 * at a position of a stored key. The evidence for a key is the number of its hashes whose counter
 * exceeds theta; hashes that coincide are counted separately. With theta 0 and decision = hashes
 * this is the counting filter itself, which misses no key.
 *
 * <p><strong>Layout BLOCKED.</strong> The keys of a block share its 512 counters, so the counters
 * of one key tend to be high or low together. The model is a mixture over the loads of blocks and
 * of words.
 *
 * <p><strong>When to use it.</strong> In both layouts thresholds pay off once a filter holds
 * several times the keys that it was built for. For a filter built for 1 %, the accuracy at four
 * times its keys is 0.75 (CLASSIC) and 0.76 (BLOCKED) with thresholds and 0.66 and 0.74 without; at
 * eight times its keys it is 0.68 and 0.69 with and 0.51 and 0.53 without.
 *
 * <p>Every put adds {@code hashes} to the counters, so the number of keys is the sum of all
 * counters divided by {@code hashes}, unless a counter is saturated. The view reads the current
 * counters, but its thresholds were tuned for the number of keys at its creation, so create a new
 * view when that number has changed by a few percent. To keep a reading, save the filter and create
 * the reading again with the same thresholds, or {@link #binarize} it to get a small filter.
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

  /**
   * Returns the reading by a rule, for the number of keys that follows from the counters. No
   * counter may be saturated.
   */
  public static CountingReading of(CountingBloomFilter filter, ThresholdPlan.Rule rule) {
    return of(filter, keysOf(filter), rule);
  }

  /**
   * Returns the number of keys that follows from the counters of a filter. No counter may be
   * saturated.
   */
  public static long keysOf(CountingBloomFilter filter) {
    if (isSaturated(filter)) {
      throw new IllegalArgumentException(
          ("a counter of %d bits is saturated, so the number of keys does not follow from the "
                  + "counters: pass it")
              .formatted(filter.counterBits()));
    }
    long total = 0;
    for (long i = 0; i < filter.bits(); i++) {
      total += filter.count(i);
    }
    return total / filter.hashes();
  }

  /** Returns the reading by a rule, for this many keys. */
  public static CountingReading of(CountingBloomFilter filter, long keys, ThresholdPlan.Rule rule) {
    Positions positions = Positions.of(filter.layout(), filter.bits());
    return new CountingReading(filter, positions, plan(filter, keys, rule));
  }

  private static ThresholdPlan plan(
      CountingBloomFilter filter, long keys, ThresholdPlan.Rule rule) {
    long maxTheta = ThresholdPlan.maxTheta(filter.counterBits());
    if (rule instanceof ThresholdPlan.Rule.Fixed fixed) {
      if (fixed.theta() > maxTheta && isSaturated(filter)) {
        throw new IllegalArgumentException(
            ("theta %d is too high for saturated counters of %d bits, which "
                    + "allow theta up to %d")
                .formatted(fixed.theta(), filter.counterBits(), maxTheta));
      }
      return ThresholdPlan.fixedCounting(
          filter.layout(), filter.bits(), keys, fixed.theta(), fixed.decision());
    }
    ThresholdPlan.Rule.Tuned tuned = (ThresholdPlan.Rule.Tuned) rule;
    return ThresholdPlan.tuneCounting(
        filter.layout(), filter.bits(), keys, tuned.criterion(), tuned.minTpr(), maxTheta);
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

  /**
   * Returns the thresholds, the number of keys that they were chosen for, and the predicted rates.
   */
  public ThresholdPlan plan() {
    return plan;
  }

  /** Returns theta: a hash hits when its counter exceeds it. */
  public long theta() {
    return plan.theta();
  }

  @Override
  public long decision() {
    return plan.decision();
  }

  /** Returns the number of hashes of the key whose counter exceeds theta. */
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
   * Returns the rates of this reading on the current counters (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#A11">A11</a>): the FPR is exact. The TPR assumes that
   * the hashes of a key are independent, in layout BLOCKED only those in the same word. If the
   * filter has no keys, the TPR and FNR are NaN.
   */
  public ThresholdPlan.Rates rates() {
    return binarize().rates();
  }

  /** Returns the TPR of each decision, starting with decision 0; NaN if there are no keys. */
  private static double[] tprByDecision(CountingBloomFilter filter, ThresholdPlan plan) {
    int hashes = filter.hashes();
    double[] tpr = new double[hashes + 1];
    if (filter.layout() instanceof Layout.Blocked blocked) {
      double[] hits =
          BlockedEvidence.observed(
              blocked.pattern(),
              filter.bits(),
              filter::count,
              position -> filter.count(position) > plan.theta());
      for (int decision = 0; decision <= hashes; decision++) {
        tpr[decision] = plan.keys() == 0 ? Double.NaN : BlockedEvidence.atLeast(hits, decision);
      }
      return tpr;
    }
    long sumUpTo = 0;
    for (long i = 0; i < filter.bits(); i++) {
      long count = filter.count(i);
      sumUpTo += count > plan.theta() ? 0 : count;
    }
    double missed = sumUpTo / ((double) plan.keys() * hashes);
    double storedHit = plan.keys() == 0 ? Double.NaN : 1 - Math.min(1, missed);
    for (int decision = 0; decision <= hashes; decision++) {
      tpr[decision] = ObservedRates.tprRepeated(hashes, storedHit, decision);
    }
    return tpr;
  }

  /** Returns one bit per counter: whether it exceeds theta. */
  private static HeapBits bits(CountingBloomFilter filter, long theta) {
    HeapBits bits = HeapBits.aligned(filter.bits());
    for (long i = 0; i < filter.bits(); i++) {
      if (filter.count(i) > theta) {
        bits.load(i >>> 6, 1L << i);
      }
    }
    return bits;
  }

  /**
   * Returns a small immutable filter to send, which gives the same answers: one bit per counter,
   * set if the counter exceeds theta, and the decision threshold.
   */
  public BinarizedFilter binarize() {
    CountingBloomFilter now = filter.copy();
    return BinarizedFilter.repeated(
        new Shape(now.layout(), now.bits(), now.hashScheme()),
        bits(now, theta()),
        plan,
        tprByDecision(now, plan));
  }

  /**
   * Returns the likelihood reading of the same counters, tuned by a criterion. It uses whole counts
   * instead of only whether they exceed theta. It makes far fewer errors, but needs the counters.
   * Only layout CLASSIC is supported: in layout BLOCKED, counts would have to be compared with the
   * load of their own block.
   */
  public LikelihoodReading likelihood(Criterion criterion, double minTpr) {
    if (!(filter.layout() instanceof Layout.Classic)) {
      throw new IllegalArgumentException(
          "the likelihood reading does not support layout %s: build the filter with layout CLASSIC"
              .formatted(filter.layout()));
    }
    return new LikelihoodReading(
        LikelihoodPlan.tuneCounting(
            filter.bits(),
            filter.hashes(),
            plan.keys(),
            criterion,
            minTpr,
            isSaturated(filter) ? filter.counterBits() : 32));
  }

  /** The likelihood reading of a counting filter: a view of its current counters. */
  public final class LikelihoodReading extends LikelihoodPlan.Reading {
    private LikelihoodReading(LikelihoodPlan plan) {
      super(plan);
    }

    @Override
    public HashScheme hashScheme() {
      return filter.hashScheme();
    }

    /** Returns the sum of {@code ln(count / mean)} over the hashes of the key, as an integer. */
    @Override
    public long evidenceHash(long hash) {
      long sum = 0;
      long value = positions.begin(hash);
      for (int i = 0; i < positions.hashes(); i++) {
        value = positions.step(value, i);
        long count = filter.count(positions.at(hash, value, i));
        if (count == 0) {
          return NEVER;
        }
        sum += plan.score(count);
      }
      return sum;
    }
  }

  @Override
  public String toString() {
    return "CountingReading[" + filter + ", theta " + theta() + ", decision " + decision() + "]";
  }
}
