package dev.bellows.internal.autoscale;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.plan.Oracles;
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
          assertClose(DistinctRates.emptyShare(m, k, n), c.expected("eq9"), CLOSED_FORM);
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
            return; // a range of numbers of keys, of which RebuiltBloomFilter has the hashes
          }
          long n = c.integer("n");
          int hashes = (Integer) c.expected("k");
          double fpp = DistinctRates.fpp(m, hashes, n);
          assertClose(fpp, c.expected("FPR_eq9"), CLOSED_FORM);
          assertClose(BloomRates.fppClassic(m, n, hashes), c.expected("FPR_eq10"), CLOSED_FORM);
          assertClose(
              new ThresholdPlan.Rates(1, 0, fpp).accuracy(), c.expected("ACC_eq9"), CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> fixedHashes() {
    return Oracles.cases(
        "004_abf",
        "nonoptimised_bf_and_rbf",
        (c, all) -> {
          double fpp = DistinctRates.fpp(c.integer("m"), c.small("k"), c.integer("n"));
          assertClose(fpp, c.expected("BF_FPR"), CLOSED_FORM);
          assertClose(
              new ThresholdPlan.Rates(1, 0, fpp).accuracy(), c.expected("ACC_BF"), CLOSED_FORM);
        });
  }

  @Test
  void edges() {
    assertThat(DistinctRates.fpp(10, 10, 3)).isEqualTo(1);
    assertThat(DistinctRates.fpp(10, 10, 0)).isZero();
    assertThat(DistinctRates.emptyShare(10, 10, 0)).isEqualTo(1);
    assertThat(DistinctRates.emptyShare(10, 10, 1)).isZero();
  }

  @Test
  void invalidArgumentsAreRefused() {
    assertThatThrownBy(() -> DistinctRates.fpp(10, 11, 3)).hasMessageContaining("11 hashes");
  }
}
