package dev.bellows.internal.range;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.plan.Oracles;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
  Stream<DynamicTest> perStart() {
    return Oracles.cases(
        "003_ranges",
        "per_start_counts",
        (c, all) -> {
          RangeCover cover =
              RangeCover.of(
                  c.integer("start"), c.integer("n"), c.integer("d"), c.small("s"), c.small("k"));
          assertThat(cover.firstDivision()).isEqualTo(number(c, "first_division"));
          assertThat(cover.lastDivision()).isEqualTo(number(c, "last_division"));
          assertThat(cover.divisions()).isEqualTo(number(c, "divisions"));
          assertThat(cover.insertionBits()).isEqualTo(number(c, "bits"));
          assertThat(cover.leftErrors()).isEqualTo(number(c, "dividing_errors_left"));
          assertThat(cover.rightErrors()).isEqualTo(number(c, "dividing_errors_right"));
        });
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
                  .map(i -> HashOffset.newPositions(hashes, shift, i))
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

  @TestFactory
  Stream<DynamicTest> rateWithBorders() {
    return Oracles.cases(
        "003_ranges",
        "f_with_true_borders",
        (c, all) ->
            assertClose(
                BorderRates.fpp(
                    c.integer("m"),
                    c.small("k"),
                    c.integer("R"),
                    c.integer("n"),
                    c.integer("d"),
                    c.small("s")),
                c.out(),
                CLOSED_FORM));
  }

  @Test
  void meanBitsAreTheMeanOverAllStarts() {
    for (long divide = 1; divide <= 12; divide++) {
      for (long range = 1; range <= 30; range++) {
        double bits = 0;
        double errors = 0;
        for (long start = -divide; start < 0; start++) {
          RangeCover cover = RangeCover.of(start, range, divide, 3, 8);
          bits += cover.insertionBits();
          errors += cover.leftErrors() + cover.rightErrors();
        }
        assertClose(RangeRates.insertionBits(range, divide, 3, 8), bits / divide, CLOSED_FORM);
        assertClose(divide - 1.0, errors / divide, CLOSED_FORM);
      }
    }
  }

  @Test
  void aRangeOwnsExactlyItsInsertionBits() {
    for (int hashes = 1; hashes <= 12; hashes++) {
      for (int shift = 1; shift <= hashes; shift++) {
        for (long divide = 1; divide <= 4; divide++) {
          RangeCover cover = RangeCover.of(-7, 20, divide, shift, hashes);
          Set<List<Long>> positions = new HashSet<>();
          for (long e = cover.firstDivision(); e <= cover.lastDivision(); e++) {
            for (HashOffset index : HashOffset.indices(hashes, shift)) {
              positions.add(List.of((long) index.hash(), e + index.offset()));
            }
          }
          assertThat(positions).hasSize((int) cover.insertionBits());
        }
      }
    }
  }

  @Test
  void neighboursAddTheStatedPositions() {
    for (int hashes = 1; hashes <= 15; hashes++) {
      for (int shift = 1; shift <= hashes; shift++) {
        List<HashOffset> own = HashOffset.indices(hashes, shift);
        for (int distance = 0; distance <= hashes + 1; distance++) {
          int away = distance;
          long fresh =
              own.stream()
                  .filter(i -> !own.contains(new HashOffset(i.hash(), i.offset() + away)))
                  .count();
          assertThat(HashOffset.newPositions(hashes, shift, distance)).isEqualTo((int) fresh);
        }
      }
    }
  }

  /** Every number outside, every start, one by one. */
  @Test
  void bordersAgreeWithCounting() {
    long bits = 64;
    for (long[] p : new long[][] {{40, 7, 3, 2}, {25, 20, 4, 5}, {30, 1, 1, 1}, {33, 8, 8, 3}}) {
      long domain = p[0];
      long range = p[1];
      long divide = p[2];
      int shift = (int) p[3];
      double sum = 0;
      for (long start = 0; start + range <= domain; start++) {
        RangeCover cover = RangeCover.of(start, range, divide, shift, 5);
        double fill = RangeRates.fill(bits, cover.insertionBits());
        for (long v = 0; v < domain; v++) {
          if (v < start || v >= start + range) {
            long own = v / divide;
            long distance =
                Math.max(0, Math.max(cover.firstDivision() - own, own - cover.lastDivision()));
            sum += Math.pow(fill, HashOffset.newPositions(5, shift, distance));
          }
        }
      }
      double mean = sum / (domain - range + 1) / (domain - range);
      assertClose(BorderRates.fpp(bits, 5, domain, range, divide, shift), mean, 1e-12);
    }
  }

  @Test
  void nothingLiesOutsideTheWholeDomain() {
    assertThat(RangeRates.fpp(512, 8, 10, 10, 1, 8)).isZero();
    assertThat(BorderRates.fpp(512, 8, 10, 10, 2, 3)).isZero();
    assertThat(DyadicRates.fpp(512, 8, 10, 10)).isZero();
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
    RangeCover cover = RangeCover.of(Long.MIN_VALUE, Long.MAX_VALUE, 1, 1, 1);
    assertThat(cover.divisions()).isEqualTo(Long.MAX_VALUE);
    assertThat(cover.insertionBits()).isEqualTo(Long.MAX_VALUE);
    assertThatThrownBy(() -> RangeCover.of(Long.MIN_VALUE, Long.MAX_VALUE, 1, 2, 8))
        .hasMessageContaining("raise divide above 1");
    assertThatThrownBy(() -> RangeCover.of(2, Long.MAX_VALUE, 1, 2, 8))
        .hasMessageContaining("ends beyond 9223372036854775807");
    assertThat(RangeCover.of(1, Long.MAX_VALUE, Long.MAX_VALUE, 8, 8).divisions()).isEqualTo(2);
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
    assertThatThrownBy(() -> HashOffset.newPositions(8, 1, -1)).hasMessageContaining("distance");
    assertThatThrownBy(() -> RangeRates.fpp(512, 8, 99, 100, 1, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("domain", "100", "99");
    assertThatThrownBy(() -> RangeRates.fpp(0, 8, 1000, 100, 1, 8)).hasMessageContaining("bits");
    assertThatThrownBy(() -> RangeRates.fpp(512, 8, 1000, 0, 1, 8)).hasMessageContaining("range");
    assertThatThrownBy(() -> RangeRates.fpp(512, 8, 1000, 9, 0, 8)).hasMessageContaining("divide");
    assertThatThrownBy(() -> BorderRates.fpp(512, 8, 1L << 40, 9, 1, 8))
        .hasMessageContaining("use fpp");
  }

  /** {@code 1 - (1 - 1/m)^w}: the other form of the fill (Range thesis, Eq. 3-12; erratum R2). */
  private static double fillClassic(long bits, double insertionBits) {
    return -Math.expm1(insertionBits * Math.log1p(-1.0 / bits));
  }

  private static long number(Oracles.Case c, String field) {
    return ((Number) c.expected(field)).longValue();
  }
}
