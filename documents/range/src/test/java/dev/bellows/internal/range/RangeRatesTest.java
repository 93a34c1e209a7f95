package dev.bellows.internal.range;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.bellows.plan.Oracles;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class RangeRatesTest {
  @TestFactory
  Stream<DynamicTest> divisionBits() {
    return Oracles.cases(
        "003_ranges",
        "g_division_bits",
        (c, all) ->
            assertClose(
                RangeRates.insertionBits(
                    c.integer("n"), c.integer("d"), c.small("k"), c.small("k")),
                c.out(),
                CLOSED_FORM));
  }

  @TestFactory
  Stream<DynamicTest> overlappingBits() {
    return Oracles.cases(
        "003_ranges",
        "q_overlapping_bits",
        (c, all) ->
            assertThat(RangeRates.insertionBits(c.integer("n"), 1, c.small("s"), c.small("k")))
                .isEqualTo(c.expected()));
  }

  @TestFactory
  Stream<DynamicTest> insertionBits() {
    return Oracles.cases(
        "003_ranges",
        "w_division_overlapping_bits",
        (c, all) ->
            assertClose(
                RangeRates.insertionBits(
                    c.integer("n"), c.integer("d"), c.small("s"), c.small("k")),
                c.out(),
                CLOSED_FORM));
  }

  @TestFactory
  Stream<DynamicTest> indexSets() {
    return Oracles.cases(
        "003_ranges",
        "overlapping_index_set",
        (c, all) -> {
          int hashes = c.small("k");
          int shift = c.small("s");
          List<List<Integer>> pairs =
              HashOffset.indices(hashes, shift).stream()
                  .map(i -> List.of(i.hash(), i.offset()))
                  .toList();
          assertThat(pairs).isEqualTo(c.expected("hash_number_and_offset"));
          int reach = HashOffset.reach(hashes, shift);
          assertThat(reach).isEqualTo(c.expected("r"));
          List<Integer> fresh =
              Stream.iterate(0, i -> i <= reach + 1, i -> i + 1)
                  .map(i -> newPositions(hashes, shift, i))
                  .toList();
          assertThat(fresh).isEqualTo(c.expected("new_positions_at_distance"));
        });
  }

  @TestFactory
  Stream<DynamicTest> divisionRate() {
    return Oracles.cases(
        "003_ranges",
        "f_division",
        (c, all) -> {
          long n = c.integer("n");
          long d = c.integer("d");
          int k = c.small("k");
          assertClose(
              RangeRates.fpp(c.integer("m"), k, c.integer("R"), n, d, k), c.out(), CLOSED_FORM);
          double fill = fillClassic(c.integer("m"), RangeRates.insertionBits(n, d, k, k));
          assertClose(
              RangeRates.fppAtFill(k, c.integer("R"), n, d, k, fill),
              all.get("power_variant"),
              CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> overlappingRate() {
    return Oracles.cases(
        "003_ranges",
        "f_overlapping",
        (c, all) -> {
          long n = c.integer("n");
          int s = c.small("s");
          int k = c.small("k");
          assertClose(
              RangeRates.fpp(c.integer("m"), k, c.integer("R"), n, 1, s), c.out(), CLOSED_FORM);
          double fill = fillClassic(c.integer("m"), RangeRates.insertionBits(n, 1, s, k));
          assertClose(
              RangeRates.fppAtFill(k, c.integer("R"), n, 1, s, fill),
              all.get("power_variant"),
              CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> divisionOverlappingRate() {
    return Oracles.cases(
        "003_ranges",
        "f_division_overlapping",
        (c, all) -> {
          long m = c.integer("m");
          long domain = c.integer("R");
          long n = c.integer("n");
          long d = c.integer("d");
          int s = c.small("s");
          int k = c.small("k");
          double bits = RangeRates.insertionBits(n, d, s, k);
          assertClose(RangeRates.fpp(m, k, domain, n, d, s), all.get("clamped"), CLOSED_FORM);
          // where enough numbers lie outside, Eq. 3-13 holds as printed (erratum R6)
          if (((Number) all.get("coefficient_of_native_term")).doubleValue() >= 0) {
            assertClose(RangeRates.fpp(m, k, domain, n, d, s), c.out(), CLOSED_FORM);
            assertClose(
                RangeRates.fppAtFill(k, domain, n, d, s, fillClassic(m, bits)),
                all.get("power_variant"),
                CLOSED_FORM);
          }
        });
  }

  /**
   * The probability that one of the divisions is accepted, over all numbers of whole rows in front.
   */
  private static double some(long divisions, int hashes, int shift, double fill) {
    int reach = HashOffset.reach(hashes, shift);
    double whole = Math.pow(fill, shift);
    double part = Math.pow(fill, hashes - reach * shift);
    double[] run = new double[reach + 1];
    run[0] = 1;
    double accepted = 0;
    for (long row = 0; row < divisions + reach; row++) {
      double[] next = new double[reach + 1];
      accepted += run[reach] * part;
      for (int r = 0; r < reach; r++) {
        next[r + 1] = run[r] * whole;
        next[0] += run[r] * (1 - whole);
      }
      next[0] += run[reach] * (1 - part);
      run = next;
    }
    return accepted;
  }

  @Test
  void aSearchHasTheRateOfTheUnionOfItsDivisions() {
    for (int hashes : new int[] {1, 2, 5, 8, 24}) {
      for (int shift = 1; shift <= hashes; shift++) {
        for (double fill : new double[] {0, 0.01, 0.3, 0.5, 0.8, 0.99, 1}) {
          for (long divisions : new long[] {1, 2, 3, 7, 60, 4095, 4097, 9000}) {
            assertThat(RangeRates.someFpp(divisions, hashes, shift, fill))
                .as("%d divisions, %d hashes, shift %d, %s", divisions, hashes, shift, fill)
                .isCloseTo(some(divisions, hashes, shift, fill), withPercentage(1e-9));
          }
        }
      }
    }
  }

  @Test
  void aSearchOfAnyLengthHasARate() {
    for (long divisions : new long[] {1, 5000, 1L << 40, Long.MAX_VALUE}) {
      for (double fill : new double[] {1e-3, 0.02, 0.4}) {
        double independent = -Math.expm1(divisions * Math.log1p(-Math.pow(fill, 6)));
        assertThat(RangeRates.someFpp(divisions, 6, 6, fill))
            .isCloseTo(independent, withPercentage(1e-7));
      }
    }
    assertThat(RangeRates.someFpp(100_000, 300, 1, 0.97))
        .isCloseTo(some(100_000, 300, 1, 0.97), withPercentage(1e-7));
    assertThat(RangeRates.someFpp(60_000, 2000, 1, 0.998))
        .isCloseTo(some(60_000, 2000, 1, 0.998), withPercentage(1e-7));
  }

  /** All starts of a short range, one after the other. */
  @Test
  void ratesOfRangesAreMeansOverAllStarts() {
    for (long range = 1; range < 30; range++) {
      for (long divide = 1; divide < 12; divide++) {
        double some = 0;
        double every = 0;
        for (long start = 0; start < divide; start++) {
          long divisions = (start + range - 1) / divide + 1;
          some += RangeRates.someFpp(divisions, 7, 3, 0.4) / divide;
          every += Math.pow(0.4, (divisions - 1) * 3 + 7) / divide;
        }
        assertClose(RangeRates.someFppAtFill(7, range, divide, 3, 0.4), some, CLOSED_FORM);
        assertClose(RangeRates.everyFppAtFill(7, range, divide, 3, 0.4), every, CLOSED_FORM);
      }
    }
  }

  @Test
  void nothingLiesOutsideTheWholeDomain() {
    assertThat(RangeRates.fpp(512, 8, 10, 10, 1, 8)).isZero();
  }

  @Test
  void theRateIsAProbabilityHoweverSmallTheDomain() {
    for (long outside = 1; outside <= 40; outside++) {
      for (long divide = 1; divide <= 20; divide++) {
        for (int shift = 1; shift <= 8; shift++) {
          assertThat(RangeRates.fpp(100, 8, 20 + outside, 20, divide, shift)).isBetween(0.0, 1.0);
        }
      }
    }
  }

  @Test
  void hugeRangesKeepTheirNumbers() {
    assertThat(RangeRates.fpp(512, 8, Long.MAX_VALUE, Long.MAX_VALUE - 1, 1, 8)).isEqualTo(1.0);
    assertThat(RangeRates.exactBits(Long.MAX_VALUE)).isEqualTo(126);
  }

  @Test
  void endPointsTakeTwoNumbers() {
    assertThat(RangeRates.exactBits(10_000)).isEqualTo(28);
    assertThat(RangeRates.exactBits(1024)).isEqualTo(20);
    assertThat(RangeRates.exactBits(1025)).isEqualTo(22);
    assertThat(RangeRates.exactBits(1)).isZero();
  }

  @Test
  void refusals() {
    assertThatThrownBy(() -> RangeRates.fpp(512, 8, 1000, 100, 1, 9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("shift", "1", "hashes = 8", "9");
    assertThatThrownBy(() -> HashOffset.indices(8, 0)).hasMessageContaining("shift must be in");
    assertThatThrownBy(() -> RangeRates.fpp(512, 8, 99, 100, 1, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("domain", "100", "99");
    assertThatThrownBy(() -> RangeRates.fpp(0, 8, 1000, 100, 1, 8)).hasMessageContaining("bits");
    assertThatThrownBy(() -> RangeRates.fpp(512, 8, 1000, 0, 1, 8)).hasMessageContaining("range");
    assertThatThrownBy(() -> RangeRates.fpp(512, 8, 1000, 9, 0, 8)).hasMessageContaining("divide");
  }

  /** {@code 1 - (1 - 1/m)^w}: the other form of the fill (Range thesis, Eq. 3-12; erratum R2). */
  private static double fillClassic(long bits, double insertionBits) {
    return -Math.expm1(insertionBits * Math.log1p(-1.0 / bits));
  }

  /** The positions that a neighbor does not share with a number (erratum R5). */
  private static int newPositions(int hashes, int shift, int distance) {
    List<HashOffset> own = HashOffset.indices(hashes, shift);
    return (int)
        own.stream()
            .filter(i -> !own.contains(new HashOffset(i.hash(), i.offset() + distance)))
            .count();
  }

  @Test
  void neighboursAddTheStatedPositions() {
    for (int hashes = 1; hashes <= 15; hashes++) {
      for (int shift = 1; shift <= hashes; shift++) {
        int reach = HashOffset.reach(hashes, shift);
        for (int distance = 0; distance <= hashes + 1; distance++) {
          assertThat(newPositions(hashes, shift, distance))
              .isEqualTo(distance > reach ? hashes : distance * shift);
        }
      }
    }
  }
}
