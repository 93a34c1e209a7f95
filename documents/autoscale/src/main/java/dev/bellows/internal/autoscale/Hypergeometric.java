package dev.bellows.internal.autoscale;

/**
 * The distribution of the number of marked positions in a draw without replacement.
 *
 * <p>The weights are computed outwards from the most likely number and divided by their sum. All
 * terms are positive, so the tails keep their precision.
 */
public final class Hypergeometric {
  private final long lowest;
  private final double[] weights;
  private final double total;

  /**
   * Creates the distribution for draws from {@code all} positions, of which {@code marked} are
   * marked.
   */
  public Hypergeometric(long all, long marked, int draws) {
    lowest = Math.max(0, draws - (all - marked));
    long highest = Math.min(draws, marked);
    weights = new double[Math.toIntExact(highest - lowest + 1)];
    long likeliest = (long) ((draws + 1.0) * ((marked + 1.0) / (all + 2.0)));
    long start = Math.max(lowest, Math.min(highest, likeliest));
    double unmarked = (double) all - marked - draws;
    weights[(int) (start - lowest)] = 1;
    for (long x = start; x < highest; x++) {
      weights[(int) (x + 1 - lowest)] =
          weights[(int) (x - lowest)]
              * (((double) (marked - x) * (draws - x)) / ((x + 1) * (unmarked + x + 1)));
    }
    for (long x = start; x > lowest; x--) {
      weights[(int) (x - 1 - lowest)] =
          weights[(int) (x - lowest)]
              * ((x * (unmarked + x)) / ((double) (marked - x + 1) * (draws - x + 1)));
    }
    total = sum(lowest, highest);
  }

  /** Returns {@code Pr(X >= x)}, from the smaller of the two tails. */
  public double atLeast(long x) {
    long highest = lowest + weights.length - 1;
    double above = sum(Math.max(x, lowest), highest);
    double below = sum(lowest, Math.min(x - 1, highest));
    return above < below ? above / total : 1 - below / total;
  }

  private double sum(long from, long to) {
    double sum = 0;
    for (long x = from; x <= to; x++) {
      sum += weights[(int) (x - lowest)];
    }
    return sum;
  }
}
