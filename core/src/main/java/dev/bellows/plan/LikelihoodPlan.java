package dev.bellows.plan;

/**
 * The likelihood reading of an autoscaling filter's counters: its table, threshold and rates.
 *
 * <p>The reading through theta and decision keeps one bit of every counter. The sum of {@code
 * ln(count / mean)} keeps all of it and is, by the lemma of Neyman and Pearson, the best test there
 * is on independent positions. At m = 10000, k = 100, n = 500 and a TPR of 0.98 it accepts 0.34 %
 * of the absent keys where the two thresholds accept 6.6 %. The price is that it needs the
 * counters: it cannot be shipped as bits.
 *
 * <p>A key is accepted iff none of its counts is zero and the sum of their {@link LogTable#score
 * scores} is at least the threshold.
 *
 * @param bits counters of the filter
 * @param hashes distinct positions per key
 * @param keys distinct keys the plan is made for
 * @param table the score of every count
 * @param threshold a key is accepted when its summed score reaches this
 * @param rates the predicted rates; those of stored keys are NaN when there are none
 */
public record LikelihoodPlan(
    long bits, int hashes, long keys, LogTable table, long threshold, DetectionRates rates) {

  /** The plan with the highest accuracy, for counters of 32 bits. */
  public static LikelihoodPlan tune(long bits, int hashes, long keys) {
    return tune(bits, hashes, keys, Criterion.accuracy(), 0, 32);
  }

  /**
   * The best plan by the criterion among those with a TPR of at least {@code minTpr}.
   *
   * @param counterBits width of the counters, which saturate at {@code 2^counterBits - 1}
   */
  public static LikelihoodPlan tune(
      long bits, int hashes, long keys, Criterion criterion, double minTpr, int counterBits) {
    LogTable table = LogTable.of(bits, hashes, keys, ThresholdPlan.maxTheta(counterBits) + 1);
    LikelihoodScores scores = LikelihoodScores.of(table, bits, hashes, keys);
    long threshold = scores.bestThreshold(criterion, minTpr);
    return new LikelihoodPlan(bits, hashes, keys, table, threshold, scores.rates(threshold));
  }

  /** The share of stored keys that are accepted. */
  public double tpr() {
    return rates.tpr();
  }

  /** The share of absent keys that are accepted. */
  public double fpr() {
    return rates.fpr();
  }

  /** {@code (TPR + 1 - FPR) / 2}. */
  public double accuracy() {
    return rates.accuracy();
  }
}
