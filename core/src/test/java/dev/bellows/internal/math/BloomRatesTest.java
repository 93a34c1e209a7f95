package dev.bellows.internal.math;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.bellows.Layout;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.Oracles;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class BloomRatesTest {
  @TestFactory
  Stream<DynamicTest> fpp() {
    return Oracles.cases(
        "000_folding",
        "bloom_fpr_exp",
        (c, all) ->
            assertClose(
                BloomRates.fpp(c.integer("m"), c.integer("n"), c.small("k")),
                c.out(),
                CLOSED_FORM));
  }

  @TestFactory
  Stream<DynamicTest> fppClassic() {
    return Oracles.cases(
        "000_folding",
        "bloom_fpr_classic",
        (c, all) ->
            assertClose(
                BloomRates.fppClassic(c.integer("m"), c.integer("n"), c.small("k")),
                c.out(),
                CLOSED_FORM));
  }

  @TestFactory
  Stream<DynamicTest> fppExact() {
    return Oracles.cases(
        "000_folding",
        "bloom_fpr_exact",
        (c, all) ->
            assertClose(
                BloomRates.fppExact(c.integer("m"), c.integer("n"), c.small("k")),
                c.out(),
                CLOSED_FORM));
  }

  @TestFactory
  Stream<DynamicTest> errorRateOfTheNotes() {
    return Oracles.cases(
        "001_notes",
        "error_rate",
        (c, all) ->
            assertClose(
                BloomRates.fpp(c.integer("n"), c.integer("phi"), c.small("k")),
                c.out(),
                CLOSED_FORM));
  }

  @TestFactory
  Stream<DynamicTest> optimalHashes() {
    return Oracles.cases(
        "001_notes",
        "optimal_k",
        (c, all) -> {
          long bits = c.integer("n_bits");
          long keys = c.integer("phi");
          assertClose(BloomRates.optimalHashes(bits, keys), c.expected("k_real"), CLOSED_FORM);
          int best = BloomRates.bestHashes(bits, keys);
          assertThat(best).isEqualTo(c.expected("k_best"));
          assertClose(BloomRates.fpp(bits, keys, best), c.expected("fpr_best"), CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> sizeAndHashesForError() {
    return Oracles.cases(
        "001_notes",
        "size_and_k_for_error",
        (c, all) -> {
          long keys = c.integer("phi");
          double fpp = c.real("eps");
          assertClose(BloomRates.textbookBits(keys, fpp), c.expected("n_real"), CLOSED_FORM);
          BloomPlan plan = BloomPlan.smallest(keys, fpp, Layout.Family.CLASSIC);
          assertThat(plan.bits())
              .isEqualTo(((Number) c.expected("smallest_m_meeting_eps")).longValue());
          assertThat(plan.hashes()).isEqualTo(c.expected("its_k"));
          assertThat(plan.fpp()).isLessThanOrEqualTo(fpp);
        });
  }

  @TestFactory
  Stream<DynamicTest> keysFromOnes() {
    return Oracles.cases(
        "002_dpbf",
        "cardinality_from_fill",
        (c, all) -> {
          long bits = c.integer("m");
          long ones = c.integer("ones");
          int hashes = c.small("k");
          double keys = BloomRates.keysFromOnes(bits, ones, hashes);
          if (c.expected("n_pow") == null) {
            assertThat(keys).isInfinite();
          } else {
            assertClose(keys, c.expected("n_pow"), CLOSED_FORM);
          }
          assertClose(
              BloomRates.fppFromOnes(bits, ones, hashes), c.expected("fpr_now"), CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> maxOnes() {
    return Oracles.cases(
        "002_dpbf",
        "max_ones_for_f",
        (c, all) ->
            assertThat(BloomRates.maxOnes(c.integer("m"), c.small("k"), c.real("f")))
                .isEqualTo(((Number) c.out()).longValue()));
  }

  @Test
  void theThreeRatesKeepTheirOrder() {
    for (int bits = 5; bits <= 256; bits += 13) {
      for (int hashes = 2; hashes <= 12; hashes++) {
        long keys = Math.max(1, bits / (2 * hashes));
        double exp = BloomRates.fpp(bits, keys, hashes);
        double classic = BloomRates.fppClassic(bits, keys, hashes);
        double exact = BloomRates.fppExact(bits, keys, hashes);
        assertThat(exp).isLessThan(classic);
        assertThat(classic).isLessThan(exact);
      }
    }
  }

  @Test
  void exactRateIsNotComputedIfItAddsNothing() {
    assertThat(BloomRates.fppExact(1L << 40, 1L << 36, 7)).isNaN();
  }

  /** The same mean with the whole distribution, however improbable its ends. */
  @Test
  void exactRateLosesNothingAtTheEnds() {
    for (int[] shape :
        new int[][] {
          {2000, 300, 7}, {512, 30, 16}, {5000, 2000, 2}, {900, 9, 90}, {460, 1, 1380}
        }) {
      double m = shape[0];
      int hashes = shape[2];
      double[] distribution = new double[shape[0] + 1];
      distribution[0] = 1;
      for (int t = 1; t <= shape[1] * hashes; t++) {
        for (int x = shape[0]; x >= 1; x--) {
          distribution[x] = distribution[x] * (x / m) + distribution[x - 1] * ((m - x + 1) / m);
        }
        distribution[0] = 0;
      }
      double mean = 0;
      for (int x = 0; x <= shape[0]; x++) {
        mean += distribution[x] * Math.pow(x / m, hashes);
      }
      assertClose(BloomRates.fppExact(shape[0], shape[1], hashes), mean, 1e-13);
    }
  }

  @Test
  void presentAmongTakesTheFalseOnesAway() {
    // 1000 present and 9000 absent keys at fpp 0.1: 1900 pass
    assertThat(BloomRates.presentAmong(10_000, 1_900, 0.1)).isCloseTo(1000, within(1e-9));
    assertThat(BloomRates.presentAmong(10_000, 10_000, 0.1)).isCloseTo(10_000, within(1e-9));
    assertThat(BloomRates.presentAmong(10_000, 500, 0.1)).isZero();
    assertThat(BloomRates.presentAmong(10_000, 10_000, 1)).isZero();
    assertThat(BloomRates.presentAmong(0, 0, 0.1)).isZero();
  }
}
