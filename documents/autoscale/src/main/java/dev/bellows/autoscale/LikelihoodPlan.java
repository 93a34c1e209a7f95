package dev.bellows.autoscale;

import dev.bellows.internal.autoscale.CounterLoad;

/**
 * The table, the threshold and the rates of the likelihood reading of an autoscaling filter.
 *
 * <p>Theta and decision use one bit of information per counter. The sum of {@code ln(count / mean)}
 * uses the whole count and is, by the Neyman-Pearson lemma, the best possible test on independent
 * positions. At m = 10000, k = 100, n = 500 and a TPR of 0.98 it accepts 0.34 % of the absent keys,
 * while the two thresholds accept 6.6 %. It needs the counters, however: it cannot be sent as bits.
 *
 * <p>A key is accepted iff none of its counts is zero and the sum of their {@link #score scores} is
 * at least the threshold.
 */
public final class LikelihoodPlan {
  private final long bits;
  private final int hashes;
  private final long keys;
  private final LogTable table;
  private final long threshold;
  private final ThresholdPlan.Rates rates;

  private LikelihoodPlan(
      long bits, int hashes, long keys, LogTable table, long threshold, ThresholdPlan.Rates rates) {
    this.bits = bits;
    this.hashes = hashes;
    this.keys = keys;
    this.table = table;
    this.threshold = threshold;
    this.rates = rates;
  }

  /** Returns the plan with the highest accuracy, for counters of 32 bits. */
  public static LikelihoodPlan tune(long bits, int hashes, long keys) {
    return tune(bits, hashes, keys, Criterion.accuracy(), 0, 32);
  }

  /**
   * Returns the best plan by the criterion among those with a TPR of at least {@code minTpr}.
   *
   * @param counterBits width of the counters, which saturate at {@code 2^counterBits - 1}
   */
  public static LikelihoodPlan tune(
      long bits, int hashes, long keys, Criterion criterion, double minTpr, int counterBits) {
    return tune(CounterLoad.distinct(bits, hashes, keys), criterion, minTpr, counterBits);
  }

  /**
   * Returns the best plan for the counters of a counting filter of layout CLASSIC, where positions
   * of a key may coincide and are then counted separately. There too, the ratio of the
   * probabilities of a count is the count divided by the mean (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#F6">F6</a>).
   */
  public static LikelihoodPlan tuneCounting(
      long bits, int hashes, long keys, Criterion criterion, double minTpr, int counterBits) {
    return tune(CounterLoad.repeated(bits, hashes, keys), criterion, minTpr, counterBits);
  }

  private static LikelihoodPlan tune(
      CounterLoad load, Criterion criterion, double minTpr, int counterBits) {
    long bits = load.bits();
    int hashes = load.hashes();
    long keys = load.keys();
    LogTable table = LogTable.of(bits, hashes, keys, ThresholdPlan.maxTheta(counterBits) + 1);
    LikelihoodScores scores = LikelihoodScores.of(table, load);
    long threshold = scores.bestThreshold(criterion, minTpr);
    return new LikelihoodPlan(bits, hashes, keys, table, threshold, scores.rates(threshold));
  }

  /** Returns the fraction of stored keys that are accepted. */
  public double tpr() {
    return rates.tpr();
  }

  /** Returns the fraction of absent keys that are accepted. */
  public double fpr() {
    return rates.fpr();
  }

  /** Returns {@code (TPR + 1 - FPR) / 2}. */
  public double accuracy() {
    return rates.accuracy();
  }

  /** Returns the number of counters. */
  public long bits() {
    return bits;
  }

  /** Returns the number of distinct positions per key. */
  public int hashes() {
    return hashes;
  }

  /** Returns the number of distinct keys that the plan is for. */
  public long keys() {
    return keys;
  }

  /** Returns the sum of scores at which a key is accepted. */
  public long threshold() {
    return threshold;
  }

  /** Returns the predicted rates. If there are no keys, the TPR and FNR are NaN. */
  public ThresholdPlan.Rates rates() {
    return rates;
  }

  /** Returns the score of a count: {@code ln(count / mean)} as a fixed-point number. */
  public long score(long count) {
    return table.score(count);
  }

  /** Returns the natural logarithm that a sum of scores represents. */
  public double logarithm(long score) {
    return table.logarithm(score);
  }

  /** Returns the count above which all counts have the same score. */
  public long highestCount() {
    return table.highestCount();
  }

  /**
   * Returns the rates on counters with this histogram, the number of counters that hold 0, 1, 2,
   * ... (see erratum <a href="{@docRoot}/doc-files/errata.html#A11">A11</a>).
   */
  public ThresholdPlan.Rates observedRates(long[] histogram) {
    return LikelihoodScores.observed(table, hashes, histogram).rates(threshold);
  }

  /** A view of current counters by a plan, which any thread may query. */
  public abstract static class Reading implements GradedMembership {
    /** The evidence for a key that is known to be absent. */
    public static final long NEVER = Long.MIN_VALUE;

    final LikelihoodPlan plan;

    Reading(LikelihoodPlan plan) {
      this.plan = plan;
    }

    /** Returns the table, the threshold and the rates that the model predicts. */
    public final LikelihoodPlan plan() {
      return plan;
    }

    @Override
    public final long decision() {
      return plan.threshold;
    }

    @Override
    public final boolean acceptsHash(long hash) {
      long evidence = evidenceHash(hash);
      return evidence != NEVER && evidence >= plan.threshold;
    }

    /**
     * Returns the natural logarithm of the likelihood ratio of this evidence: the probability of
     * the counts if the key is stored, divided by their probability if it is absent.
     */
    public final double logLikelihoodRatio(long evidence) {
      return evidence == NEVER ? Double.NEGATIVE_INFINITY : plan.logarithm(evidence);
    }
  }
}
