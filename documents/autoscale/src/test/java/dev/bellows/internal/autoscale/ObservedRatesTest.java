package dev.bellows.internal.autoscale;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.bellows.Means;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.autoscale.ToyCounters;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ObservedRatesTest {
  private static final int[][] SETTINGS = {
    {10_000, 100, 500},
    {10_000, 100, 1000},
    {10_000, 20, 3000},
    {4096, 8, 2000},
    {1024, 8, 2000},
    {2000, 30, 300},
    {1000, 100, 50},
    {200, 20, 40},
    {100, 20, 30},
    {50, 10, 20},
    {5000, 50, 250},
    {3000, 5, 3000},
  };

  @TestFactory
  Stream<DynamicTest> predictionsHoldInSimulation() {
    return Stream.of(SETTINGS)
        .map(
            s -> dynamicTest(s[0] + " bits, " + s[1] + " hashes, " + s[2] + " keys", () -> run(s)));
  }

  private static void run(int[] setting) {
    int bits = setting[0];
    int hashes = setting[1];
    int keys = setting[2];
    ThresholdPlan plan = ThresholdPlan.tune(bits, hashes, keys, Criterion.accuracy(), 0.8);
    int filters = 24 + 20_000 / (keys + bits / 10);
    Means tpr = new Means();
    Means fpr = new Means();
    Means surprise = new Means();
    for (int seed = 0; seed < filters; seed++) {
      ToyCounters toy = new ToyCounters(bits, hashes, keys, 1000 + seed);
      double observed = ObservedRates.fpr(bits, hashes, toy.ones(plan.theta()), plan.decision());
      int queries = 500;
      int accepted = toy.falsePositives(queries, plan.theta(), plan.decision());
      assertThat(ToyCounters.plausible(accepted, queries, observed))
          .as("%s of %s where %s was predicted", accepted, queries, observed)
          .isTrue();
      double measured = toy.measuredTpr(plan.theta(), plan.decision());
      tpr.add(measured);
      fpr.add(observed);
      surprise.add(measured - tpr(toy.histogram(), hashes, plan.theta(), plan.decision()));
    }
    // the model of independent positions is off by up to 0.015 once k/m reaches 0.1 (erratum A11)
    double bias = hashes * 10 >= bits ? 0.015 : 0.003;
    tpr.assertMean(plan.tpr(), bias);
    fpr.assertMean(plan.fpr(), bias);
    surprise.assertMean(0, bias / 3);
  }

  @Test
  void fprIsTheHypergeometricTail() {
    for (int[] v : new int[][] {{20, 3, 6}, {50, 10, 30}, {50, 10, 45}, {12, 12, 5}, {9, 4, 0}}) {
      int bits = v[0];
      int hashes = v[1];
      int ones = v[2];
      BigInteger tail = BigInteger.ZERO;
      for (int decision = hashes; decision >= 0; decision--) {
        tail = tail.add(choose(ones, decision).multiply(choose(bits - ones, hashes - decision)));
        BigDecimal exact =
            new BigDecimal(tail).divide(new BigDecimal(choose(bits, hashes)), new MathContext(30));
        assertClose(ObservedRates.fpr(bits, hashes, ones, decision), exact, CLOSED_FORM);
      }
    }
  }

  private static BigInteger choose(int n, int r) {
    if (r > n) {
      return BigInteger.ZERO;
    }
    BigInteger result = BigInteger.ONE;
    for (int i = 0; i < r; i++) {
      result = result.multiply(BigInteger.valueOf(n - i)).divide(BigInteger.valueOf(i + 1));
    }
    return result;
  }

  @Test
  void hugeFiltersDrawAsIfWithRepetition() {
    long bits = 1L << 40;
    long ones = bits / 3;
    assertClose(ObservedRates.fpr(bits, 20, ones, 20), Math.pow((double) ones / bits, 20), 1e-9);
  }

  /** The share of all increments that went to counters above theta. */
  private static double storedHit(long[] histogram, long theta) {
    double hits = 0;
    double all = 0;
    for (int count = 1; count < histogram.length; count++) {
      double increments = (double) count * histogram[count];
      all += increments;
      hits += count > theta ? increments : 0;
    }
    return hits / all;
  }

  private static double tpr(long[] histogram, int hashes, long theta, int decision) {
    long bits = Arrays.stream(histogram).sum();
    return ObservedRates.tpr(bits, hashes, storedHit(histogram, theta), decision);
  }

  @Test
  void storedHitIsTheMeanOverStoredKeys() {
    ToyCounters toy = new ToyCounters(500, 12, 90, 7);
    for (int theta = 0; theta < 6; theta++) {
      long hits = 0;
      for (int[] key : toy.stored) {
        hits += toy.hits(key, theta);
      }
      assertClose(storedHit(toy.histogram(), theta), hits / (90.0 * 12), CLOSED_FORM);
    }
  }

  @Test
  void thetaZeroMissesNothing() {
    ToyCounters toy = new ToyCounters(500, 12, 90, 7);
    assertThat(tpr(toy.histogram(), 12, 0, 12)).isEqualTo(1);
    assertThat(tpr(toy.histogram(), 12, 1000, 1)).isZero();
    assertThat(tpr(toy.histogram(), 12, 1000, 0)).isEqualTo(1);
  }

  @Test
  void emptyCountersHaveNoStoredKeys() {
    assertThat(storedHit(new long[] {50}, 0)).isNaN();
    assertThat(tpr(new long[] {50}, 3, 0, 3)).isNaN();
    assertThat(ObservedRates.fpr(50, 3, 0, 1)).isZero();
    assertThat(ObservedRates.fpr(50, 3, 0, 0)).isEqualTo(1);
    assertThat(ObservedRates.fpr(50, 3, 50, 3)).isEqualTo(1);
  }

  @Test
  void invalidArgumentsAreRefused() {
    assertThatThrownBy(() -> ObservedRates.fpr(10, 3, 11, 1)).hasMessageContaining("ones");
    assertThatThrownBy(() -> ObservedRates.fpr(10, 3, 1, 4)).hasMessageContaining("decision");
    assertThatThrownBy(() -> tpr(new long[] {1, 1}, 3, 0, 1)).hasMessageContaining("3 hashes");
  }

  /** No position of a key is among E erased ones of Z: C(Z-k, E) / C(Z, E) (erratum A10). */
  @Test
  void survivalOfErasureIsARatioOfBinomialCoefficients() {
    for (int[] v : new int[][] {{20, 3, 5}, {9934, 100, 10}, {200, 7, 150}, {50, 50, 0}}) {
      BigDecimal exact =
          new BigDecimal(choose(v[0] - v[1], v[2]))
              .divide(new BigDecimal(choose(v[0], v[2])), new MathContext(30));
      assertClose(1 - new Hypergeometric(v[0], v[2], v[1]).atLeast(1), exact, 1e-10);
    }
    assertThat(new Hypergeometric(20, 18, 3).atLeast(1)).isEqualTo(1);
  }
}
