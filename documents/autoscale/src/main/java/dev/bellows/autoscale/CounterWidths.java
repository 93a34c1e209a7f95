package dev.bellows.autoscale;

import dev.bellows.autoscale.ThresholdPlan.Rule.Thresholds;

/**
 * Finds the width that counters need while keys are only added: enough for the theta of every
 * tuning step up to the maximum number of keys.
 *
 * <p>The best theta follows the mean count in a sawtooth: at m = 10000, k = 100 and a minimum TPR
 * of 0.9 it is 15 for some numbers of keys below 1500 and 13 at 1500. The steps are therefore
 * checked one by one, from the last, where theta is largest, down to the smallest number of keys
 * whose theta can reach the limit at all. If there are too many steps, the search is abandoned and
 * the next width is used, which is always sufficient.
 *
 * @param bits number of counters
 * @param hashes number of distinct positions per key
 * @param rule the rule for the thresholds
 */
record CounterWidths(long bits, int hashes, ThresholdPlan.Rule rule) {
  /**
   * The number of pairs of thresholds that are compared before a search is abandoned: a second or
   * two.
   */
  private static final double MOST_PAIRS = 1L << 25;

  /** The number of tunings per step: one at both ends, and more if the step is halved. */
  private static final double TUNINGS_PER_STEP = 3;

  private static final int WIDEST = 32;

  /** Returns the narrowest of 4, 8, 16 and 32 bits that suffices for up to this many keys. */
  int narrowest(long maxKeys) {
    int width = ThresholdPlan.counterBits(at(maxKeys).theta());
    while (width < WIDEST && mayExceed(maxKeys, ThresholdPlan.maxTheta(width))) {
      width *= 2;
    }
    return width;
  }

  private Thresholds at(long keys) {
    return rule.thresholds(bits, hashes, keys, ThresholdPlan.maxTheta(WIDEST));
  }

  /** Returns whether a step up to this many keys has, or may have, a theta above the limit. */
  private boolean mayExceed(long maxKeys, long limit) {
    double pairs = 0;
    for (long keys = maxKeys; highestTheta(keys) > limit; ) {
      Thresholds step = at(keys);
      pairs += TUNINGS_PER_STEP * 2 * ThresholdPlan.reach(mean(keys)) * hashes;
      if (step.theta() > limit || pairs > MOST_PAIRS) {
        return true;
      }
      keys = step.from() - 1;
    }
    return false;
  }

  /** Returns an upper bound on theta for all numbers of keys up to this one. */
  private double highestTheta(long keys) {
    if (keys <= 0) {
      return 0;
    }
    if (rule instanceof ThresholdPlan.Rule.Fixed fixed) {
      return fixed.theta();
    }
    // a TPR of 1 requires theta 0
    boolean plain = rule instanceof ThresholdPlan.Rule.Tuned tuned && tuned.minTpr() == 1;
    double mean = mean(keys);
    return plain ? 0 : Math.min(keys, mean + ThresholdPlan.reach(mean));
  }

  private double mean(long keys) {
    return (double) keys * hashes / bits;
  }
}
