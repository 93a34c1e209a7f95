package dev.bellows.internal.autoscale;

import dev.bellows.internal.math.Binomial;

/**
 * What the counters of an autoscaling filter say about keys that were put more than once.
 *
 * <p>Let key i be put w(i) times, N = sum of w, W = sum of w squared. The sum of all counters is
 * kN, whatever the w are. Two different keys share {@code k^2/m} counters on average, so the sum of
 * the squared counters is {@code k W + (N^2 - W) k^2/m} on average. It grows with W, which is N
 * exactly if no key repeats. The number of pairs of increments that met in a counter is half of
 * what the sum of squares exceeds the sum by; if no key repeats, its variance is about its mean.
 *
 * <p>The counters also give the rate of the keys that were put only once, which are the hardest to
 * find: a position of such a key holds one more than the counts of the other keys, R, and the
 * counter at any position holds R, or R + 1 with probability p = k/m. The distribution of R
 * therefore follows from that of the counters, for any w:
 *
 * <pre>  Pr(C >= x) = (1 - p) Pr(R >= x) + p Pr(R >= x - 1)</pre>
 *
 * @param bits number of counters
 * @param hashes number of distinct positions per key
 * @param puts the number of puts, N
 * @param squares the sum of the squared counters
 */
public record Repetition(long bits, int hashes, long puts, double squares) {
  /** Standard deviations, and pairs, that chance does not explain. */
  private static final double CERTAIN_DEVIATIONS = 6;

  private static final double CERTAIN_PAIRS = 12;

  /** Standard deviations by which a bound is lower than the estimate. */
  private static final double SLACK = 3;

  /** The number of empty counters from which the number of distinct keys follows to 20 %. */
  private static final long ENOUGH_EMPTY = 32;

  /** Counters above this are treated alike. */
  private static final int MAX_HISTOGRAM = 1 << 20;

  /**
   * Returns whether some keys were put repeatedly: chance does not explain the counters. Every put
   * asks this, so nothing is allocated.
   */
  public static boolean isCertain(long bits, int hashes, long puts, double squares) {
    double share = (double) hashes / bits;
    double pairs = (squares - (double) hashes * puts) / 2;
    double expected = puts * (puts - 1.0) / 2 * hashes * share;
    return pairs - expected
        > CERTAIN_DEVIATIONS * (1 - share) * Math.sqrt(expected) + CERTAIN_PAIRS;
  }

  /**
   * Returns W/N: how often the key of an average put was put. This is at least the average over
   * keys.
   */
  public double timesPut() {
    double share = (double) hashes / bits;
    double sum = (double) hashes * puts;
    double all = (squares - sum * sum / bits) / (hashes * (1 - share));
    return puts == 0 || share == 1 ? 1 : Math.max(1, all / puts);
  }

  /**
   * Returns the number of distinct keys, if enough counters are empty to show it: {@code m (1 -
   * p)^keys} of them are. Otherwise returns {@code N^2/W}, a lower bound by the inequality of
   * Cauchy and Schwarz.
   */
  public double distinctKeys(long empty) {
    double least = puts / timesPut();
    if (!showsKeys(empty)) {
      return least;
    }
    double keys = Math.log((double) empty / bits) / Math.log1p(-(double) hashes / bits);
    return Math.max(Math.min(least, puts), Math.min(keys, puts));
  }

  /** Returns whether {@link #distinctKeys} is an estimate, not only a lower bound. */
  public static boolean showsKeys(long empty) {
    return empty >= ENOUGH_EMPTY;
  }

  /**
   * Returns whether saturated counters show that keys repeat: increments of fewer keys lie more
   * unevenly, so the counters that saturate lose more of them.
   *
   * @param sum the sum of all counters
   * @param saturated the highest value of a counter
   */
  public static boolean isSaturationCertain(
      long bits, int hashes, long puts, long sum, long saturated) {
    double mean = (double) puts * hashes / bits;
    long last = (long) Math.min(puts, saturated + 12 * Math.sqrt(mean + 1) + 60);
    double lost = 0;
    double squared = 0;
    if (last > saturated) {
      double[] above = Binomial.ofRatio(puts, hashes, bits).probabilities(saturated + 1, last);
      for (int i = 0; i < above.length; i++) {
        lost += (i + 1) * above[i];
        squared += (i + 1.0) * (i + 1) * above[i];
      }
    }
    // on average, most of the counts are lost, and little can be seen
    double expected = mean > saturated ? (double) hashes * puts - sum : bits * lost;
    double excess = (double) hashes * puts - sum - expected;
    return excess > CERTAIN_DEVIATIONS * Math.sqrt(bits * squared) + CERTAIN_PAIRS;
  }

  /** Returns the highest count that {@link #hits} distinguishes. */
  public static int highest(long theta) {
    return (int) Math.min(MAX_HISTOGRAM, theta + 1);
  }

  /** Returns the lower end of Wilson's interval around a fraction of all counters. */
  private static double least(double share, long bits) {
    double square = SLACK * SLACK / bits;
    double spread = Math.sqrt(square * (share * (1 - share) + square / 4));
    return Math.max(0, (share + square / 2 - spread) / (1 + square));
  }

  /**
   * Returns, for each theta, the probability that a position of a key that was put once hits, less
   * three standard deviations: that of {@code R >= theta}. The counters at the positions of the
   * stored keys differ by chance from those at all positions.
   *
   * @param histogram the numbers of counters that hold 0, 1, 2, ..., and the last or more
   */
  public static double[] hits(long bits, int hashes, long[] histogram) {
    double share = (double) hashes / bits;
    double[] hits = new double[histogram.length];
    long reached = bits; // the counters that hold at least i
    double before = 1;
    for (int i = 0; i < histogram.length; i++) {
      long above = reached - histogram[i];
      double solved = ((double) reached / bits - share * before) / (1 - share);
      // the recursion forgets its errors only if a key has less than half of the positions
      boolean isStable = share < 0.5;
      before =
          i == 0 ? 1 : Math.max((double) above / bits, isStable ? Math.min(before, solved) : 0);
      hits[i] = i == 0 ? 1 : least(before, bits);
      reached = above;
    }
    return hits;
  }
}
