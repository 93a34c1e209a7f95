package dev.bellows.autoscale;

import dev.bellows.internal.autoscale.CounterLoad;
import dev.bellows.internal.autoscale.ThresholdRates;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Binomial;
import java.util.Arrays;

/**
 * The distributions of the likelihood score, for stored and for absent keys.
 *
 * <p>A score is a sum of {@code hashes} table entries, one per position, so its distribution is the
 * k-fold convolution of the distribution of one entry. It is computed by repeated squaring on the
 * integers of the table, without sampling and without rounding to a coarser grid. Both ends are cut
 * off where less than 1e-20 of the stored and of the absent keys remain. Positions are assumed to
 * be independent, as in {@link ThresholdRates}.
 *
 * @param sum the distributions
 * @param empty whether there are no keys
 * @param lowestScore the lowest score of any key
 */
record LikelihoodScores(Lattice sum, boolean empty, long lowestScore) {
  private static final double NEGLIGIBLE = 1e-20;

  /** Returns the distributions averaged over all filters of this shape and load. */
  public static LikelihoodScores of(LogTable table, CounterLoad load) {
    int hashes = load.hashes();
    long keys = load.keys();
    int low = table.lowestScore();
    double[] absent = new double[table.highestScore() - low + 1];
    double[] stored = new double[absent.length];
    if (keys > 0) {
      Binomial any = Binomial.ofRatio(load.trials(), load.part(), load.bits());
      Binomial others = Binomial.ofRatio(load.trials() - 1, load.part(), load.bits());
      long bottom = table.lowestCount();
      long top = table.highestCount();
      double[] counts = any.probabilities(bottom, top);
      double[] otherCounts = others.probabilities(bottom - 1, top - 1);
      counts[0] = bottom > 1 ? any.atMost(bottom) - any.probability(0) : counts[0];
      otherCounts[0] = others.atMost(bottom - 1);
      int last = counts.length - 1;
      if (last > 0) {
        counts[last] = any.atLeast(top);
        otherCounts[last] = others.atLeast(top - 1);
      } else {
        counts[0] = any.atLeast(1);
        otherCounts[0] = 1;
      }
      for (int i = 0; i <= last; i++) {
        int index = table.score(bottom + i) - low;
        absent[index] += counts[i];
        stored[index] += otherCounts[i];
      }
    }
    return of(table, hashes, new Lattice(low, stored, absent), keys == 0);
  }

  /**
   * Returns the distributions in one particular filter. For an absent key, the probability of a
   * count is the fraction of counters that hold it; for a stored key, it is proportional to that
   * fraction times the count. The means are exact. Positions are assumed to be drawn with
   * replacement, which makes the variance of the scores slightly too large if k/m is near 0.1.
   *
   * @param histogram the number of counters that hold 0, 1, 2, ...
   */
  public static LikelihoodScores observed(LogTable table, int hashes, long[] histogram) {
    Checks.positive(hashes, "hashes");
    double positions = 0;
    double increments = 0;
    for (int count = 0; count < histogram.length; count++) {
      positions += Checks.notNegative(histogram[count], "histogram");
      increments += (double) count * histogram[count];
    }
    int low = table.lowestScore();
    double[] absent = new double[table.highestScore() - low + 1];
    double[] stored = new double[absent.length];
    for (int count = 1; count < histogram.length && increments > 0; count++) {
      int index = table.score(count) - low;
      absent[index] += histogram[count] / positions;
      stored[index] += count * (histogram[count] / increments);
    }
    return of(table, hashes, new Lattice(low, stored, absent), increments == 0);
  }

  private static LikelihoodScores of(LogTable table, int hashes, Lattice one, boolean empty) {
    long lowest = (long) hashes * table.lowestScore();
    return new LikelihoodScores(empty ? one : one.power(hashes), empty, lowest);
  }

  /**
   * Returns the rates at a threshold: a key is accepted if no count is zero and its score is at
   * least the threshold.
   */
  public ThresholdPlan.Rates rates(long threshold) {
    long index = Math.max(0, Math.min(sum.stored.length, threshold - sum.first));
    double fnr = 0;
    double tpr = 0;
    double fpr = 0;
    for (int i = 0; i < index; i++) {
      fnr += sum.stored[i];
    }
    for (int i = sum.stored.length - 1; i >= index; i--) {
      tpr += sum.stored[i];
      fpr += sum.absent[i];
    }
    return rates(tpr, fnr, fpr);
  }

