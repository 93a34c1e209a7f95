package dev.bellows.papers;

import dev.bellows.internal.base.Checks;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Student's interval around the mean of independent measurements: it holds the true mean with
 * probability {@code 1 - alpha} as far as their mean is normally distributed.
 *
 * <p>It serves where answers are independent between filters but not within one: each filter gives
 * one measurement, its share of accepted keys.
 *
 * @param mean the mean of the measurements
 * @param low the lower end
 * @param high the upper end
 */
public record MeanInterval(double mean, double low, double high) {
  /** The two-sided interval around the mean of two or more measurements. */
  public static MeanInterval of(double[] measurements, double alpha) {
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
    return new MeanInterval(mean, mean - reach, mean + reach);
  }
}
