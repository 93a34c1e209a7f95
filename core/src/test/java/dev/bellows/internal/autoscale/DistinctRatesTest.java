package dev.bellows.internal.autoscale;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.plan.Oracles;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class DistinctRatesTest {
  @TestFactory
  Stream<DynamicTest> emptyShares() {
    return Oracles.cases(
        "004_abf",
        "p0_distinct_and_with_replacement",
        (c, all) -> {
          long m = c.integer("m");
          int k = c.small("k");
          long n = c.integer("n");
          double distinct = DistinctRates.emptyShare(m, k, n);
          double repeating = DistinctRates.emptyShareWithReplacement(m, k, n);
          assertClose(distinct, c.expected("eq9"), CLOSED_FORM);
          assertClose(repeating, c.expected("eq10"), CLOSED_FORM);
          assertClose(distinct / repeating, c.expected("ratio"), CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> rebuiltFilter() {
    return Oracles.cases(
        "004_abf",
        "optimised_bf",
        (c, all) -> {
          long m = c.integer("m");
          if (c.in().get("n") instanceof String) {
            Set<Integer> hashes = new TreeSet<>();
            for (int n = 50; n <= 5000; n += 50) {
              hashes.add(DistinctRates.roundedHashes(m, n));
            }
            assertThat(hashes).hasSize((Integer) c.expected("distinct_k"));
            assertThat(hashes).contains((Integer) c.expected("k_min"));
            assertThat(hashes).contains((Integer) c.expected("k_max"));
            return;
          }
          long n = c.integer("n");
          int hashes = DistinctRates.roundedHashes(m, n);
          assertThat(hashes).isEqualTo(c.expected("k"));
          double fpp = DistinctRates.fpp(m, hashes, n);
          assertClose(fpp, c.expected("FPR_eq9"), CLOSED_FORM);
          assertClose(BloomRates.fppClassic(m, n, hashes), c.expected("FPR_eq10"), CLOSED_FORM);
          assertClose(
              new ThresholdPlan.Rates(1, 0, fpp).accuracy(), c.expected("ACC_eq9"), CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> retouchedFilter() {
    return Oracles.cases(
        "004_abf",
        "nonoptimised_bf_and_rbf",
        (c, all) -> {
          double fpp = DistinctRates.fpp(c.integer("m"), c.small("k"), c.integer("n"));
          double survival = DistinctRates.survivalOfErasure(c.small("k"), c.real("e"));
          assertClose(fpp, c.expected("BF_FPR"), CLOSED_FORM);
          assertClose(survival, c.expected("RBF_TPR"), CLOSED_FORM);
          assertClose(fpp * survival, c.expected("RBF_FPR"), CLOSED_FORM);
          assertClose(
              new ThresholdPlan.Rates(1, 0, fpp).accuracy(), c.expected("ACC_BF"), CLOSED_FORM);
        });
  }

  @Test
  void survivalOfErasureIsARatioOfBinomialCoefficients() {
    for (int[] v : new int[][] {{20, 3, 5}, {9934, 100, 10}, {200, 7, 150}, {50, 50, 0}}) {
      BigDecimal exact =
          new BigDecimal(choose(v[0] - v[1], v[2]))
              .divide(new BigDecimal(choose(v[0], v[2])), new MathContext(30));
      assertClose(DistinctRates.survivalOfErasure(v[0], v[1], v[2]), exact, CLOSED_FORM);
    }
    assertThat(DistinctRates.survivalOfErasure(20, 3, 18)).isZero();
    assertThat(DistinctRates.survivalOfErasure(3, 1.0)).isZero();
    assertThat(DistinctRates.survivalOfErasure(3, 0.0)).isEqualTo(1);
  }

  private static BigInteger choose(int n, int r) {
    BigInteger result = BigInteger.ONE;
    for (int i = 0; i < r; i++) {
      result = result.multiply(BigInteger.valueOf(n - i)).divide(BigInteger.valueOf(i + 1));
    }
    return result;
  }

  @Test
  void edges() {
    assertThat(DistinctRates.fpp(10, 10, 3)).isEqualTo(1);
    assertThat(DistinctRates.fpp(10, 10, 0)).isZero();
    assertThat(DistinctRates.emptyShare(10, 10, 0)).isEqualTo(1);
    assertThat(DistinctRates.emptyShare(10, 10, 1)).isZero();
    assertThat(DistinctRates.emptyShareWithReplacement(1, 1, 1)).isZero();
    assertThat(DistinctRates.roundedHashes(100, 1_000_000)).isEqualTo(1);
    assertThat(DistinctRates.roundedHashes(100, 1)).isEqualTo(69);
  }

  @Test
  void invalidArgumentsAreRefused() {
    assertThatThrownBy(() -> DistinctRates.fpp(10, 11, 3)).hasMessageContaining("11 hashes");
    assertThatThrownBy(() -> DistinctRates.survivalOfErasure(3, 1.5))
        .hasMessageContaining("erasedShare");
    assertThatThrownBy(() -> DistinctRates.survivalOfErasure(2, 3, 1))
        .hasMessageContaining("ones must be at least 3: 2");
    assertThatThrownBy(() -> DistinctRates.survivalOfErasure(20, 3, 21))
        .hasMessageContaining("erased");
  }
}
