package dev.bellows.internal.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Numbers as people read them. */
class ProseTest {
  @Test
  void ratesArePercentagesDownToOneInAMillion() {
    assertThat(Prose.rate(1)).isEqualTo("100.0 %");
    assertThat(Prose.rate(0.5)).isEqualTo("50.00 %");
    assertThat(Prose.rate(0.01)).isEqualTo("1.000 % (1 in 100)");
    assertThat(Prose.rate(1e-6)).isEqualTo("0.0001000 % (1 in 1,000,000)");
  }

  @Test
  void smallerRatesArePowersOfTen() {
    assertThat(Prose.rate(3.27e-9)).isEqualTo("3.3e-9 (1 in 305,810,398)");
    assertThat(Prose.rate(9.99e-7)).isEqualTo("1.0e-6 (1 in 1,001,001)");
    assertThat(Prose.rate(8.6e-10)).isEqualTo("8.6e-10");
    assertThat(Prose.rate(1.23e-300)).isEqualTo("1.2e-300");
    for (double rate = 1e-6; rate > 1e-300; rate /= 3) {
      assertThat(Prose.rate(rate / 1.0001)).doesNotContain("%").doesNotContain("e-0");
    }
  }

  @Test
  void ratesToBeGivenAgainHaveFourDigitsAndAllowTheRate() {
    assertThat(Prose.fpp(0.01)).isEqualTo("0.01");
    assertThat(Prose.fpp(0.0123401)).isEqualTo("0.01235");
    assertThat(Prose.fpp(1)).isEqualTo("1.0");
    assertThat(Prose.fpp(0)).isEqualTo("0.0");
    assertThat(Prose.fpp(3.27214e-9)).isEqualTo("3.273E-9");
    for (double rate = 1; rate > 1e-300; rate /= 3) {
      assertThat(Double.parseDouble(Prose.fpp(rate))).isBetween(rate, rate * 1.001);
      assertThat(Double.parseDouble(Prose.limit(rate))).isBetween(rate / 1.0011, rate);
    }
  }

  @Test
  void ratesOfColumnsAreShort() {
    assertThat(Prose.shortRate(0.0123456)).isEqualTo("1.23 %");
    assertThat(Prose.shortRate(7.8e-12)).isEqualTo("7.8e-12");
    assertThat(Prose.shortRate(0)).isEqualTo("0.00 %");
  }

  @Test
  void invalidRatesAreDescribedInWords() {
    assertThat(Prose.rate(0)).isEqualTo("none");
    assertThat(Prose.rate(Double.NaN)).isEqualTo("unknown");
  }

  @Test
  void countsHaveTheirPlural() {
    assertThat(Prose.plural(1, "bit")).isEqualTo("1 bit");
    assertThat(Prose.plural(0, "bit")).isEqualTo("0 bits");
    assertThat(Prose.plural(1_234_567, "key")).isEqualTo("1,234,567 keys");
  }
}
