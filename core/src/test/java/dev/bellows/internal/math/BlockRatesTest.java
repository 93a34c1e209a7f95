package dev.bellows.internal.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockRatesTest {
  private static final MathContext DIGITS = new MathContext(120);
  private static final BigDecimal WORD_BITS = BigDecimal.valueOf(64);

  /** Inclusion and exclusion, binomial words and binomial loads, with 120 digits. */
  @ParameterizedTest
  @CsvSource({
    "8, 1, 200, 200", "8, 1, 30, 300", "8, 2, 100, 150", "8, 2, 4, 60", "4, 1, 100, 20",
    "4, 1, 1000000, 3", "4, 2, 100, 40", "4, 2, 6, 250", "4, 3, 40, 60", "4, 3, 7, 200",
    "2, 1, 64, 300", "2, 2, 1000, 80", "2, 3, 500, 200", "2, 3, 4, 200", "2, 4, 90, 90",
    "2, 5, 3, 120", "1, 4, 20, 60", "1, 6, 9, 60", "8, 3, 60, 60", "2, 3, 1, 150"
  })
  void theRateHasElevenDigits(int words, int bits, long blocks, int keys) {
    Pattern pattern = new Pattern(words, bits);
    BigDecimal exact = exactFpp(pattern, blocks, keys);
    BigDecimal error =
        new BigDecimal(BlockRates.of(pattern).fpp(blocks, keys))
            .subtract(exact)
            .abs()
            .divide(exact, DIGITS);
    assertThat(error.doubleValue()).as("%s of %s", error, exact).isLessThan(1e-11);
  }

  @Test
  void rarePassesKeepTheirDigitsToo() {
    for (Pattern pattern : patterns(4)) {
      int keys = 40;
      long blocks = BlockRates.of(pattern).blocksFor(keys, 1e-12);
      BigDecimal exact = exactFpp(pattern, blocks, keys);
      assertThat(exact.doubleValue()).isBetween(1e-13, 1e-12);
      assertThat(BlockRates.of(pattern).fpp(blocks, keys) / exact.doubleValue())
          .isCloseTo(1, within(1e-11));
    }
  }

  private static BigDecimal exactFpp(Pattern pattern, long blocks, int keys) {
    BigDecimal[] stays = new BigDecimal[pattern.bits() + 1];
    for (int missed = 0; missed <= pattern.bits(); missed++) {
      stays[missed] = BigDecimal.ONE.subtract(BigDecimal.valueOf(missed).divide(WORD_BITS));
    }
    BigDecimal[] different = new BigDecimal[pattern.bits() + 1];
    for (int d = 1; d <= pattern.bits(); d++) {
      BigDecimal onto = BigDecimal.ZERO;
      for (int v = 0; v <= d; v++) {
        BigDecimal term = new BigDecimal(choose(d, v).multiply(power(d - v, pattern.bits())));
        onto = v % 2 == 0 ? onto.add(term) : onto.subtract(term);
      }
      different[d] =
          onto.multiply(new BigDecimal(choose(64, d))).divide(WORD_BITS.pow(pattern.bits()));
    }
    BigDecimal[] word = new BigDecimal[keys + 1];
    for (int load = 0; load <= keys; load++) {
      word[load] = BigDecimal.ZERO;
      for (int d = 1; d <= pattern.bits(); d++) {
        for (int v = 0; v <= d; v++) {
          BigDecimal term =
              different[d]
                  .multiply(new BigDecimal(choose(d, v)), DIGITS)
                  .multiply(stays[v].pow(load * pattern.bits(), DIGITS), DIGITS);
          word[load] = v % 2 == 0 ? word[load].add(term) : word[load].subtract(term);
        }
      }
    }
    BigDecimal touched = BigDecimal.valueOf(pattern.words()).divide(BigDecimal.valueOf(8));
    BigDecimal share = BigDecimal.ONE.divide(BigDecimal.valueOf(blocks), DIGITS);
    BigDecimal sum = BigDecimal.ZERO;
    for (int load = 0; load <= keys; load++) {
      BigDecimal group = BigDecimal.ZERO;
      for (int inWord = 0; inWord <= load; inWord++) {
        group = group.add(binomial(load, inWord, touched).multiply(word[inWord], DIGITS));
      }
      sum =
          sum.add(binomial(keys, load, share).multiply(group.pow(pattern.words(), DIGITS), DIGITS));
    }
    return sum;
  }

  private static BigDecimal binomial(int n, int i, BigDecimal share) {
    return new BigDecimal(choose(n, i))
        .multiply(share.pow(i, DIGITS), DIGITS)
        .multiply(BigDecimal.ONE.subtract(share).pow(n - i, DIGITS), DIGITS);
  }

  private static BigInteger choose(int n, int i) {
    BigInteger ways = BigInteger.ONE;
    for (int j = 0; j < i; j++) {
      ways = ways.multiply(BigInteger.valueOf(n - j)).divide(BigInteger.valueOf(j + 1));
    }
    return ways;
  }

  private static BigInteger power(int base, int exponent) {
    return BigInteger.valueOf(base).pow(exponent);
  }

  private static List<Pattern> patterns(int mostBits) {
    return List.of(1, 2, 4, 8).stream()
        .flatMap(
            words ->
                java.util.stream.IntStream.rangeClosed(1, mostBits)
                    .mapToObj(bits -> new Pattern(words, bits)))
        .toList();
  }

  /** One position in each of eight words has a closed form. */
  @Test
  void eightWordsOfOneBitHaveAClosedForm() {
    BlockRates rates = BlockRates.of(new Pattern(8, 1));
    for (int load = 1; load < 300; load++) {
      double closed = Math.pow(-Math.expm1(load * Math.log1p(-1 / 64.0)), 8);
      assertThat(rates.blockFpp(load)).isCloseTo(closed, within(1e-12 * closed));
    }
  }

  @Test
  void sizesAndKeyCountsAreTheLastOnesThatHoldTheRate() {
    for (Pattern pattern : patterns(3)) {
      for (double fpp : new double[] {0.9, 0.3, 0.01, 1e-4, 1e-8}) {
        double perKey = BlockRates.of(pattern).bitsPerKey(fpp);
        for (long keys : new long[] {1, 17, 1000, 123_456, 50_000_000}) {
          if (keys * perKey > 1e17) {
            continue;
          }
          long blocks = BlockRates.of(pattern).blocksFor(keys, fpp);
          assertThat(BlockRates.of(pattern).fpp(blocks, keys)).isLessThanOrEqualTo(fpp);
          if (blocks > 1) {
            assertThat(BlockRates.of(pattern).fpp(blocks - 1, keys)).isGreaterThan(fpp);
          }
          long most = BlockRates.of(pattern).keysFor(blocks, fpp);
          assertThat(most).isGreaterThanOrEqualTo(keys);
          assertThat(BlockRates.of(pattern).fpp(blocks, most)).isLessThanOrEqualTo(fpp);
          assertThat(BlockRates.of(pattern).fpp(blocks, most + 1)).isGreaterThan(fpp);
        }
      }
    }
  }

  @Test
  void theRateNeverFallsWithMoreKeys() {
    for (Pattern pattern : patterns(Pattern.MAX_BITS)) {
      double before = -1;
      for (long load = 0; load < 30_000; load++) {
        double rate = BlockRates.of(pattern).blockFpp(load);
        assertThat(rate).isBetween(before, 1.0);
        before = rate;
      }
      assertThat(before).isEqualTo(1);
      assertThat(BlockRates.of(pattern).fpp(1000, 0)).isZero();
    }
  }

  /** No number of keys, however absurd, makes the summation over loads slow. */
  @Test
  void overfullFiltersAreComputedImmediately() {
    Pattern pattern = new Pattern(2, 3);
    assertThat(BlockRates.of(pattern).fpp(2, Long.MAX_VALUE)).isEqualTo(1);
    assertThat(BlockRates.of(pattern).fpp(Long.MAX_VALUE, Long.MAX_VALUE)).isBetween(0.0, 1e-4);
    assertThat(BlockRates.of(pattern).fpp(1, Long.MAX_VALUE)).isEqualTo(1);
    assertThat(BlockRates.of(pattern).bitsPerKey(Math.nextDown(1.0))).isBetween(0.01, 5.0);
    assertThat(BlockRates.of(pattern).bitsPerKey(1e-300)).isGreaterThan(1e200).isFinite();
    assertThatThrownBy(() -> BlockRates.of(pattern).blocksFor(10, 1e-300))
        .hasMessageContaining("2x3")
        .hasMessageContaining("CLASSIC");
  }

  @Test
  void onlyPatternsThatExistAreAccepted() {
    assertThatThrownBy(() -> new Pattern(3, 1)).hasMessageContaining("1, 2, 4 or 8");
    assertThatThrownBy(() -> new Pattern(16, 1)).hasMessageContaining("16");
    assertThatThrownBy(() -> new Pattern(2, 0)).hasMessageContaining("0");
    assertThatThrownBy(() -> new Pattern(2, 7)).hasMessageContaining("7");
    assertThatThrownBy(() -> BlockRates.of(new Pattern(2, 3)).fpp(0, 1))
        .hasMessageContaining("blocks");
  }

  @Test
  void thePatternFollowsFromTheRate() {
    assertThat(Layout.Family.BLOCKED.forFpp(0.05).pattern()).hasToString("2x2");
    assertThat(Layout.Family.BLOCKED.forFpp(0.03).pattern()).hasToString("2x2");
    assertThat(Layout.Family.BLOCKED.forFpp(0.02).pattern()).hasToString("2x3");
    assertThat(Layout.Family.BLOCKED.forFpp(0.01).pattern()).hasToString("2x3");
    assertThat(Layout.Family.BLOCKED.forFpp(0.005).pattern()).hasToString("4x2");
    assertThat(Layout.Family.BLOCKED.forFpp(0.001).pattern()).hasToString("4x2");
    assertThat(Layout.Family.BLOCKED.forFpp(1e-4).pattern()).hasToString("4x3");
    assertThat(Layout.Family.BLOCKED.forFpp(1e-5).pattern()).hasToString("8x2");
    assertThat(Layout.Family.BLOCKED.forFpp(1e-9).pattern()).hasToString("8x2");
  }

  /** The worst cost of the rule compared with the best of all patterns. */
  @Test
  void theRuleLosesAFewPerCentOfBits() {
    String[] chosen = {"2x2", "2x3", "4x2", "4x3", "8x2"};
    double[][] bands = {
      {0.15, 0.014}, {0.025, 0.052}, {0.005, 0.036}, {2e-4, 0.036}, {1e-5, 0.013}
    };
    for (int i = 0; i < bands.length; i++) {
      double to = i + 1 < bands.length ? bands[i + 1][0] : 1e-8;
      for (int step = 1; step <= 40; step++) {
        double fpp = bands[i][0] * Math.pow(to / bands[i][0], (step - 0.5) / 40);
        double least =
            patterns(5).stream()
                .mapToDouble(p -> BlockRates.of(p).bitsPerKey(fpp))
                .min()
                .orElseThrow();
        Pattern pattern = Layout.Family.BLOCKED.forFpp(fpp).pattern();
        assertThat(pattern).hasToString(chosen[i]);
        assertThat(BlockRates.of(pattern).bitsPerKey(fpp) / least - 1).isLessThan(bands[i][1]);
      }
    }
  }

  /** Bits per key of eight patterns, to the second decimal. */
  @Test
  void bitsPerKeyAreThoseOfTheTable() {
    String[] names = {"8x1", "2x2", "2x3", "2x4", "4x1", "4x2", "4x3", "8x2"};
    double[][] table = {
      {0.05, 7.05, 6.39, 6.64, 7.18, 6.33, 7.04, 8.21, 9.45},
      {0.01, 10.10, 11.03, 10.27, 10.52, 10.79, 10.11, 11.15, 12.40},
      {0.004, 12.13, 14.75, 12.89, 12.82, 14.30, 12.17, 13.00, 14.19},
      {0.001, 15.72, 22.67, 17.96, 17.04, 21.56, 15.82, 16.14, 17.15},
      {1e-4, 23.61, 46.64, 30.84, 26.96, 42.10, 23.90, 22.56, 22.88},
      {1e-5, 34.98, 101.54, 53.80, 42.77, 83.54, 35.71, 31.06, 30.00},
      {1e-6, 51.87, 250.56, 98.10, 69.40, 174.28, 53.54, 42.60, 39.01}
    };
    for (double[] row : table) {
      for (int i = 0; i < names.length; i++) {
        assertThat(BlockRates.of(Pattern.of(names[i])).bitsPerKey(row[0]))
            .isCloseTo(row[i + 1], within(0.0051));
      }
    }
  }
}
