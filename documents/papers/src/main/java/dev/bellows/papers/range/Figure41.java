package dev.bellows.papers.range;

import dev.bellows.papers.Measured;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.range.RangePlan;
import dev.bellows.range.RangePlan.Scheme;
import java.util.Arrays;
import java.util.stream.Stream;

/** The four schemes, each at its best, by the size of the range. */
final class Figure41 extends Figure {
  private static final int FILTERS = 3000;
  private static final Scheme[] SCHEMES = {
    Scheme.PLAIN, Scheme.DIVISION, Scheme.OVERLAPPING, Scheme.DIVISION_OVERLAPPING
  };
  private static final String[] NAMES = {
    "original", "Division", "Overlapping", "Division-Overlapping"
  };

  Figure41() {
    super(
        "4-1",
        "the schemes compared, each at its best",
        """
        Ranges of 20 to 340 numbers out of 10000 in 512 bits with k = 8; each scheme has its best
        divide and shift. All three beat the original filter above 20 numbers, and
        Division-Overlapping is never worse than the other two. Overlapping beats Division up to 260
        on the grid of 20 that the Range thesis uses; the first range at which Division is better
        has 275 numbers (R15). The points are filters with their own hash functions and start; rates
        of about 1e-5 and below are too rare to measure and are only computed.\
        """,
        Pace.SLOW);
  }

  @Override
  protected void fill() {
    columns("scheme, n, d, s, formula, exact, measured, low, high");
    Chart chart =
        chart(
            "Rates of four schemes over the size of the range",
            "Each scheme at its best: of 10000 numbers, 512 bits, k = 8",
            Axis.linear("numbers in the range n").between(0, 360),
            Axis.log("false positive rate").between(1e-7, 1.5));
    Points[] curves = new Points[SCHEMES.length];
    Arrays.setAll(curves, i -> chart.curve(NAMES[i], i));
    Points measured = chart.points("measured", 6);
    for (int i = 0; i < SCHEMES.length; i++) {
      for (int range = 20; range <= 340; range += 20) {
        RangePlan plan = OneRange.THOUSAND.withRange(range).best(SCHEMES[i]);
        curves[i].add(range, plan.fpp());
        Measured simulation = RangeSimulation.of(plan, SCHEMES[i].shifts() ? 4 * FILTERS : FILTERS);
        measured.add(range, simulation);
        double exact = ExactRangeRates.fpp(plan);
        row(NAMES[i], range, plan.divide(), plan.shift(), plan.fpp(), exact, simulation);
        number(SCHEMES[i].word() + "/n=" + range, "exact mean rate, " + NAMES[i])
            .formula(exact)
            .measured(simulation);
      }
    }
    claims(Stream.of(curves).map(Points::ys).toArray(double[][]::new));
  }

  private void claims(double[][] rates) {
    int better = 0;
    int least = 0;
    for (int i = 0; i < rates[0].length; i++) {
      boolean allBetter =
          rates[1][i] < rates[0][i] && rates[2][i] < rates[0][i] && rates[3][i] < rates[0][i];
      better += i > 0 && allBetter ? 1 : 0;
      least += rates[3][i] <= Math.min(rates[1][i], rates[2][i]) * (1 + 1e-12) ? 1 : 0;
    }
    number(
            "beat-original",
            "of the 16 ranges above 20, those where all three schemes beat the original")
        .printed(16, 0)
        .formula(better);
    number("both-is-least", "of the 17 ranges, those where Division-Overlapping is lowest")
        .printed(17, 0)
        .formula(least);
    number("crossover-on-grid", "last n of the grid at which Overlapping beats Division")
        .printed(260, 0)
        .formula(ThesisProse.lastOverlapping(20));
    number("crossover", "first n at which Division beats Overlapping")
        .formula(ThesisProse.lastOverlapping(1) + 1)
        .erratum("R15");
  }
}
