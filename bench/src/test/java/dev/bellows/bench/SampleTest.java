package dev.bellows.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Times of forks and their ratios. */
class SampleTest {
  private static Sample of(double[]... forks) {
    return new Sample(List.of(forks));
  }

  @Test
  void aForkCountsByItsMinimumAndASampleByTheMedianOfItsForks() {
    Sample sample = of(new double[] {12, 10, 90}, new double[] {40, 14}, new double[] {11, 50});
    assertThat(sample.least()).isEqualTo(10);
    assertThat(sample.typical()).isEqualTo(11);
    assertThat(sample.median()).isEqualTo(14);
  }

  @Test
  void anEvenNumberOfTimesHasTheMeanOfTheMiddleTwoAsMedian() {
    assertThat(of(new double[] {4, 1, 3, 2}).median()).isEqualTo(2.5);
  }

  @Test
  void aRatioOfSteadyTimesIsExact() {
    Sample.Estimate ratio = of(new double[] {80, 80}).ratioTo(of(new double[] {10, 10, 10}));
    assertThat(ratio).isEqualTo(new Sample.Estimate(8, 8, 8));
  }

  @Test
  void aRatioLiesInItsIntervalWhichNoiseWidens() {
    Sample calm = noisy(100, 0.02, 1);
    Sample wild = noisy(100, 0.5, 2);
    Sample ours = noisy(10, 0.02, 3);
    Sample.Estimate narrow = calm.ratioTo(ours);
    Sample.Estimate wide = wild.ratioTo(ours);
    assertThat(narrow.value()).isBetween(narrow.low(), narrow.high()).isCloseTo(10, within(0.5));
    assertThat(wide.value()).isBetween(wide.low(), wide.high());
    assertThat(wide.high() - wide.low()).isGreaterThan(narrow.high() - narrow.low());
  }

  @Test
  void anEstimateIsTheSameEveryTime() {
    assertThat(noisy(100, 0.5, 4).medianEstimate()).isEqualTo(noisy(100, 0.5, 4).medianEstimate());
  }

  private static Sample noisy(double base, double noise, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return new Sample(
        IntStream.range(0, 4)
            .mapToObj(fork -> random.doubles(8, base, base * (1 + noise)).toArray())
            .toList());
  }
}
