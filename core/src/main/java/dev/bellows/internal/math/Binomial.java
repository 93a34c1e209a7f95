package dev.bellows.internal.math;

import dev.bellows.internal.base.Precise;
import java.util.Arrays;

/**
 * The binomial distribution with full relative precision in both tails, for any number of trials.
 *
 * <p>A single probability is a saddle-point expansion about the mean: Stirling's formula with its
 * remainder for the binomial coefficient, and the deviance {@code x ln(x/e) + e - x} of each
 * outcome from its expectation {@code e}. The large logarithms of the textbook form are never
 * computed, so nothing underflows early and no digits are lost (erratum <a
 * href="{@docRoot}/doc-files/errata.html#A7">A7</a>). Tails are sums of positive terms, from the
 * threshold away from the mean; the larger tail is one minus the smaller one.
 *
 * <p>The probabilities of success and of failure are both stored, so a probability close to 0 or 1
 * keeps its precision too.
 */
public final class Binomial {
  /** Below this number, the remainder of Stirling's formula is taken from a table. */
  private static final int STIRLING_TABLE = 16;

  private static final double[] STIRLING_REMAINDER = stirlingRemainders();

  private final long trials;
  private final double success;
  private final double failure;
  private final double whole;
  private final double mean;

  private Binomial(long trials, double success, double failure, double whole) {
    this.trials = trials;
    this.success = success;
    this.failure = failure;
    this.whole = whole;
    this.mean = trials * (success / whole);
  }

  /** Returns the distribution for trials that succeed with probability {@code part / whole}. */
  public static Binomial ofRatio(long trials, long part, long whole) {
    return new Binomial(trials, part, whole - part, whole);
  }

  /**
   * Returns the distribution for trials with these probabilities of success and failure, which add
   * up to one.
   */
  public static Binomial of(long trials, double success, double failure) {
    return new Binomial(trials, success, failure, 1);
  }

  /** Returns {@code Pr(X = x)}. */
  public double probability(long x) {
    if (x < 0 || x > trials) {
      return 0;
    }
    if (success == 0 || failure == 0) {
      return x == (success == 0 ? 0 : trials) ? 1 : 0;
    }
    if (x == 0) {
      return Math.exp(trials * log(failure, success));
    }
    if (x == trials) {
      return Math.exp(trials * log(success, failure));
    }
    long rest = trials - x;
    double exponent =
        stirlingRemainder(trials)
            - stirlingRemainder(x)
            - stirlingRemainder(rest)
            - deviance(x, success)
            - deviance(rest, failure);
    return Math.sqrt(trials / (2 * Math.PI * x * rest)) * Math.exp(exponent);
  }

  /** Returns {@code Pr(X <= x)}. */
  public double atMost(long x) {
    if (x < 0) {
      return 0;
    }
    if (x >= trials) {
      return 1;
    }
    return x < mean ? sumDown(x) : 1 - sumUp(x + 1);
  }

  /** Returns {@code Pr(X >= x)}. */
  public double atLeast(long x) {
    if (x <= 0) {
      return 1;
    }
    if (x > trials) {
      return 0;
    }
    return x > mean ? sumUp(x) : 1 - sumDown(x - 1);
  }

  /**
   * Returns {@code Pr(X = x)} for all x from low to high, by recurrences that start at the most
   * likely x.
   */
  public double[] probabilities(long low, long high) {
    double[] all = new double[Math.toIntExact(high - low + 1)];
    probabilities(low, all);
    return all;
  }

  /** Fills an array with {@code Pr(X = x)} for consecutive x, starting at low. */
  public void probabilities(long low, double[] all) {
    Arrays.fill(all, 0);
    long high = low + all.length - 1;
    long start = Math.max(low, Math.min(high, (long) mean));
    double term = probability(start);
    all[(int) (start - low)] = term;
    for (long x = start; x < high && x < trials; x++) {
      term *= up(x);
      all[(int) (x + 1 - low)] = term;
    }
    term = all[(int) (start - low)];
    for (long x = start; x > low; x--) {
      term *= down(x);
      all[(int) (x - 1 - low)] = term;
    }
  }

  private double sumUp(long x) {
    double term = probability(x);
    double sum = 0;
    for (long i = x; term > 1e-18 * sum; i++) {
      sum += term;
      term = i < trials ? term * up(i) : 0;
    }
    return sum;
  }

  private double sumDown(long x) {
    double term = probability(x);
    double sum = 0;
    for (long i = x; term > 1e-18 * sum; i--) {
      sum += term;
      term = i > 0 ? term * down(i) : 0;
    }
    return sum;
  }

  /** Returns {@code Pr(X = x + 1) / Pr(X = x)}; 0 where success is certain. */
  private double up(long x) {
    return failure == 0 ? 0 : (trials - x) * success / ((x + 1) * failure);
  }

  /** Returns {@code Pr(X = x - 1) / Pr(X = x)}. */
  private double down(long x) {
    return success == 0 ? 0 : x * failure / ((trials - x + 1) * success);
  }

  /**
   * Returns {@code ln(share / whole)}, computed from the smaller of the two shares, which is the
   * more precise one.
   */
  private double log(double share, double other) {
    return share < other ? Math.log(share / whole) : Precise.log1p(-other / whole);
  }

  /** Returns {@code x ln(x/e) + e - x} for the expectation e of the outcome with this share. */
  private double deviance(double x, double share) {
    double expected = trials * (share / whole);
    double observed = x * whole;
    double wanted = trials * share;
    double rounding =
        Precise.productError(x, whole, observed) - Precise.productError(trials, share, wanted);
    double gap = (observed - wanted + rounding) / whole;
    double v = gap / (x + expected);
    if (Math.abs(v) > 0.5) {
      return x * Math.log(x / expected) - gap;
    }
    // ln(x/e) = 2 artanh(v); its first term and e - x combine to gap * v
    double square = v * v;
    double power = v * square;
    double series = 0;
    for (int odd = 3; Math.abs(power) > 1e-17 * Math.abs(series) * odd; odd += 2) {
      series += power / odd;
      power *= square;
    }
    return gap * v + 2 * x * series;
  }

  /** Returns {@code ln n! - ((n + 1/2) ln n - n + ln(2 pi)/2)}. */
  private static double stirlingRemainder(long n) {
    if (n < STIRLING_TABLE) {
      return STIRLING_REMAINDER[(int) n];
    }
    double x = n;
    double y = 1 / (x * x);
    return (1 / 12.0
            - y
                * (1 / 360.0
                    - y * (1 / 1260.0 - y * (1 / 1680.0 - y * (1 / 1188.0 - y * 691 / 360360.0)))))
        / x;
  }

  private static double[] stirlingRemainders() {
    double[] remainders = new double[STIRLING_TABLE];
    double factorial = 1;
    for (int n = 1; n < STIRLING_TABLE; n++) {
      factorial *= n;
      remainders[n] =
          Math.log(factorial) - ((n + 0.5) * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI));
    }
    return remainders;
  }
}
