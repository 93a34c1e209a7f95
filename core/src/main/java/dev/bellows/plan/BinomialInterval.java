package dev.bellows.plan;

import dev.bellows.internal.Checks;
import org.apache.commons.statistics.distribution.BetaDistribution;

/**
 * The exact (Clopper-Pearson) interval around a measured rate: it misses the true probability with
 * probability at most alpha, whatever that probability is.
 *
 * @param low the lower end
 * @param high the upper end
 */
public record BinomialInterval(double low, double high) {
  /** The two-sided interval after {@code successes} of {@code trials}. */
  public static BinomialInterval of(long successes, long trials, double alpha) {
    Checks.probability(alpha, "alpha");
    Checks.inRange(0, Checks.positive(trials, "trials"), successes, "successes");
    double failures = trials - successes;
    double low =
        successes == 0
            ? 0
            : BetaDistribution.of(successes, failures + 1).inverseCumulativeProbability(alpha / 2);
    double high =
        failures == 0
            ? 1
            : BetaDistribution.of(successes + 1.0, failures).inverseSurvivalProbability(alpha / 2);
    return new BinomialInterval(low, high);
  }

  /** Whether the probability lies inside. */
  public boolean contains(double probability) {
    return low <= probability && probability <= high;
  }
}
