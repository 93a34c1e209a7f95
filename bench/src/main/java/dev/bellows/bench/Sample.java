package dev.bellows.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * The times of one contender in one operation, fork by fork.
 *
 * <p>On a shared machine other work only adds to a time, so a fork counts with its fastest
 * iteration and the sample with the median of its forks. Intervals are 95 % bootstrap intervals,
 * with forks and their iterations drawn with replacement.
 *
 * @param forks the times of the iterations of each fork
 */
record Sample(List<double[]> forks) {
  private static final int DRAWS = 1000;
  private static final double TAIL = 0.025;

  /** A value with its interval. */
  record Estimate(double value, double low, double high) {}

  /** Returns the least time of all. */
  double least() {
    return forks.stream().flatMapToDouble(Arrays::stream).min().orElseThrow();
  }

  /** Returns the median of all times. */
  double median() {
    return median(forks.stream().flatMapToDouble(Arrays::stream).toArray());
  }

  /** Returns the median of the forks' least times. */
  double typical() {
    return median(forks.stream().mapToDouble(f -> Arrays.stream(f).min().orElseThrow()).toArray());
  }

  /** Returns the median with its interval. */
  Estimate medianEstimate() {
    return bootstrap(median(), random -> resampled(random).median());
  }

  /** Returns the median of the forks' least times with its interval. */
  Estimate typicalEstimate() {
    return bootstrap(typical(), random -> resampled(random).typical());
  }

  /** Returns how many times the other's time is ours. */
  Estimate ratioTo(Sample other) {
    return bootstrap(
        typical() / other.typical(),
        random -> resampled(random).typical() / other.resampled(random).typical());
  }

  private static Estimate bootstrap(double value, ToDoubleFunction<SplittableRandom> draw) {
    SplittableRandom random = new SplittableRandom(1);
    double[] drawn = new double[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      drawn[i] = draw.applyAsDouble(random);
    }
    Arrays.sort(drawn);
    int tail = (int) (TAIL * DRAWS);
    return new Estimate(
        value, Math.min(value, drawn[tail]), Math.max(value, drawn[DRAWS - 1 - tail]));
  }

  private Sample resampled(SplittableRandom random) {
    List<double[]> drawn = new ArrayList<>();
    for (int i = 0; i < forks.size(); i++) {
      double[] fork = forks.get(random.nextInt(forks.size()));
      drawn.add(random.ints(fork.length, 0, fork.length).mapToDouble(at -> fork[at]).toArray());
    }
    return new Sample(drawn);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
