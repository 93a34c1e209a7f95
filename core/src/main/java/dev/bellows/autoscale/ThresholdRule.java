package dev.bellows.autoscale;

import dev.bellows.internal.base.Checks;

/**
 * The rule for the thresholds of an autoscaling filter: tuned to its number of keys, or fixed by
 * the caller.
 */
public sealed interface ThresholdRule {
  /**
   * The thresholds at a number of keys, and the numbers of keys for which they are used.
   *
   * @param maxTheta the largest theta that the counters support, see {@link ThresholdPlan#maxTheta}
   */
  Thresholds thresholds(long bits, int hashes, long keys, long maxTheta);

  /**
   * Thresholds tuned to the number of keys, in steps that lose at most 0.1 % of the criterion's
   * range against tuning at every key. The least TPR is the one that the model predicts.
   *
   * @param criterion what they are tuned for
   * @param minTpr the least TPR they must keep
   */
  record Tuned(Criterion criterion, double minTpr) implements ThresholdRule {
    /** Checks the least TPR. */
    public Tuned {
      ThresholdPlan.checkMinTpr(minTpr);
    }

    @Override
    public Thresholds thresholds(long bits, int hashes, long keys, long maxTheta) {
      return TuningSchedule.at(bits, hashes, keys, criterion, minTpr, maxTheta);
    }
  }

  /**
   * The same thresholds at every number of keys.
   *
   * @param theta a position hits when its counter exceeds this
   * @param decision a key is accepted when at least this many of its positions hit
   */
  record Fixed(long theta, int decision) implements ThresholdRule {
    /** Checks that neither is negative. */
    public Fixed {
      Checks.notNegative(theta, "theta");
      Checks.notNegative(decision, "decision");
    }

    @Override
    public Thresholds thresholds(long bits, int hashes, long keys, long maxTheta) {
      return new Thresholds(0, Long.MAX_VALUE, theta, decision);
    }
  }

  /**
   * Thresholds and the numbers of keys for which they are used.
   *
   * @param from the lowest number of keys; tuned thresholds are tuned for it
   * @param to the highest number of keys
   * @param theta a position hits when its counter exceeds this
   * @param decision a key is accepted when at least this many of its positions hit
   */
  public record Thresholds(long from, long to, long theta, int decision) {
    /** Whether they are used for this number of keys. */
    public boolean serve(long keys) {
      return from <= keys && keys <= to;
    }
  }
}
