package dev.bellows.papers.folding;

import dev.bellows.BloomFilter;
import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Simulation;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.plan.FoldPlan;
import java.util.Arrays;

/** The rate of one filter folded to every size of its ladder (Folding paper, Eq. 4). */
final class LadderFigure extends Item {
  private static final long CAPACITY = 55_440;
  private static final long KEYS = 1000;
  private static final int HASHES = 4;
  private static final int FILTERS = 1500;

  LadderFigure() {
    super(
        "000/ladder",
        "Equation 4: the rate of folded filters along a ladder",
        """
        The Folding paper states that a folded filter has the rate of a filter built at that size
        (Eq. 4; the printed approximation lacks its power, F1). Filters of 55440 bits, the superior
        highly composite number of Table III, received a thousand keys with k = 4 and were folded to
        their divisors. Every filter hashes with its own seed, and absent keys were counted at each
        size. The measured rates follow the formula over three decades.\
        """);
  }

  @Override
  protected void fill() {
    long[] sizes =
        Arrays.stream(FoldPlan.ladder(CAPACITY, 1))
            .filter(size -> size >= 1000 && size <= 28_000)
            .toArray();
    double[] formula = new double[sizes.length];
    Arrays.setAll(formula, i -> Simulation.expected(sizes[i], KEYS, HASHES));
    long[] passed = new long[sizes.length];
    for (int trial = 0; trial < FILTERS; trial++) {
      BloomFilter filter = Simulation.filter(CAPACITY, HASHES, KEYS, trial);
      for (int i = 0; i < sizes.length; i++) {
        BloomFilter folded = filter.foldTo(sizes[i]);
        passed[i] += Simulation.passed(folded::mightContain, absentKeys(formula[i]));
      }
    }
    columns("bits, factor, formula, measured, low, high");
    Chart chart =
        chart(
            "Rate over the folded size, formula and measured",
            "55440 bits with 1000 keys, folded",
            Axis.log("bits after folding").between(900, 30_000),
            Axis.log("rate"));
    Points curve = chart.curve("built at that size (formula)", 0);
    Points measured = chart.points("folded (measured)", 1);
    for (int i = 0; i < sizes.length; i++) {
      Measured folded = Measured.of(passed[i], FILTERS * absentKeys(formula[i]));
      number("bits=%d".formatted(sizes[i]), "rate after folding by " + CAPACITY / sizes[i])
          .formula(formula[i])
          .measured(folded);
      row(sizes[i], CAPACITY / sizes[i], formula[i], folded);
      curve.add(sizes[i], formula[i]);
      measured.add(sizes[i], folded);
    }
  }

  /** Few if the filter's own fill dominates, so that the counts are nearly independent. */
  private static long absentKeys(double rate) {
    return rate > 0.05 ? 20 : 400;
  }
}
