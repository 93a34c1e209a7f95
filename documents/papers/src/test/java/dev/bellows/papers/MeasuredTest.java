package dev.bellows.papers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.TDistribution;
import org.junit.jupiter.api.Test;

class MeasuredTest {
  /** Tables give 2.776445 deviations for four degrees of freedom and alpha 5 %. */
  @Test
  void knownInterval() {
    Measured interval = Measured.mean(new double[] {1, 2, 3, 4, 5}, 0.05);
    assertThat(interval.value()).isEqualTo(3);
    assertThat(interval.high() - 3).isCloseTo(2.776445 * Math.sqrt(0.5), within(1e-6));
    assertThat(3 - interval.low()).isCloseTo(2.776445 * Math.sqrt(0.5), within(1e-6));
  }

  @Test
  void eachSideIsLeftOutWithHalfOfASmallAlpha() {
    SplittableRandom random = new SplittableRandom(1);
    double[] values = random.doubles(100).toArray();
    Measured interval = Measured.mean(values, 1e-9);
    double squares = 0;
    for (double value : values) {
      squares += Math.pow(value - interval.value(), 2);
    }
    double deviations = (interval.high() - interval.value()) / Math.sqrt(squares / 99 / 100);
    assertThat(TDistribution.of(99).survivalProbability(deviations) / 5e-10)
        .isCloseTo(1, within(1e-4));
  }

  @Test
  void equalValuesLeaveNoDoubtAndOneValueIsRefused() {
    assertThat(Measured.mean(new double[] {0.5, 0.5, 0.5}, 1e-9))
        .isEqualTo(new Measured(0.5, 0.5, 0.5, 1e-9));
    assertThatThrownBy(() -> Measured.mean(new double[] {1}, 0.05))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("measurements");
  }
}
