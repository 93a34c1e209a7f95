package dev.bellows.internal.math;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import java.util.function.DoubleUnaryOperator;

/**
 * The Clopper-Pearson interval around an observed proportion: it contains the true proportion with
 * probability at least {@code 1 - alpha}, for every true proportion.
 *
 * <p>Each end is the proportion at which the observed tail of the {@link Binomial} has probability
 * {@code alpha / 2}. It is found by bisection, because a solver with an absolute tolerance would
 * lose all digits of small rates.
 *
 * @param low the lower end
 * @param high the upper end
 */
public record BinomialInterval(double low, double high) {
  /**
   * Returns the two-sided interval: the true proportion is outside either end with probability at
   * most alpha/2.
   */
  public static BinomialInterval of(long successes, long trials, double alpha) {
    Checks.positive(trials, "trials");
    Checks.inRange(0, trials, successes, "successes");
    double tail = Checks.probability(alpha, "alpha") / 2;
    return new BinomialInterval(low(successes, trials, tail), high(successes, trials, tail));
  }

  /** Returns whether the interval contains the rate. */
  public boolean contains(double rate) {
    return low <= rate && rate <= high;
  }

  private static double low(long successes, long trials, double tail) {
    if (successes == 0) {
      return 0;
    }
    if (successes == trials) {
      return Math.exp(Math.log(tail) / trials);
    }
    return root(rate -> of(trials, rate).atLeast(successes), tail);
  }

  private static double high(long successes, long trials, double tail) {
    if (successes == trials) {
      return 1;
    }
    if (successes == 0) {
      return -Precise.expm1(Math.log(tail) / trials);
    }
    return root(rate -> -of(trials, rate).atMost(successes), -tail);
  }

  private static Binomial of(long trials, double rate) {
    return Binomial.of(trials, rate, 1 - rate);
  }

  /**
   * Returns the argument at which an increasing function reaches the level, by bisection on the bit
   * patterns of doubles.
   */
  private static double root(DoubleUnaryOperator rising, double level) {
    long root =
        Bisection.first(
            1,
            Double.doubleToRawLongBits(1),
            bits -> rising.applyAsDouble(Double.longBitsToDouble(bits)) >= level);
    return Double.longBitsToDouble(root);
  }
}
