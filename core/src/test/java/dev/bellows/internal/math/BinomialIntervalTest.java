package dev.bellows.internal.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;

class BinomialIntervalTest {
  /** Brown, Cai and DasGupta give these bounds for alpha 5 %. */
  @Test
  void knownIntervals() {
    assertInterval(BinomialInterval.of(5, 10, 0.05), 0.187086, 0.812914);
    assertInterval(BinomialInterval.of(1, 10, 0.05), 0.002529, 0.445016);
    assertInterval(BinomialInterval.of(10, 100, 0.05), 0.049005, 0.176223);
  }

  @Test
  void endsOfTheScaleAreExact() {
    assertThat(BinomialInterval.of(0, 10, 0.05).low()).isZero();
    assertThat(BinomialInterval.of(0, 10, 0.05).high())
        .isCloseTo(1 - Math.pow(0.025, 0.1), within(1e-15));
    assertThat(BinomialInterval.of(10, 10, 0.05).low())
        .isCloseTo(Math.pow(0.025, 0.1), within(1e-15));
    assertThat(BinomialInterval.of(10, 10, 0.05).high()).isOne();
    assertThat(BinomialInterval.of(0, 1L << 40, 1e-9).high())
        .isCloseTo(-Math.log(5e-10) / (1L << 40), within(1e-20));
  }

  /** The definition: at each end the observed tail has exactly half of alpha. */
  @Test
  void endsLeaveHalfOfAlphaOutside() {
    for (int trials : new int[] {2, 17, 1000, 10_000_000}) {
      for (long successes : new long[] {1, trials / 100, trials / 3, trials / 2}) {
        for (double alpha : new double[] {0.05, 1e-9}) {
          if (successes == 0) {
            continue;
          }
          BinomialInterval interval = BinomialInterval.of(successes, trials, alpha);
          double above =
              BinomialDistribution.of(trials, interval.low())
                  .survivalProbability((int) successes - 1);
          double below =
              BinomialDistribution.of(trials, interval.high())
                  .cumulativeProbability((int) successes);
          assertThat(above).isCloseTo(alpha / 2, within(alpha * 1e-6));
          assertThat(below).isCloseTo(alpha / 2, within(alpha * 1e-6));
        }
      }
    }
  }

  @Test
  void mirrorsWhenSuccessAndFailureChangePlaces() {
    BinomialInterval some = BinomialInterval.of(3, 50, 1e-3);
    BinomialInterval others = BinomialInterval.of(47, 50, 1e-3);
    assertThat(some.low()).isCloseTo(1 - others.high(), within(1e-13));
    assertThat(some.high()).isCloseTo(1 - others.low(), within(1e-13));
  }

  @Test
  void holdsItsEndsAndNothingOutside() {
    BinomialInterval interval = new BinomialInterval(0.25, 0.5);
    assertThat(interval.contains(0.25)).isTrue();
    assertThat(interval.contains(0.5)).isTrue();
    assertThat(interval.contains(Math.nextDown(0.25))).isFalse();
    assertThat(interval.contains(Math.nextUp(0.5))).isFalse();
  }

  @Test
  void refusesInvalidProportions() {
    assertThatThrownBy(() -> BinomialInterval.of(0, 0, 0.05)).hasMessageContaining("trials");
    assertThatThrownBy(() -> BinomialInterval.of(11, 10, 0.05)).hasMessageContaining("[0, 10]: 11");
    assertThatThrownBy(() -> BinomialInterval.of(-1, 10, 0.05)).hasMessageContaining("-1");
    assertThatThrownBy(() -> BinomialInterval.of(1, 10, 0)).hasMessageContaining("alpha");
    assertThatThrownBy(() -> BinomialInterval.of(1, 10, Double.NaN)).hasMessageContaining("alpha");
  }

  private static void assertInterval(BinomialInterval interval, double low, double high) {
    assertThat(interval.low()).isCloseTo(low, within(1e-6));
    assertThat(interval.high()).isCloseTo(high, within(1e-6));
  }
}
