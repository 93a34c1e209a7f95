package dev.bellows.papers.range;

import dev.bellows.papers.Measured;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.range.RangePlan;

/** The rate of Division by its dividing range. */
final class Figure32 extends Figure {
  private static final int MOST = 10;
  private static final int FILTERS = 6000;

  Figure32() {
    super(
        "3-2",
        "the false positive rate of Division",
        """
        A range of 100 numbers out of 1000 in 512 bits with k = 8. The curve is Eq. 3-5; the points
        are filters with their own hash functions and start. Up to d = 3 the rate falls steeply
        because fewer bits are set; then it rises by 1/900 for each further d, the dividing error.
        At d = 1 the formula gives 0.152 and filters have 0.154, the bias of C1; the points are
        compared with the exact mean over hash functions and starts.\
        """);
  }

  @Override
  protected void fill() {
    Chart chart =
        chart(
            "Rate over the dividing range: a steep fall, then a straight rise",
            "Division: 100 of 1000 numbers in 512 bits, k = 8",
            Axis.linear("dividing range d").between(0, 11),
            Axis.log("false positive rate").between(1e-3, 0.3));
    Points formula = chart.curve("Eq. 3-5", 0);
    Points dividing = chart.dashed("dividing error alone", 6);
    Points measured = chart.points("measured", 1);
    columns("d, Eq. 3-5, exact, measured, low, high");
    for (int divide = 1; divide <= MOST; divide++) {
      RangePlan plan = OneRange.HUNDRED.shape(divide, OneRange.HUNDRED.hashes());
      double exact = ExactRangeRates.fpp(plan);
      Measured simulation = RangeSimulation.of(plan, FILTERS);
      formula.add(divide, plan.fpp());
      dividing.add(divide, (divide - 1) / 900.0);
      measured.add(divide, simulation);
      row(divide, plan.fpp(), exact, simulation);
      number("d=" + divide, "exact mean rate").formula(exact).measured(simulation);
    }
    number("best-d", "d with the lowest rate; the text says 3 or 4")
        .printed(3.5, 0.5)
        .formula(formula.lowestX());
    number("bias", "Eq. 3-5 at d = 1, compared with the exact mean")
        .stated(formula.ys()[0], 0)
        .formula(ExactRangeRates.fpp(OneRange.HUNDRED.shape(1, 8)))
        .erratum("C1");
  }
}
