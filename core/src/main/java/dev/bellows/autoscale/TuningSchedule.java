package dev.bellows.autoscale;

import dev.bellows.autoscale.ThresholdRule.Thresholds;
import dev.bellows.internal.autoscale.ThresholdRates;

/**
 * When to tune the thresholds of an autoscaling filter: steps in the number of keys that share
 * their thresholds and lose at most 0.1 % against tuning at every key.
 *
 * <p>The schedule is a function of the number of keys alone, so that a filter that grew, shrank or
 * was read from a file has the thresholds of one built at once. Thresholds are tuned for the lowest
 * number of keys of their step; while keys are added the TPR of given thresholds only rises, so a
 * least TPR holds on the whole step.
 *
 * <p><strong>Length of a step.</strong> One more key raises the mean count by k/m, which shifts the
 * number of hits of an absent key by about {@code k/m * k / sqrt(2 pi nk/m)} with theta near the
 * mean. Hits have a deviation of at most sqrt(k)/2, so s more keys shift them by {@code 0.8 s k /
 * sqrt(n m)} deviations. The first length of a step makes that about 0.08, where an optimum loses
 * less than 0.001. This is not enough: where another pair of thresholds becomes the best, and where
 * a least TPR is reached, the loss is linear, and where a better pair becomes allowed, the loss
 * jumps. So the loss at the end of the step is computed, and the step is halved until the loss is
 * small enough. All lengths are powers of two and all steps begin at multiples of their length.
 */
final class TuningSchedule {
  private static final double LONGEST = 0.1;

  /** Below the promised 0.001, because the loss is computed at the ends of steps only. */
  private static final double MAX_LOSS = 0.0008;

  private TuningSchedule() {}

  /** The thresholds for a number of keys. */
  static Thresholds at(
      long bits, int hashes, long keys, Criterion criterion, double minTpr, long maxTheta) {
    ThresholdRates.check(bits, hashes, keys);
    if (keys == 0) {
      return new Thresholds(0, 0, 0, hashes);
    }
    double maxLoss = MAX_LOSS * criterion.loss(1, 1);
    for (long step = longest(bits, hashes, keys); ; step /= 2) {
      long from = keys - keys % step;
      long to = from + step - 1;
      ThresholdPlan plan = ThresholdPlan.tune(bits, hashes, from, criterion, minTpr, maxTheta);
      if (step == 1 || plan.lossAt(to, criterion, minTpr, maxTheta) <= maxLoss) {
        return new Thresholds(from, to, plan.theta(), plan.decision());
      }
    }
  }

  private static long longest(long bits, int hashes, long keys) {
    long octave = Long.highestOneBit(keys);
    double step = LONGEST * Math.sqrt((double) octave * bits) / hashes;
    return Math.min(octave, Long.highestOneBit(Math.max(1, (long) step)));
  }
}
