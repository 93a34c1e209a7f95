package dev.bellows.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.web.browser.Precise;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The products that a browser computes are those of the JVM, bit for bit. */
class SeamTest {
  @Test
  void upperHalvesOfProducts() {
    Random random = new Random(1);
    long[] ends = {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 32, -(1L << 32), 0xffff_ffffL};
    for (long a : ends) {
      for (long b : ends) {
        assertThat(Precise.multiplyHigh(a, b)).isEqualTo(Math.multiplyHigh(a, b));
      }
    }
    for (int i = 0; i < 100_000; i++) {
      long a = random.nextLong() >> random.nextInt(64);
      long b = random.nextLong() >> random.nextInt(64);
      assertThat(Precise.multiplyHigh(a, b)).isEqualTo(Math.multiplyHigh(a, b));
    }
  }

  @Test
  void errorsOfProducts() {
    Random random = new Random(2);
    for (int i = 0; i < 100_000; i++) {
      double a = random.nextDouble() * Math.pow(10, random.nextInt(30) - 15);
      double b = random.nextDouble() * Math.pow(10, random.nextInt(30) - 15);
      assertThat(Precise.productError(a, b, a * b)).isEqualTo(Math.fma(a, b, -(a * b)));
    }
  }
}
