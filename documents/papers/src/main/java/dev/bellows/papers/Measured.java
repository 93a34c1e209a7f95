package dev.bellows.papers;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.BinomialInterval;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A measured value and the interval that holds the true one with probability {@code 1 - alpha}.
 *
 * @param value the estimate
 * @param low the lower end
 * @param high the upper end
 * @param alpha the probability that the interval misses the true value
 */
public record Measured(double value, double low, double high, double alpha) {
  /** What stands in a row where nothing was measured. */
  public static final Measured NONE =
      new Measured(Double.NaN, Double.NaN, Double.NaN, Result.ALPHA);

  /** Returns the share of successes in independent trials, with {@link Result#ALPHA}. */
  public static Measured of(long successes, long trials) {
    return of(successes, trials, Result.ALPHA);
  }

  /** Returns the share of successes in independent trials, with the exact binomial interval. */
  public static Measured of(long successes, long trials, double alpha) {
    BinomialInterval interval = BinomialInterval.of(successes, trials, alpha);
    return new Measured((double) successes / trials, interval.low(), interval.high(), alpha);
  }

  /**
   * Student's interval around the mean of two or more independent measurements: it holds the true
   * mean as far as their mean is normally distributed.
   *
   * <p>Use it where answers are independent between filters but not within one: each filter
   * contributes one measurement, its share of accepted keys.
   */
  public static Measured mean(double[] measurements, double alpha) {
    int count = (int) Checks.atLeast(2, measurements.length, "measurements");
    double tail = Checks.probability(alpha, "alpha") / 2;
    double sum = 0;
    for (double value : measurements) {
      sum += value;
    }
    double mean = sum / count;
    double squares = 0;
    for (double value : measurements) {
      squares += (value - mean) * (value - mean);
    }
    double deviation = Math.sqrt(squares / (count - 1) / count);
    double reach = TDistribution.of(count - 1).inverseSurvivalProbability(tail) * deviation;
    return new Measured(mean, mean - reach, mean + reach, alpha);
  }

  /** Returns the mean of independent shares, which is never negative. */
  public static Measured meanOfShares(double[] shares) {
    Measured mean = mean(shares, Result.ALPHA);
    return new Measured(mean.value, Math.max(0, mean.low), mean.high, Result.ALPHA);
  }

  /** Returns the deviation from a known value. */
  public Measured minus(double known) {
    return new Measured(value - known, low - known, high - known, alpha);
  }

  /** Returns this measurement in another unit. */
  public Measured dividedBy(double unit) {
    return new Measured(value / unit, low / unit, high / unit, alpha);
  }
}
