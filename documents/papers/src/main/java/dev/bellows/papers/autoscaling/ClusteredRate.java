package dev.bellows.papers.autoscaling;

import dev.bellows.papers.Measured;
import dev.bellows.papers.Result;
import java.util.Arrays;

/**
 * The share of accepted keys over many filters, with equally many queries to each.
 *
 * <p>Queries to one filter share its counters, so their answers are not independent (see erratum
 * A11). The interval spans two: Student's over the shares of the filters, which are independent,
 * and the binomial one over all answers, which alone knows how little a few misses tell.
 *
 * @param accepted accepted keys of each filter
 * @param queries the number of keys queried in each filter
 */
record ClusteredRate(long[] accepted, int queries) {
  /** Returns the share over all filters. */
  double rate() {
    return (double) Arrays.stream(accepted).sum() / ((double) queries * accepted.length);
  }

  /** Returns the interval that misses the mean rate with chance alpha. */
  Measured interval(double alpha) {
    double[] shares = Arrays.stream(accepted).mapToDouble(a -> (double) a / queries).toArray();
    Measured between = Measured.mean(shares, alpha);
    Measured within =
        Measured.of(Arrays.stream(accepted).sum(), (long) queries * shares.length, alpha);
    return new Measured(
        rate(),
        Math.max(0, Math.min(between.low(), within.low())),
        Math.min(1, Math.max(between.high(), within.high())),
        alpha);
  }

  /** Returns the rate and its interval. */
  Measured measured() {
    return interval(Result.ALPHA);
  }
}