  /**
   * Returns the best threshold by the criterion among those with a TPR of at least {@code minTpr};
   * the larger of equally good ones. The lowest possible score rejects no stored key, so it is the
   * result for {@code minTpr = 1} and for an empty filter.
   */
  public long bestThreshold(Criterion criterion, double minTpr) {
    ThresholdPlan.checkMinTpr(minTpr);
    if (empty || minTpr == 1) {
      return lowestScore;
    }
    double[] fnr = new double[sum.stored.length + 1];
    for (int i = 0; i < sum.stored.length; i++) {
      fnr[i + 1] = fnr[i] + sum.stored[i];
    }
    long best = lowestScore;
    double leastLoss = Double.POSITIVE_INFINITY;
    double tpr = 0;
    double fpr = 0;
    for (int i = sum.stored.length - 1; i >= 0; i--) {
      tpr += sum.stored[i];
      fpr += sum.absent[i];
      ThresholdPlan.Rates rates = rates(tpr, fnr[i], fpr);
      double loss = criterion.loss(rates.fnr(), rates.fpr());
      if (rates.tpr() >= minTpr && loss < leastLoss * (1 - ThresholdPlan.TIE)) {
        leastLoss = loss;
        best = sum.first + i;
      }
    }
    return best;
  }

  private ThresholdPlan.Rates rates(double tpr, double fnr, double fpr) {
    double wrong = Math.min(1, fpr);
    if (empty) {
      return new ThresholdPlan.Rates(Double.NaN, Double.NaN, wrong);
    }
    return new ThresholdPlan.Rates(fnr < tpr ? 1 - fnr : tpr, tpr < fnr ? 1 - tpr : fnr, wrong);
  }

  /** Two measures on the same consecutive integers. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Lattice(long first, double[] stored, double[] absent) {
    Lattice power(int exponent) {
      Lattice square = trimmed();
      int rest = Checks.positive(exponent, "exponent");
      for (; (rest & 1) == 0; rest >>= 1) {
        square = square.plus(square);
      }
      Lattice result = square;
      for (rest >>= 1; rest != 0; rest >>= 1) {
        square = square.plus(square);
        if ((rest & 1) != 0) {
          result = result.plus(square);
        }
      }
      return result;
    }

    /** Returns the distribution of the sum of two independent values. */
    private Lattice plus(Lattice other) {
      return new Lattice(
              first + other.first, convolve(stored, other.stored), convolve(absent, other.absent))
          .trimmed();
    }

    /**
     * Convolves four values of one factor at a time, so each sum is loaded and stored only once for
     * all four.
     */
    private static double[] convolve(double[] a, double[] b) {
      double[] left = Arrays.copyOf(a, a.length + 3);
      double[] right = new double[b.length + 6];
      System.arraycopy(b, 0, right, 3, b.length);
      double[] sums = new double[a.length + b.length + 5];
      for (int i = 0; i < a.length; i += 4) {
        double a0 = left[i];
        double a1 = left[i + 1];
        double a2 = left[i + 2];
        double a3 = left[i + 3];
        if (a0 + a1 + a2 + a3 > 0) {
          for (int j = 0; j < b.length + 3; j++) {
            sums[i + j] +=
                a0 * right[j + 3] + a1 * right[j + 2] + a2 * right[j + 1] + a3 * right[j];
          }
        }
      }
      return Arrays.copyOf(sums, a.length + b.length - 1);
    }

    private Lattice trimmed() {
      int from = Math.min(negligible(stored, 1), negligible(absent, 1));
      int to = stored.length - Math.min(negligible(stored, -1), negligible(absent, -1));
      return new Lattice(
          first + from, Arrays.copyOfRange(stored, from, to), Arrays.copyOfRange(absent, from, to));
    }

    /** Returns how many values at one end are negligible in total; never all of them. */
    private static int negligible(double[] values, int direction) {
      double bound = NEGLIGIBLE * Arrays.stream(values).sum();
      int end = direction > 0 ? 0 : values.length - 1;
      int dropped = 0;
      double sum = values[end];
      while (sum <= bound && dropped < values.length - 1) {
        dropped++;
        sum += values[end + direction * dropped];
      }
      return dropped;
    }
  }
}
