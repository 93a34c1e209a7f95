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
 * A counting filter read through thresholds: a view of its counters that any number of threads may
 * query while no thread changes the filter (Autoscaling paper, Eq. 12, "given a CBF").
 *
 * <p>The two filters of counters are read alike and never merged: an autoscaling filter counts a
 * key once at distinct positions (erratum <a href="{@docRoot}/doc-files/errata.html#A1">A1</a>), a
 * counting filter once per hash, even where two hashes meet (errata <a
 * href="{@docRoot}/doc-files/errata.html#F6">F6</a>). So this reading has a model of its own: a
 * counter holds Bin(nk, 1/m), a position of a stored key 1 + Bin(nk - 1, 1/m), and the evidence for
 * a key counts its hashes whose counter exceeds theta, those that meet as often as they do. Theta 0
 * with decision = hashes is the counting filter itself and misses no key.
 *
 * <p><strong>Layout BLOCKED.</strong> The keys of a block share its 512 counters, so that the
 * counters of one key are high or low together; the model is a mixture over the loads of blocks and
 * of words. In both layouts thresholds pay once a filter holds several times the keys that it was
 * built for: of one for 1 % the accuracy is 0.75 (CLASSIC) and 0.76 (BLOCKED) at four times its
 * keys instead of 0.66 and 0.74, and 0.68 and 0.69 at eight times instead of 0.51 and 0.53.
 *
 * <p>Every put adds {@code hashes} to the counters, so the number of keys is their sum over hashes,
 * unless a counter is saturated. The view uses the present counters, but its thresholds were tuned
 * for the number of keys at its creation: create a new one when that number has changed by a few
 * percent. The filter itself is saved as it is, and read through the same two numbers again; {@link
 * #binarize} makes a small filter of the reading.
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
   * Returns the reading by a rule, for the keys that the counters add up to; none may be saturated.
   */
  public static CountingReading of(CountingBloomFilter filter, ThresholdPlan.Rule rule) {
    return of(filter, keysOf(filter), rule);
  }

  /** Returns the number of keys that the counters of a filter add up to; none may be saturated. */
  public static long keysOf(CountingBloomFilter filter) {
    if (isSaturated(filter)) {
      throw new IllegalArgumentException(
          ("a counter of %d bits is saturated, so the counters do not show the "
                  + "number of keys: give it")
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
            ("theta %d is beyond counters of %d bits that are saturated: they "
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

  /** The thresholds, the number of keys they are for, and what the model predicts. */
  public ThresholdPlan plan() {
    return plan;
  }

  /** Returns a hash hits when its counter exceeds this. */
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
   * Returns the rates of this reading on the present counters (errata <a
   * href="{@docRoot}/doc-files/errata.html#A11">A11</a>): the FPR is exact, the TPR takes the
   * hashes of one key as independent, those of a word in layout BLOCKED. Without keys those of
   * stored keys are NaN.
   */
  public ThresholdPlan.Rates rates() {
    double tpr = tprByDecision(filter, plan)[plan.decision()];
    double fpr = BinarizedCounting.fpr(filter.layout(), bits(filter, theta()), plan.decision());
    return new ThresholdPlan.Rates(tpr, 1 - tpr, fpr);
  }

  /** Returns the share of stored keys that each decision accepts, from 0 on; NaN without keys. */
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
   * One bit per counter, set if it is above theta, with the decision threshold: a small immutable
   * filter to ship, which answers as this reading does.
   */
  public BinarizedCounting binarize() {
    CountingBloomFilter now = filter.copy();
    return BinarizedCounting.of(
        new Shape(now.layout(), now.bits(), now.hashScheme()),
        bits(now, theta()),
        plan,
        tprByDecision(now, plan));
  }

  /**
   * Returns the likelihood reading of the same counters, tuned now by a criterion. It uses the
   * whole counts, not only "above theta", and has far fewer errors, but it needs the counters. Only
   * in layout CLASSIC: in layout BLOCKED counts are compared with those of their own block.
   */
  public LikelihoodReading likelihood(Criterion criterion, double minTpr) {
    if (!(filter.layout() instanceof Layout.Classic)) {
      throw new IllegalArgumentException(
          "layout %s: likelihoods are read from layout CLASSIC only; build it so"
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

  /** The likelihood reading of a counting filter: a view of its present counters. */
  public final class LikelihoodReading implements GradedMembership {
    /** The evidence for a key that is certainly absent. */
    public static final long NEVER = Long.MIN_VALUE;

    private final LikelihoodPlan likelihoods;

    private LikelihoodReading(LikelihoodPlan likelihoods) {
      this.likelihoods = likelihoods;
    }

    @Override
    public HashScheme hashScheme() {
      return filter.hashScheme();
    }

    /** Returns the table, the threshold and what the model predicts for them. */
    public LikelihoodPlan plan() {
      return likelihoods;
    }

    @Override
    public long decision() {
      return likelihoods.threshold();
    }

    /**
     * Returns the sum of {@code ln(count / mean)} over the hashes of the key, as a whole number.
     */
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
        sum += likelihoods.score(count);
      }
      return sum;
    }

    @Override
    public boolean acceptsHash(long hash) {
      long evidence = evidenceHash(hash);
      return evidence != NEVER && evidence >= likelihoods.threshold();
    }
  }

  @Override
  public String toString() {
    return "CountingReading[" + filter + ", theta " + theta() + ", decision " + decision() + "]";
  }
}
