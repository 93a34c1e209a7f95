package dev.bellows.internal.autoscale;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.OracleRates;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.internal.autoscale.ThresholdRates.Hits;
import dev.bellows.internal.math.Binomial;
import dev.bellows.plan.Oracles;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ThresholdRatesTest {
  /** The probability that a counter holds the count (Autoscaling paper, Eq. 8). */
  private static double countProbability(long bits, int hashes, long keys, long count) {
    return Binomial.ofRatio(keys, hashes, bits).probability(count);
  }

  @TestFactory
  Stream<DynamicTest> countProbability() {
    return Oracles.cases(
        "004_abf",
        "pr_I_equals_v",
        (c, all) -> {
          long bits = c.integer("m");
          int hashes = c.small("k");
          long keys = c.integer("n");
          long count = c.integer("v");
          assertClose(countProbability(bits, hashes, keys, count), c.out(), CLOSED_FORM);
          assertClose(
              bits * countProbability(bits, hashes, keys, count),
              all.get("expected_positions"),
              CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> hits() {
    return Oracles.cases(
        "004_abf",
        "P1_px_py",
        (c, all) -> {
          long m = c.integer("m");
          int k = c.small("k");
          long n = c.integer("n");
          long theta = c.integer("theta");
          Hits hits = ThresholdRates.hits(m, k, n, theta);
          assertClose(hits.absentMiss(), c.expected("P0"), CLOSED_FORM);
          assertClose(hits.absent(), c.expected("P1"), CLOSED_FORM);
          assertClose(hits.stored(), c.expected("px"), CLOSED_FORM);
          assertClose(hits.absent(), c.expected("py"), CLOSED_FORM);
          assertClose(k * hits.stored(), c.expected("d_x"), CLOSED_FORM);
          assertClose(k * hits.absent(), c.expected("d_y"), CLOSED_FORM);
          assertClose(hits.gap(), c.expected("px_minus_py"), CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> rates() {
    return Oracles.cases(
        "004_abf",
        "tpr_fpr_acc",
        (c, all) -> {
          ThresholdPlan.Rates rates =
              ThresholdPlan.rates(
                  c.integer("m"), c.small("k"), c.integer("n"), c.integer("theta"), c.small("T"));
          OracleRates.assertRates(rates, c);
        });
  }

  @Test
  @SuppressWarnings("unchecked")
  void degenerateCallsMatchTheOracle() {
    int seen = 0;
    for (Oracles.Case c : Oracles.cases("invalid_or_degenerate", "must_reject_or_define")) {
      if (!"abf".equals(c.in().get("op"))) {
        continue;
      }
      seen++;
      if (c.in().containsKey("T")) {
        Map<String, Object> out = (Map<String, Object>) c.out();
        ThresholdPlan.Rates rates = ThresholdPlan.rates(100, 3, c.integer("n"), 0, c.small("T"));
        assertThat(out.get("TPR")).isNull();
        assertThat(rates.tpr()).isNaN();
        assertThat(rates.fpr()).isEqualTo(out.get("FPR"));
      } else {
        assertThatThrownBy(
                () -> ThresholdPlan.rates(c.integer("m"), c.small("k"), 5, 0, c.small("k")))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("11 hashes")
            .hasMessageContaining("10 bits");
      }
    }
    assertThat(seen).isEqualTo(2);
  }

  private record Large(
      long bits,
      int hashes,
      long keys,
      long theta,
      int decision,
      double count,
      double stored,
      double absent,
      double tpr,
      double fnr,
      double fpr) {}

  /** Computed with 60 digits. */
  private static final List<Large> LARGE =
      List.of(
          new Large(
              10_000L,
              100,
              1_000_000L,
              9990L,
              55,
              0.0039912577728059202745,
              0.5413379104987392827,
              0.53738652539108369357,
              0.47183093647770061606,
              0.52816906352229938394,
              0.44033600849672490734),
          new Large(
              10_000L,
              100,
              1_000_000L,
              10_500L,
              3,
              1.5752895477934728308e-8,
              3.1569118252220454253e-7,
              3.0010369244678812887e-7,
              5.087300615071604693e-15,
              0.9999999999999949127,
              4.3703332569960464828e-15),
          new Large(
              1L << 27,
              20,
              1_000_000L,
              0L,
              20,
              0.86155910090425977372,
              1.0,
              0.13844089909574022628,
              1.0,
              0.0,
              6.6878761593069034355e-18),
          new Large(
              1L << 27,
              20,
              1_000_000L,
              1L,
              3,
              0.1283823295364661977,
              0.13844077071341068982,
              0.010058569559274028586,
              0.536898847860385098,
              0.463101152139614902,
              0.0010205515176600495903),
          new Large(
              1L << 27,
              20,
              1_000_000_000L,
              148L,
              12,
              0.032661793527017492561,
              0.5439356812138398511,
              0.51127389252076780054,
              0.39298580369399411064,
              0.60701419630600588936,
              0.2852972016725191993),
          new Large(
              1L << 30,
              7,
              1_000_000_000L,
              9L,
              6,
              0.086445564253323971656,
              0.21072017740374728465,
              0.12427461392843339128,
              0.00050213624716139195784,
              0.99949786375283860804,
              0.000023039703075714194343),
          new Large(
              10_000L,
              100,
              1_000_000_000L,
              9_998_000L,
              80,
              0.00010360802865018370444,
              0.73753569786333820922,
              0.73743312570775847005,
              0.093227723029485616095,
              0.90677227697051438391,
              0.092848541142564786784),
          new Large(
              10_000L,
              100,
              1_000_000_000L,
              10_030_000L,
              1,
              2.4060370232531443306e-24,
              7.8786476082211874824e-22,
              7.8548285635020883295e-22,
              7.8786476082211874821e-20,
              0.99999999999999999992,
              7.8548285635020883292e-20),
          new Large(
              3L,
              2,
              1_000_000_000L,
              666_660_000L,
              2,
              0.000024215020872879145022,
              0.67263661744009705288,
              0.67262854560503928735,
              0.4524400191212554748,
              0.5475599808787445252,
              0.4524291603627504164),
          new Large(
              10_000L,
              100,
              100_000_000L,
              990_000L,
              100,
              3.9668797179458283493e-26,
              1.0,
              1.0,
              1.0,
              3.8509239161205117403e-22,
              1.0));

  @TestFactory
  Stream<DynamicTest> manyKeysKeepTheirDigits() {
    return LARGE.stream()
        .map(
            l ->
                dynamicTest(
                    l.keys + " keys, theta " + l.theta,
                    () -> {
                      assertClose(
                          countProbability(l.bits, l.hashes, l.keys, l.theta),
                          l.count,
                          CLOSED_FORM);
                      assertClose(
                          ThresholdRates.hits(l.bits, l.hashes, l.keys, l.theta).stored(),
                          l.stored,
                          CLOSED_FORM);
                      assertClose(
                          ThresholdRates.hits(l.bits, l.hashes, l.keys, l.theta).absent(),
                          l.absent,
                          CLOSED_FORM);
                      ThresholdPlan.Rates rates =
                          ThresholdPlan.rates(l.bits, l.hashes, l.keys, l.theta, l.decision);
                      assertClose(rates.tpr(), l.tpr, CLOSED_FORM);
                      assertClose(rates.fnr(), l.fnr, CLOSED_FORM);
                      assertClose(rates.fpr(), l.fpr, CLOSED_FORM);
                    }));
  }

  @Test
  void agreesWithThePrintedFormulasInExactArithmetic() {
    for (int[] shape : new int[][] {{7, 3, 5}, {20, 3, 4}, {50, 10, 20}, {64, 63, 40}, {9, 9, 6}}) {
      int m = shape[0];
      int k = shape[1];
      int n = shape[2];
      BigDecimal zeros = BigDecimal.ZERO;
      BigDecimal decrement = BigDecimal.ZERO;
      for (int theta = 0; theta <= n + 1; theta++) {
        BigDecimal at = exactCount(m, k, n, theta);
        zeros = zeros.add(at);
        decrement = decrement.add(at.multiply(BigDecimal.valueOf(theta)));
        // Autoscaling paper, Eq. 17 as printed
        BigDecimal printed =
            BigDecimal.ONE.subtract(
                decrement
                    .multiply(BigDecimal.valueOf(m))
                    .divide(BigDecimal.valueOf((long) n * k), MathContext.DECIMAL128));
        assertThat(countProbability(m, k, n, theta))
            .isCloseTo(at.doubleValue(), within(at.doubleValue()));
        assertThat(ThresholdRates.hits(m, k, n, theta).stored())
            .isCloseTo(printed.doubleValue(), within(0.1));
        double ones = BigDecimal.ONE.subtract(zeros).doubleValue();
        assertThat(ThresholdRates.hits(m, k, n, theta).absent()).isCloseTo(ones, within(ones));
        assertThat(ThresholdRates.hits(m, k, n, theta).absentMiss())
            .isCloseTo(zeros.doubleValue(), within(zeros.doubleValue()));
      }
    }
  }

  private static org.assertj.core.data.Offset<Double> within(double size) {
    return org.assertj.core.data.Offset.offset(1e-13 * size + 1e-30);
  }

  private static BigDecimal exactCount(int m, int k, int n, int v) {
    if (v > n) {
      return BigDecimal.ZERO;
    }
    BigInteger choose = BigInteger.ONE;
    for (int i = 0; i < v; i++) {
      choose = choose.multiply(BigInteger.valueOf(n - i)).divide(BigInteger.valueOf(i + 1));
    }
    BigInteger ways =
        choose
            .multiply(BigInteger.valueOf(k).pow(v))
            .multiply(BigInteger.valueOf(m - k).pow(n - v));
    return new BigDecimal(ways)
        .divide(new BigDecimal(BigInteger.valueOf(m).pow(n)), new MathContext(60));
  }

  @Test
  void nothingUnderflowsBeforeItMust() {
    // (1 - p)^n is 1e-436 here and invisible; the middle of the distribution is not
    double sum = 0;
    for (int v = 0; v <= 2000; v++) {
      sum += countProbability(10_000, 100, 100_000, v);
    }
    assertThat(sum).isCloseTo(1, org.assertj.core.data.Offset.offset(1e-13));
    assertThat(countProbability(10_000, 100, 100_000, 0)).isZero();
  }

  @Test
  void hitsAreProbabilitiesInTheRightOrder() {
    for (long keys : new long[] {1, 2, 17, 1000, 1_000_000}) {
      for (long theta = 0; theta < 300; theta += 3) {
        double stored = ThresholdRates.hits(1000, 30, keys, theta).stored();
        double absent = ThresholdRates.hits(1000, 30, keys, theta).absent();
        assertThat(stored).isBetween(absent, 1.0);
        assertThat(absent).isBetween(0.0, 1.0);
      }
    }
  }

  @Test
  void withoutKeysNothingIsFoundAndNothingCanBeMissed() {
    assertThat(ThresholdRates.hits(100, 3, 0, 0).absent()).isZero();
    assertThat(ThresholdRates.hits(100, 3, 0, 0).absentMiss()).isEqualTo(1);
    assertThat(ThresholdRates.hits(100, 3, 0, 0).stored()).isNaN();
    assertThat(ThresholdPlan.rates(100, 3, 0, 0, 0).fpr()).isEqualTo(1);
    assertThat(ThresholdPlan.rates(100, 3, 0, 5, 3).fpr()).isZero();
    assertThat(countProbability(100, 3, 0, 0)).isEqualTo(1);
  }

  @Test
  void asManyHashesAsBitsCarryNoInformation() {
    assertThat(countProbability(10, 10, 5, 5)).isEqualTo(1);
    assertThat(countProbability(10, 10, 5, 4)).isZero();
    assertThat(ThresholdPlan.rates(10, 10, 5, 4, 10)).isEqualTo(new ThresholdPlan.Rates(1, 0, 1));
    assertThat(ThresholdPlan.rates(10, 10, 5, 5, 1)).isEqualTo(new ThresholdPlan.Rates(0, 1, 0));
    assertThat(ThresholdPlan.forTheta(10, 10, 5, 2, Criterion.accuracy(), 0).decision())
        .isEqualTo(10);
  }

  @Test
  void hostileArgumentsAreNamed() {
    assertThatThrownBy(() -> ThresholdPlan.rates(0, 1, 1, 0, 0)).hasMessageContaining("bits");
    assertThatThrownBy(() -> ThresholdPlan.rates(10, 0, 1, 0, 0)).hasMessageContaining("hashes");
    assertThatThrownBy(() -> ThresholdPlan.rates(10, 2, -1, 0, 0)).hasMessageContaining("keys");
    assertThatThrownBy(() -> ThresholdPlan.rates(10, 2, 1, -1, 0)).hasMessageContaining("theta");
    assertThatThrownBy(() -> ThresholdPlan.rates(10, 2, 1, 0, 3))
        .hasMessageContaining("decision must be in [0, 2]: 3");
    assertThat(ThresholdPlan.rates(10, 2, 1, Long.MAX_VALUE, 1))
        .isEqualTo(new ThresholdPlan.Rates(0, 1, 0));
  }
}
