package dev.bellows.range;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.range.RangeRates;
import dev.bellows.plan.Oracles;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class RangePlanTest {
  private static final RangePlan.Scheme BOTH = RangePlan.Scheme.DIVISION_OVERLAPPING;

  @TestFactory
  Stream<DynamicTest> bestDivideAndShift() {
    return Oracles.cases(
        "003_ranges",
        "optimal_d_s",
        (c, all) -> {
          RangePlan plan =
              RangePlan.best(BOTH, c.integer("m"), c.small("k"), c.integer("R"), c.integer("n"));
          assertThat(plan.divide()).isEqualTo(((Number) c.expected("d")).longValue());
          assertThat(plan.shift()).isEqualTo(c.expected("s"));
          assertClose(plan.insertionBits(), c.expected("bits"), CLOSED_FORM);
          assertClose(plan.fpp(), c.expected("f"), CLOSED_FORM);
          if (all.get("runner_up_rel_gap") != null) {
            assertClose(plan.runnerUpGap(), all.get("runner_up_rel_gap"), 1e-9);
          }
        });
  }

  @TestFactory
  Stream<DynamicTest> bestHashesDivideAndShift() {
    return Oracles.cases(
        "003_ranges",
        "optimal_k_d_s",
        (c, all) -> {
          for (int limit : new int[] {24, 64}) {
            Map<?, ?> out = (Map<?, ?>) c.expected("global_k_le_" + limit);
            RangePlan plan =
                RangePlan.bestUpTo(BOTH, c.integer("m"), limit, c.integer("R"), c.integer("n"));
            assertThat(plan.hashes()).isEqualTo(out.get("k"));
            assertThat(plan.divide()).isEqualTo(((Number) out.get("d")).longValue());
            assertThat(plan.shift()).isEqualTo(out.get("s"));
            assertClose(plan.fpp(), out.get("f"), CLOSED_FORM);
            assertClose(plan.insertionBits(), out.get("bits"), CLOSED_FORM);
          }
          Map<?, ?> local = (Map<?, ?>) c.expected("first_local_minimum_in_k");
          RangePlan fixed =
              RangePlan.best(
                  BOTH,
                  c.integer("m"),
                  ((Number) local.get("k")).intValue(),
                  c.integer("R"),
                  c.integer("n"));
          assertThat(fixed.divide()).isEqualTo(((Number) local.get("d")).longValue());
          assertThat(fixed.shift()).isEqualTo(local.get("s"));
          assertClose(fixed.fpp(), local.get("f"), CLOSED_FORM);
          assertClose(fixed.insertionBits(), local.get("bits"), CLOSED_FORM);
        });
  }

  @TestFactory
  Stream<DynamicTest> figures() {
    return Oracles.cases(
        "003_ranges",
        "figure_checks",
        (c, all) -> {
          String figure = (String) c.in().getOrDefault("figure", "none");
          switch (figure) {
            case "2-3" -> plainFigure(c);
            case "3-2/3-8" -> {
              RangePlan plan = figurePlan(RangePlan.Scheme.DIVISION, c);
              assertThat(plan.divide()).isEqualTo(((Number) c.expected("best_d")).longValue());
              assertClose(plan.fpp(), c.expected("f"), CLOSED_FORM);
            }
            case "3-9" -> {
              RangePlan plan = figurePlan(RangePlan.Scheme.OVERLAPPING, c);
              assertThat(plan.shift()).isEqualTo(c.expected("best_s"));
              assertClose(plan.fpp(), c.expected("f"), CLOSED_FORM);
            }
            case "3-10" -> {
              RangePlan plan = figurePlan(BOTH, c);
              assertThat(List.of((int) plan.divide(), plan.shift())).isEqualTo(c.expected("best"));
            }
            case "3-5" ->
                assertThat((c.integer("n") - 1) / c.integer("d") * c.small("s") + c.small("k"))
                    .isEqualTo(((Number) c.expected("distinct_positions")).longValue());
            case "4-1" -> {
              long crossing = 1;
              while (figurePlan(RangePlan.Scheme.DIVISION, c, crossing).fpp()
                  >= figurePlan(RangePlan.Scheme.OVERLAPPING, c, crossing).fpp()) {
                crossing++;
              }
              assertThat(crossing)
                  .isEqualTo(
                      ((Number) c.expected("first_n_where_best_division_beats_best_overlapping"))
                          .longValue());
            }
            default -> {
              assertThat(c.in()).containsEntry("example", "Age 10..60");
              assertThat(LongStream.rangeClosed(10, 60).count())
                  .isEqualTo(((Number) c.expected("values")).longValue());
            }
          }
        });
  }

  private static void plainFigure(Oracles.Case c) {
    Map<?, ?> rates = (Map<?, ?>) c.expected("f");
    RangePlan best =
        RangePlan.bestUpTo(RangePlan.Scheme.PLAIN, c.integer("m"), 24, 10_000, c.integer("n"));
    assertThat(best.hashes()).isEqualTo(c.expected("best_k"));
    rates.forEach(
        (k, f) ->
            assertClose(
                RangePlan.best(
                        RangePlan.Scheme.PLAIN,
                        c.integer("m"),
                        Integer.parseInt((String) k),
                        10_000,
                        c.integer("n"))
                    .fpp(),
                f,
                CLOSED_FORM));
  }

  private static RangePlan figurePlan(RangePlan.Scheme scheme, Oracles.Case c) {
    return figurePlan(scheme, c, c.integer("n"));
  }

  private static RangePlan figurePlan(RangePlan.Scheme scheme, Oracles.Case c, long range) {
    return RangePlan.best(scheme, c.integer("m"), c.small("k"), c.integer("R"), range);
  }

  /** The optimizer finds what trying every divide and shift finds. */
  @Test
  void exhaustiveSearchAgrees() {
    SplittableRandom random = new SplittableRandom(3);
    for (int trial = 0; trial < 400; trial++) {
      long bits = random.nextLong(8, 600);
      int hashes = random.nextInt(1, 33);
      long range = random.nextLong(1, trial % 10 == 0 ? 3000 : 300);
      long domain = range + random.nextLong(1, trial % 3 == 0 ? 50 : 20_000);
      double best = Double.POSITIVE_INFINITY;
      double second = Double.POSITIVE_INFINITY;
      for (int shift = 1; shift <= hashes; shift++) {
        for (long divide = 1; divide <= range; divide++) {
          double fpp = RangeRates.fpp(bits, hashes, domain, range, divide, shift);
          second = Math.min(second, Math.max(best, fpp));
          best = Math.min(best, fpp);
        }
      }
      RangePlan plan = RangePlan.best(BOTH, bits, hashes, domain, range);
      assertThat(plan.fpp())
          .as("bits %d hashes %d domain %d range %d", bits, hashes, domain, range)
          .isEqualTo(best);
      if (range * hashes > 1) {
        assertClose(plan.runnerUpGap(), (second - best) / best, 1e-9);
      } else {
        assertThat(plan.runnerUpGap()).isInfinite();
      }
    }
  }

  @Test
  void exhaustiveSearchOverHashesAgrees() {
    SplittableRandom random = new SplittableRandom(4);
    for (int trial = 0; trial < 30; trial++) {
      long bits = random.nextLong(16, 1000);
      long range = random.nextLong(1, 200);
      long domain = range + random.nextLong(1, 20_000);
      for (RangePlan.Scheme scheme : RangePlan.Scheme.values()) {
        double best = Double.POSITIVE_INFINITY;
        for (int hashes = 1; hashes <= 20; hashes++) {
          best = Math.min(best, RangePlan.best(scheme, bits, hashes, domain, range).fpp());
        }
        assertThat(RangePlan.bestUpTo(scheme, bits, 20, domain, range).fpp()).isEqualTo(best);
      }
    }
  }

  @Test
  void everySchemeIsASpecialCaseOfBoth() {
    for (long range : new long[] {1, 20, 260, 5000}) {
      double plain = RangePlan.best(RangePlan.Scheme.PLAIN, 512, 8, 10_000, range).fpp();
      double division = RangePlan.best(RangePlan.Scheme.DIVISION, 512, 8, 10_000, range).fpp();
      double overlapping =
          RangePlan.best(RangePlan.Scheme.OVERLAPPING, 512, 8, 10_000, range).fpp();
      double both = RangePlan.best(BOTH, 512, 8, 10_000, range).fpp();
      assertClose(plain, BloomRates.fpp(512, range, 8), CLOSED_FORM);
      assertThat(division).isLessThanOrEqualTo(plain);
      assertThat(overlapping).isLessThanOrEqualTo(plain);
      assertThat(both).isLessThanOrEqualTo(Math.min(division, overlapping));
    }
  }

  @Test
  void astronomicDomainsArePlanned() {
    RangePlan plan = RangePlan.bestUpTo(BOTH, 4096, 16, Long.MAX_VALUE, Long.MAX_VALUE / 10);
    assertThat(plan.fpp()).isBetween(1e-6, 1e-2);
    assertThat(plan.divide()).isGreaterThan(1L << 40);
    double here = plan.fpp();
    for (double factor : new double[] {0.9, 0.99, 1.01, 1.1}) {
      long divide = (long) (plan.divide() * factor);
      assertThat(
              RangeRates.fpp(
                  4096, plan.hashes(), plan.domain(), plan.range(), divide, plan.shift()))
          .isGreaterThan(here);
    }
    assertThat(RangePlan.best(BOTH, 1, 1, Long.MAX_VALUE, Long.MAX_VALUE).fpp()).isZero();
  }

  @Test
  void curvesPassThroughTheOptimum() {
    RangePlan plan = RangePlan.best(BOTH, 512, 8, 5_000_001, 500_000);
    List<RangePlan.CurvePoint> divides = plan.divideCurve(21);
    assertThat(divides).hasSizeBetween(21, 22);
    assertThat(divides).extracting(RangePlan.CurvePoint::divide).isSorted().contains(2751L);
    assertThat(divides).allMatch(p -> p.fpp() >= plan.fpp());
    assertThat(divides.get(0).divide()).isEqualTo(344);
    assertThat(plan.shiftCurve()).hasSize(8).allMatch(p -> p.fpp() >= plan.fpp());
    List<RangePlan.CurvePoint> hashes =
        RangePlan.bestUpTo(BOTH, 512, 24, 10_000, 400).hashesCurve(24);
    assertThat(hashes).hasSize(24);
    assertClose(hashes.get(22).fpp(), 2.6839121356275227e-4, CLOSED_FORM);
    RangePlan plain = RangePlan.best(RangePlan.Scheme.PLAIN, 512, 8, 1000, 20);
    assertThat(plain.divideCurve(5)).hasSize(1);
    assertThat(plain.shiftCurve()).hasSize(1);
    assertThat(RangePlan.best(BOTH, 512, 8, 1000, 3).divideCurve(30))
        .extracting(RangePlan.CurvePoint::divide)
        .containsExactly(1L, 2L, 3L);
  }

  @Test
  void exactEndsAreSmallerThanMostFilters() {
    RangePlan plan = RangePlan.best(BOTH, 512, 8, 10_000, 100);
    assertThat(plan.exactBits()).isEqualTo(28);
    assertThat(plan.exactIsSmaller()).isTrue();
    assertThat(RangePlan.best(BOTH, 28, 8, 10_000, 100).exactIsSmaller()).isFalse();
  }

  @Test
  void refusals() {
    assertThatThrownBy(() -> RangePlan.of(RangePlan.Scheme.PLAIN, 512, 8, 1000, 10, 2, 8))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("1", "2");
    assertThatThrownBy(() -> RangePlan.of(RangePlan.Scheme.DIVISION, 512, 8, 1000, 10, 2, 3))
        .hasMessageContaining("shift = hashes = 8, not 3");
    assertThatThrownBy(() -> RangePlan.of(BOTH, 512, 8, 1000, 10, 2, 9))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("shift", "1", "hashes = 8", "9");
    assertThatThrownBy(() -> RangePlan.best(BOTH, 512, 8, 10, 11))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("domain", "11", "10");
    assertThatThrownBy(() -> RangePlan.best(BOTH, 512, 0, 10, 5)).hasMessageContaining("hashes");
    assertThatThrownBy(() -> RangePlan.best(BOTH, 512, 257, 10, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("hashes", "1", "256", "257");
    assertThatThrownBy(() -> RangePlan.bestUpTo(BOTH, 512, 0, 10, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("hashes", "1", "256", "0");
    assertThatThrownBy(() -> RangePlan.Scheme.of("DIVISION"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("'DIVISION'");
    for (RangePlan.Scheme scheme : RangePlan.Scheme.values()) {
      assertThat(RangePlan.Scheme.of(scheme.word())).isSameAs(scheme);
    }
  }
}
