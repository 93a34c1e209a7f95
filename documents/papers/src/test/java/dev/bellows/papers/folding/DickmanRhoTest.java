package dev.bellows.papers.folding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.data.Percentage.withPercentage;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DickmanRhoTest {
  /** Values of computations with 60 and 110 digits. */
  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "1, 1",
    "1.25, 0.7768564486857903",
    "1.5, 0.5945348918918356",
    "2, 0.3068528194400547",
    "2.5, 0.13031956183225074",
    "2.75, 0.08107241812166772",
    "3, 0.048608388291131566",
    "3.5, 0.01622959324323599",
    "3.75, 0.00902922680011186",
    "4.0625, 0.004204761511674551",
    "5, 0.00035472470045603974",
    "7.5, 1.7178674920339857e-07",
    "10, 2.770171837725959e-11",
    "12.3125, 4.1748635674885204e-15",
    "15.875, 1.894912111338991e-21",
    "20, 2.461782828764918e-29"
  })
  void knownValues(double u, double expected) {
    assertClose(DickmanRho.rho(u), expected, 1e-14);
  }

  @Test
  void isContinuousAcrossTheUnitIntervals() {
    for (int k = 2; k <= 40; k++) {
      double below = DickmanRho.rho(k);
      double above = DickmanRho.rho(Math.nextUp((double) k));
      assertClose(above, below, 1e-13);
      assertThat(DickmanRho.rho(k + 0.5)).isLessThan(below);
    }
  }

  @Test
  void satisfiesItsEquation() {
    // u rho(u) = integral over [u-1, u]; Simpson on each side of the integer inside
    for (double u = 1.3; u < 9; u += 0.7) {
      double middle = Math.floor(u);
      double integral = simpson(u - 1, middle) + simpson(middle, u);
      assertClose(u * DickmanRho.rho(u), integral, 1e-10);
    }
  }

  private static double simpson(double from, double to) {
    int steps = 400;
    double width = (to - from) / steps;
    double sum = DickmanRho.rho(from) + DickmanRho.rho(to);
    for (int i = 1; i < steps; i++) {
      sum += (i % 2 == 1 ? 4 : 2) * DickmanRho.rho(from + i * width);
    }
    return sum * width / 3;
  }

  @Test
  void edges() {
    assertThat(DickmanRho.rho(0)).isOne();
    assertThat(DickmanRho.rho(0.5)).isOne();
    assertThat(DickmanRho.rho(100)).isGreaterThan(0).isLessThan(1e-200);
    assertThat(DickmanRho.rho(1e300)).isZero();
    assertThat(DickmanRho.rho(Double.POSITIVE_INFINITY)).isZero();
    assertThatIllegalArgumentException().isThrownBy(() -> DickmanRho.rho(-0.1));
    assertThatIllegalArgumentException().isThrownBy(() -> DickmanRho.rho(Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> DickmanRho.smoothCount(10, 1));
  }

  private static void assertClose(double actual, double expected, double relative) {
    assertThat(actual).isCloseTo(expected, withPercentage(100 * relative));
  }
}
