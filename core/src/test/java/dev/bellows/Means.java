package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.commons.statistics.distribution.TDistribution;

/** Values that differ from filter to filter, and the interval that must contain their true mean. */
public final class Means {
  private double sum;
  private double squares;
  private int count;

  /** Adds the value of one more filter. */
  public void add(double value) {
    sum += value;
    squares += value * value;
    count++;
  }

  public double mean() {
    return sum / count;
  }

  /** The standard error of the mean. */
  public double error() {
    double mean = mean();
    return Math.sqrt(Math.max(0, squares / count - mean * mean) / (count - 1));
  }

  /** Half the width of Student's interval around the mean. */
  public double reach() {
    return error() * TDistribution.of(count - 1).inverseSurvivalProbability(Rates.ALPHA / 2);
  }

  /** Requires that Student's interval contains the expected mean. */
  public void assertMean(double expected) {
    assertMean(expected, 0);
  }

  /** The same for a model with a known error, which its errata entry states. */
  public void assertMean(double expected, double modelError) {
    assertThat(Math.abs(mean() - expected))
        .as("mean %s of %d filters, error %s, expected %s", mean(), count, error(), expected)
        .isLessThanOrEqualTo(modelError + reach());
  }

  /** Requires that the expected mean is not below Student's interval: the values are no higher. */
  public void assertMeanAtMost(double expected) {
    assertThat(mean() - reach()).isLessThanOrEqualTo(expected);
  }

  /**
   * Requires that a number of keys, estimated from the bits of each cell apart, is what this many
   * keys give: with lambda bits thrown per bit, the estimate has the variance {@code bits (e^lambda
   * - 1 - lambda) / hashes^2} and, cell by cell, half of {@code (e^lambda - 1 - lambda) / hashes}
   * too much. Keys per cell are Poisson.
   *
   * @param cellBits the bits that are estimated together: all of a CLASSIC filter, a block of
   *     others
   */
  public static void assertEstimate(
      long estimate, long keys, long bits, int hashes, long cellBits) {
    double load = (double) keys * cellBits / bits;
    double excess =
        Math.expm1(load * Math.expm1((double) hashes / cellBits)) - load * hashes / cellBits;
    double deviation = Math.sqrt(bits * excess) / hashes;
    double bias = excess / (2 * hashes) * bits / cellBits;
    // 6.2 standard deviations are alpha 1e-9; the estimate is rounded
    assertThat(Math.abs(estimate - keys - bias))
        .as("%d keys, estimated %d, deviation %s, bias %s", keys, estimate, deviation, bias)
        .isLessThanOrEqualTo(6.2 * deviation + 1);
  }
}
