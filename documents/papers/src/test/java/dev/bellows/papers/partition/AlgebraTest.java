package dev.bellows.papers.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.papers.Outcome;
import dev.bellows.papers.Result;
import dev.bellows.papers.partition.AlgebraRun.Queried;
import dev.bellows.papers.partition.AlgebraRun.Side;
import dev.bellows.papers.partition.AlgebraRun.Step;
import dev.bellows.papers.partition.AlgebraRun.Structure;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The experiment of many unions and intersections, with a twentieth of its ids. */
class AlgebraTest {
  private static final AlgebraRun.Size SMALL = new AlgebraRun.Size(12, 100, 5000, 12_000, 2000, 60);

  @Test
  void aTreeOfOperationsLosesNothingAndKeepsTheRateInBothModes() {
    List<Step> steps = new AlgebraRun(SMALL).tree(1);
    assertThat(steps).hasSize(11);
    assertThat(steps).extracting(Step::isUnion).contains(true, false);
    bounded(sides(steps, Structure.PUBLISHED));
    bounded(sides(steps, Structure.EXACT_LEAVES));
    assertThat(sides(steps, Structure.EXACT_LEAVES).stream().mapToDouble(Side::filters).sum())
        .isLessThanOrEqualTo(
            sides(steps, Structure.PUBLISHED).stream().mapToDouble(Side::filters).sum());
  }

  private static List<Side> sides(List<Step> steps, Structure structure) {
    return steps.stream()
        .map(Step::sides)
        .filter(sides -> sides.containsKey(structure))
        .map(sides -> sides.get(structure))
        .toList();
  }

  private static void bounded(List<Side> sides) {
    for (Function<Side, Queried> ids :
        List.<Function<Side, Queried>>of(Side::anywhere, Side::population)) {
      Queried queried = sides.stream().map(ids).reduce(Queried.NONE, Queried::plus);
      assertThat(queried.queries()).isGreaterThan(5000);
      assertThat(BinomialInterval.of(queried.passed(), queried.queries(), Result.ALPHA).low())
          .isLessThanOrEqualTo(AlgebraRun.FPP);
    }
    assertThat(sides).extracting(Side::missing).containsOnly(0L);
  }

  @Test
  void theListIsAbandonedWhenItsFiltersMultiply() {
    List<Step> steps = new AlgebraRun(SMALL).tree(2);
    List<Side> lists = sides(steps, Structure.DBF);
    assertThat(lists).isNotEmpty().hasSizeLessThan(11);
    for (Side list : lists) {
      assertThat(list.filters()).isLessThanOrEqualTo(60);
      assertThat(list.missing()).isZero();
    }
  }

  private static Result named(Outcome outcome, String id) {
    return outcome.results().stream()
        .filter(result -> result.id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void everyNumberOfThePageIsConfirmed() {
    Outcome outcome = new Algebra(SMALL).compute();
    assertThat(outcome.results()).hasSizeGreaterThan(15).noneMatch(Result::unexplained);
    assertThat(outcome.pictures()).hasSize(4);
    assertThat(outcome.results())
        .filteredOn(result -> result.id().endsWith("/missing"))
        .hasSize(5)
        .allMatch(result -> result.verdict() == Result.Verdict.AGREES);
    for (String mode : List.of("published", "exact")) {
      Result rate = named(outcome, "002/algebra/views/%s/rate".formatted(mode));
      Result bound = named(outcome, "002/algebra/views/%s/bound".formatted(mode));
      Result sum = named(outcome, "002/algebra/views/%s/sum".formatted(mode));
      assertThat(rate.low()).isLessThanOrEqualTo(bound.formula());
      assertThat(bound.formula()).isLessThanOrEqualTo(AlgebraRun.FPP + sum.formula());
    }
  }
}
