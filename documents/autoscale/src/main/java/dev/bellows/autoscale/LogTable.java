package dev.bellows.autoscale;

import dev.bellows.internal.autoscale.ThresholdRates;
import dev.bellows.internal.base.Checks;

/**
 * The logarithms of {@code count / mean} as fixed-point numbers: the weights of the likelihood
 * reading.
 *
 * <p>A counter of a stored key holds 1 + Bin(n-1, p), one of an absent key Bin(n, p). The ratio of
 * the two probabilities of a count c is exactly {@code c / (n p)}, count over mean; a count of zero
 * proves that the key is absent. The best test at every rate therefore sums {@code ln(count /
 * mean)} over the positions of a key and compares the sum with a threshold. With fixed-point
 * numbers a query adds integers, and the distribution of the sum can be computed without sampling.
 *
 * <p>The unit is {@code 2^-fractionBits}, fine enough for 16 steps per standard deviation of ln
 * count. Beyond 100 hashes there are fewer, but at least 4, to keep the distribution small.
 * Rounding adds less than 1/3000 (beyond 100 hashes, 1/200) to the variance of a score. Counts more
 * than twelve standard deviations from the mean, and those at the maximum of a saturating counter,
 * share the first or last entry of the table. The same arguments give the same table on every
 * machine, so the table need not be stored.
 *
 * @param lowestCount the smallest count with a separate entry, which all smaller counts share
 * @param scores the scores of the counts from there
 * @param fractionBits the number of binary digits after the point of a score
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LogTable(long lowestCount, int[] scores, int fractionBits) {
  /** The score of a zero count: the key is absent, regardless of its other counts. */
  public static final int NEVER = Integer.MIN_VALUE;

  private static final int MAX_HASHES = 1 << 12;

  /**
   * Returns the table for a number of stored keys. For no keys, returns the table for one key.
   *
   * @param maxCount the maximum of the counters, {@code 2^c - 1} for c bits
   */
  public static LogTable of(long bits, int hashes, long keys, long maxCount) {
    ThresholdRates.check(bits, hashes, keys);
    Checks.inRange(1, (1L << 32) - 1, maxCount, "maxCount");
    Checks.inRange(1, MAX_HASHES, hashes, "hashes of the likelihood reading");
    double mean = ThresholdPlan.checkMean(bits, hashes, Math.max(1, keys));
    double reach = ThresholdPlan.reach(mean);
    long high = Math.min(maxCount, (long) (mean + reach));
    long low = Math.min(high, Math.max(1, (long) (mean - reach)));
    double steps =
        Math.max(4, Math.min(16, 160 / Math.sqrt(hashes))) * Math.sqrt(Math.max(1, mean));
    int fractionBits = Math.getExponent(steps) + 1;
    int[] scores = new int[(int) (high - low + 1)];
    for (int i = 0; i < scores.length; i++) {
      double log = StrictMath.log((low + i) / mean);
      scores[i] = (int) Math.rint(Math.scalb(log, fractionBits));
    }
    return new LogTable(low, scores, fractionBits);
  }

  /**
   * Returns the score of a count: {@code ln(count / mean)} as a fixed-point number, or {@link
   * #NEVER} for zero.
   */
  public int score(long count) {
    if (count <= 0) {
      return NEVER;
    }
    long index = Math.max(0, Math.min(scores.length - 1L, count - lowestCount));
    return scores[(int) index];
  }

  /** Returns the natural logarithm that a sum of scores represents. */
  public double logarithm(long sum) {
    return Math.scalb((double) sum, -fractionBits);
  }

  /** Returns the largest count with a separate entry, which all larger counts share. */
  public long highestCount() {
    return lowestCount + scores.length - 1;
  }

  int lowestScore() {
    return scores[0];
  }

  int highestScore() {
    return scores[scores.length - 1];
  }
}
