package dev.bellows.plan;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class DickmanRhoTest {
  @TestFactory
  Stream<DynamicTest> rho() {
    return Oracles.cases(
        "000_folding",
        "dickman_rho",
        (c, all) -> assertClose(DickmanRho.rho(c.real("u")), c.out(), CLOSED_FORM));
  }

  /** Values of a 60-digit computation. */
  @Test
  void farOut() {
    assertClose(DickmanRho.rho(1.25), 0.77685644868579024423, 1e-14);
    assertClose(DickmanRho.rho(2), 0.30685281944005469058, 1e-14);
    assertClose(DickmanRho.rho(2.75), 0.081072418121667728449, 1e-14);
    assertClose(DickmanRho.rho(3), 0.048608388291131566907, 1e-14);
    assertClose(DickmanRho.rho(3.75), 0.0090292268001118607128, 1e-14);
    assertClose(DickmanRho.rho(4.0625), 0.0042047615116745511659, 1e-14);
    assertClose(DickmanRho.rho(7.5), 1.717867492033985818e-7, 1e-14);
    assertClose(DickmanRho.rho(10), 2.7701718377259589888e-11, 1e-14);
    assertClose(DickmanRho.rho(12.3125), 4.1748635674885201317e-15, 1e-14);
    assertClose(DickmanRho.rho(15.875), 1.8949121113389910488e-21, 1e-14);
    assertClose(DickmanRho.rho(20), 2.4617828287649180559e-29, 1e-14);
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
}
