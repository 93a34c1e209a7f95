package dev.bellows.internal.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DivisorsTest {
  @Test
  void agreesWithTrial() {
    for (int number = 1; number <= 600; number++) {
      int found = 0;
      for (int d = 1; d <= number; d++) {
        if (number % d == 0) {
          assertThat(Divisors.of(number)[found++]).isEqualTo(d);
        }
      }
      assertThat(Divisors.count(number)).isEqualTo(found);
    }
  }

  @Test
  void mostDivisibleOfNarrowWindows() {
    SplittableRandom random = new SplittableRandom(1);
    for (int round = 0; round < 120; round++) {
      long low = random.nextLong(1, 1L << random.nextInt(4, 36));
      long high = low + random.nextLong(0, 300);
      long best = low;
      for (long number = low; number <= high; number++) {
        best = Divisors.count(number) > Divisors.count(best) ? number : best;
      }
      assertThat(Divisors.mostDivisible(low, high)).isEqualTo(best);
    }
  }

  @Test
  void mostDivisibleOfWideWindows() {
    SplittableRandom random = new SplittableRandom(2);
    for (int round = 0; round < 60; round++) {
      long low = random.nextLong(3000, 2_000_000);
      long high = (long) (low * 1.03);
      assertThat(Divisors.mostDivisible(low, high))
          .isEqualTo(SmoothNumbers.richest(low, high - low).number());
    }
  }

  @Test
  void farWindowsAreNeverEmpty() {
    long far = 1_000_000_000_000_000L;
    assertThat(Divisors.mostDivisible(far + 1, far + 1000)).isBetween(far + 1, far + 1000);
    assertThat(Divisors.mostDivisible(far, far)).isEqualTo(far);
    assertThat(Divisors.mostDivisible(far + 1, far + 10_000_000)).isGreaterThan(far);
    assertThatIllegalArgumentException().isThrownBy(() -> Divisors.mostDivisible(10, 9));
    assertThatIllegalArgumentException().isThrownBy(() -> Divisors.mostDivisible(0, 9));
  }
}
