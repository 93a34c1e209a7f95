package dev.bellows.papers.range;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.papers.Measured;
import dev.bellows.range.RangePlan;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RangeSimulationTest {
  private static RangePlan plan(int hashes, long domain, long range, long divide, int shift) {
    return RangePlan.of(
        RangePlan.Scheme.DIVISION_OVERLAPPING, 128, hashes, domain, range, divide, shift);
  }

  @ParameterizedTest
  @CsvSource({"6, 300, 40, 4, 2", "5, 120, 25, 1, 1", "3, 60, 20, 7, 3", "7, 200, 10, 3, 5"})
  void ratesOfBothHashesAreTheExactOne(
      int hashes, long domain, long range, long divide, int shift) {
    RangePlan plan = plan(hashes, domain, range, divide, shift);
    double exact = ExactRangeRates.fpp(plan);
    for (RangeHolder holder : List.of(RangeHolder.library(plan), RangeHolder.thesis(plan, "Age"))) {
      Measured simulation = RangeSimulation.of(plan, holder, 10_000);
      assertThat(exact).isBetween(simulation.low(), simulation.high());
      assertThat(simulation.high() - simulation.low()).isLessThan(0.7 * exact);
    }
  }

  @Test
  void comparingTwoFiltersEqualsQueryingOne() {
    RangePlan plan = plan(4, 500, 60, 3, 2);
    for (int instance = 0; instance < 20; instance++) {
      LongPredicate queried = RangeHolder.library(plan).hold(instance, 100, 159);
      LongPredicate compared = RangeHolder.compared(plan).hold(instance, 100, 159);
      for (long number = 0; number < 500; number++) {
        assertThat(compared.test(number)).isEqualTo(queried.test(number));
      }
    }
  }

  @Test
  void theThesisFilterHoldsItsRange() {
    RangePlan plan = plan(9, 120, 30, 2, 4);
    for (int instance = 0; instance < 20; instance++) {
      LongPredicate filter = RangeHolder.thesis(plan, "Age").hold(instance, 90, 119);
      for (long number = 90; number < 120; number++) {
        assertThat(filter.test(number)).isTrue();
      }
    }
  }

  @Test
  void everyCaseIsTheMeanOfAllQueries() {
    RangePlan plan = plan(4, 4, 2, 1, 4);
    RangeHolder onlyEven = (instance, low, high) -> number -> number % 2 == 0;
    assertThat(RangeSimulation.everyCase(plan, onlyEven, 0)).isEqualTo(0.5);
  }

  /** MD5 and SHA-256 of "Age", a zero byte and 44 as eight bytes. */
  @Test
  void indexesAreTheWordsOfTheDigests() {
    DigestFilter.Indexes indexes = new DigestFilter.Indexes("Age", 512, 45);
    assertThat(IntStream.rangeClosed(1, 24).map(hash -> indexes.index(hash, 44)))
        .containsExactly(
            53, 225, 398, 349, 168, 373, 143, 212, 367, 496, 120, 272, 213, 118, 104, 64, 169, 237,
            215, 234, 456, 208, 221, 13);
    assertThatThrownBy(() -> new DigestFilter.Indexes("Age", 65_537, 1))
        .hasMessageContaining("65537");
  }
}
