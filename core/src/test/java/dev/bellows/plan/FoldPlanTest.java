package dev.bellows.plan;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bellows.Layout;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.math.Divisors;
import dev.bellows.plan.FoldPlan.Bounds;
import dev.bellows.plan.FoldPlan.Status;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class FoldPlanTest {
  @TestFactory
  Stream<DynamicTest> bounds() {
    return Oracles.cases(
        "000_folding",
        "fold_bounds",
        (c, all) -> {
          Bounds bounds =
              FoldPlan.bounds(
                  new Layout.Classic(c.small("k")), c.integer("n"), c.real("rho"), c.real("eps"));
          assertClose(bounds.low(), c.expected("lo"), CLOSED_FORM);
          assertUpper(bounds.high(), c.expected("hi"));
        });
  }

  @TestFactory
  @SuppressWarnings("unchecked")
  Stream<DynamicTest> plan() {
    return Oracles.cases(
        "000_folding",
        "fold_plan",
        (c, all) -> {
          FoldPlan plan =
              FoldPlan.of(
                  new Layout.Classic(c.small("k")),
                  c.integer("m1"),
                  c.integer("n"),
                  c.real("rho"),
                  c.real("eps"));
          assertClose(plan.low(), c.expected("lo"), CLOSED_FORM);
          assertUpper(plan.high(), c.expected("hi"));
          assertThat(plan.admissible())
              .isEqualTo(
                  ((List<Number>) c.expected("admissible"))
                      .stream().map(Number::longValue).toList());
          assertThat(plan.target()).isEqualTo(((Number) c.expected("target")).longValue());
          assertThat(plan.factor()).isEqualTo(((Number) c.expected("factor")).longValue());
          assertThat(plan.status().word()).isEqualTo(c.expected("status"));
          assertClose(plan.fppAtTarget(), c.expected("fpr_at_target"), CLOSED_FORM);
        });
  }

  @TestFactory
  @SuppressWarnings("unchecked")
  Stream<DynamicTest> divisors() {
    return Oracles.cases(
        "000_folding",
        "factorization_and_divisors",
        (c, all) -> {
          long number = c.integer("m");
          List<String> factors =
              Divisors.factorize(number).entrySet().stream()
                  .map(e -> e.getKey() + "^" + e.getValue())
                  .toList();
          assertThat(factors)
              .isEqualTo(
                  ((java.util.Map<String, Number>) c.expected("factors"))
                      .entrySet().stream().map(e -> e.getKey() + "^" + e.getValue()).toList());
          assertThat(Divisors.count(number))
              .isEqualTo(((Number) c.expected("count")).longValue())
              .isEqualTo(Divisors.of(number).length);
          if (c.expected("divisors") != null) {
            assertThat(Divisors.of(number))
                .containsExactly(
                    ((List<Number>) c.expected("divisors"))
                        .stream().mapToLong(Number::longValue).toArray());
          }
        });
  }

  @Test
  void theTargetIsTheSmallestSizeThatHoldsTheUpperRate() {
    SplittableRandom random = new SplittableRandom(7);
    for (int round = 0; round < 400; round++) {
      long capacity = random.nextLong(1, 20000);
      long keys = random.nextLong(1, 2000);
      int hashes = random.nextInt(1, 12);
      double fpp = random.nextDouble(0.0001, 0.5);
      double tolerance = fpp * random.nextDouble(0, 1.2);
      FoldPlan plan = FoldPlan.of(new Layout.Classic(hashes), capacity, keys, fpp, tolerance);

      long brute =
          Arrays.stream(Divisors.of(capacity))
              .filter(m -> BloomRates.fppClassic(m, keys, hashes) <= fpp + tolerance)
              .findFirst()
              .orElse(-1);
      long[] inBand =
          Arrays.stream(Divisors.of(capacity))
              .filter(m -> BloomRates.fppClassic(m, keys, hashes) <= fpp + tolerance)
              .filter(m -> BloomRates.fppClassic(m, keys, hashes) >= fpp - tolerance)
              .toArray();
      assertThat(plan.admissible()).isEqualTo(Arrays.stream(inBand).boxed().toList());
      if (brute == -1) {
        assertThat(plan.status()).isEqualTo(Status.OVER_CAPACITY);
        assertThat(plan.target()).isEqualTo(capacity);
        assertThat(plan.factor()).isOne();
      } else {
        assertThat(plan.target()).isEqualTo(brute);
        assertThat(plan.status())
            .isEqualTo(inBand.length > 0 ? Status.ADMISSIBLE : Status.SMALLEST_ABOVE);
      }
    }
  }

  @Test
  void theTargetOfBlocksIsTheSmallestSizeThatHoldsTheUpperRate() {
    SplittableRandom random = new SplittableRandom(8);
    for (int round = 0; round < 60; round++) {
      long capacity = 512 * random.nextLong(1, 600);
      long keys = random.nextLong(1, 6000);
      double fpp = random.nextDouble(0.001, 0.3);
      double tolerance = fpp * random.nextDouble(0, 1.2);
      FoldPlan plan =
          FoldPlan.of(Layout.Family.BLOCKED.withHashes(8), capacity, keys, fpp, tolerance);

      assertThat(plan.target() % 512).isZero();
      long[] ladder = FoldPlan.ladder(capacity, 512);
      long brute =
          Arrays.stream(ladder)
              .filter(m -> Layout.Family.BLOCKED.withHashes(8).fpp(m, keys) <= fpp + tolerance)
              .findFirst()
              .orElse(capacity);
      assertThat(plan.target()).isEqualTo(brute);
      assertThat(plan.admissible())
          .isEqualTo(
              Arrays.stream(ladder)
                  .filter(m -> Layout.Family.BLOCKED.withHashes(8).fpp(m, keys) <= fpp + tolerance)
                  .filter(m -> Layout.Family.BLOCKED.withHashes(8).fpp(m, keys) >= fpp - tolerance)
                  .boxed()
                  .toList());
      assertThat(plan.fppAtTarget())
          .isEqualTo(Layout.Family.BLOCKED.withHashes(8).fpp(brute, keys));
    }
  }

  @Test
  void noDivisorInsideTheBandTakesTheNextAbove() {
    FoldPlan plan = FoldPlan.of(new Layout.Classic(4), 55440, 2000, 0.01, 0.002);
    assertThat(plan.admissible()).isEmpty();
    assertThat(plan.status()).isEqualTo(Status.SMALLEST_ABOVE);
    assertThat(plan.target()).isEqualTo(27720);
    assertThat(plan.fppAtTarget()).isLessThan(0.008);
  }

  @Test
  void tooManyKeysKeepTheCapacity() {
    FoldPlan plan = FoldPlan.of(new Layout.Classic(4), 1024, 1000, 0.01, 0.001);
    assertThat(plan.status().word()).isEqualTo("over-capacity");
    assertThat(plan.target()).isEqualTo(1024);
    assertThat(plan.factor()).isOne();
  }

  @Test
  void anEmptyFilterFoldsToTheSmallestSize() {
    FoldPlan reachesZero = FoldPlan.of(new Layout.Classic(4), 840, 0, 0.01, 0.01);
    assertThat(reachesZero.status()).isEqualTo(Status.ADMISSIBLE);
    assertThat(reachesZero.admissible()).hasSize(32);
    assertThat(reachesZero.target()).isOne();
    assertThat(reachesZero.fppAtTarget()).isZero();

    FoldPlan neverFullEnough = FoldPlan.of(new Layout.Classic(4), 840, 0, 0.01, 0.005);
    assertThat(neverFullEnough.status()).isEqualTo(Status.SMALLEST_ABOVE);
    assertThat(neverFullEnough.target()).isOne();
    assertThat(FoldPlan.of(Layout.Family.BLOCKED.withHashes(8), 512 * 6, 0, 0.01, 0.005).target())
        .isEqualTo(512);
  }

  @Test
  void aBandThatReachesOneAdmitsTheSmallestSize() {
    FoldPlan plan = FoldPlan.of(new Layout.Classic(4), 840, 40, 0.6, 0.4);
    assertThat(plan.low()).isOne();
    assertThat(plan.target()).isOne();
    assertThat(plan.status()).isEqualTo(Status.ADMISSIBLE);
    assertThat(plan.fppAtTarget()).isOne();
  }

  @Test
  void aSizeExactlyOnTheBoundIsInside() {
    // one key, one hash: the rate of m bits is 1/m
    assertThat(FoldPlan.of(new Layout.Classic(1), 12, 1, 0.5, 0.25).admissible())
        .containsExactly(2L, 3L, 4L);
    assertThat(FoldPlan.of(new Layout.Classic(1), 12, 1, 0.25, 0.0).admissible())
        .containsExactly(4L);
  }

  @Test
  void hugeFiltersKeepTheirDigits() {
    Bounds bounds = FoldPlan.bounds(new Layout.Classic(7), 1_000_000_000_000L, 0.01, 0.001);
    double perKey = BloomRates.bitsPerKey(7, 0.011);
    assertClose(bounds.low() / 1e12, perKey, 1e-11);
    assertThat(BloomRates.bitsAt(1, 1, 0.5)).isEqualTo(2);
  }

  @Test
  void hostileArgumentsAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FoldPlan.of(new Layout.Classic(4), 840, 40, 0.01, -0.1))
        .withMessageContaining("-0.1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FoldPlan.of(new Layout.Classic(4), 840, 40, 0.01, Double.NaN))
        .withMessageContaining("NaN");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FoldPlan.of(new Layout.Classic(4), 840, 40, 0, 0.1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FoldPlan.of(new Layout.Classic(4), 840, -1, 0.1, 0.1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FoldPlan.of(new Layout.Classic(4), 0, 1, 0.1, 0.1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FoldPlan.of(new Layout.Classic(0), 840, 1, 0.1, 0.1));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FoldPlan.of(Layout.Family.BLOCKED.withHashes(8), 840, 40, 0.01, 0.001))
        .withMessageContaining("840")
        .withMessageContaining("512")
        .withMessageContaining("1024");
  }

  private static void assertUpper(double actual, Object expected) {
    if (expected == null) {
      assertThat(actual).isInfinite();
    } else {
      assertClose(actual, expected, CLOSED_FORM);
    }
  }
}
