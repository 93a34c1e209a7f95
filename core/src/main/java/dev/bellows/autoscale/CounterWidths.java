package dev.bellows.autoscale;

import dev.bellows.autoscale.ThresholdPlan.Rule.Thresholds;

/**
 * How wide the counters of a filter must be while keys are only added: wide enough for the theta of
 * every tuning step on the way.
 *
 * <p>The best theta follows the mean count in a sawtooth: at m = 10000, k = 100 and a minimum TPR
 * of 0.9 it is 15 for some numbers of keys below 1500 and 13 at 1500. So the steps are checked one
 * by one, from the last, where theta is largest, down to the first number of keys whose theta can
 * reach the limit at all. Where these are very many, the search is given up in favour of the next
 * width, which is never too narrow.
 */
final class CounterWidths {
  /** Pairs of thresholds to be compared before a search is given up: a second or two. */
  private static final double MOST_PAIRS = 1L << 25;

  /** A step is tuned at both ends, and more often where it is halved. */
  private static final double TUNINGS_PER_STEP = 3;

  private static final int WIDEST = 32;

  private final long bits;
  private final int hashes;
  private final ThresholdPlan.Rule rule;

  CounterWidths(long bits, int hashes, ThresholdPlan.Rule rule) {
    this.bits = bits;
    this.hashes = hashes;
    this.rule = rule;
  }

  /** Returns the narrowest of 4, 8, 16 and 32 bits that is enough up to this many keys. */
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

  /** Returns whether some step up to this many keys has a higher theta, or might have. */
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

  /** Returns a bound of theta for all numbers of keys up to this one. */
  private double highestTheta(long keys) {
    if (keys <= 0) {
      return 0;
    }
    if (rule instanceof ThresholdPlan.Rule.Fixed fixed) {
      return fixed.theta();
    }
    // a TPR of 1 is only kept with theta 0
    boolean plain = rule instanceof ThresholdPlan.Rule.Tuned tuned && tuned.minTpr() == 1;
    double mean = mean(keys);
    return plain ? 0 : Math.min(keys, mean + ThresholdPlan.reach(mean));
  }

  private double mean(long keys) {
    return (double) keys * hashes / bits;
  }
}
