package dev.bellows.papers.range;

import dev.bellows.papers.Measured;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.range.RangePlan;

/** The rate of Overlapping by its shift. */
final class Figure34 extends Figure {
  private static final int FILTERS = 12_000;

  Figure34() {
    super(
        "3-4",
        "the false positive rate of Overlapping",
        """
        The same range of 100 numbers out of 1000, 512 bits, k = 8, with neighbors that share k - s
        positions. The curve is Eq. 3-10 with its sum from 1 to r (R5). From s = 2 on, the rate
        grows about exponentially with s, a straight line on this scale, as the text says; s = 1 is
        slightly worse than s = 2 because the nearest neighbors differ in a single bit.\
        """);
  }

  @Override
  protected void fill() {
    Chart chart =
        chart(
            "Rate over the shift, growing about exponentially",
            "Overlapping: 100 of 1000 numbers in 512 bits, k = 8",
            Axis.linear("shift s").between(0, 9),
            Axis.log("false positive rate").between(1e-4, 1));
    Points formula = chart.curve("Eq. 3-10", 0);
    Points measured = chart.points("measured", 1);
    columns("s, Eq. 3-10, exact, measured, low, high");
    for (int shift = 1; shift <= OneRange.HUNDRED.hashes(); shift++) {
      RangePlan plan = OneRange.HUNDRED.shape(1, shift);
      double exact = ExactRangeRates.fpp(plan);
      Measured simulation = RangeSimulation.of(plan, FILTERS);
      formula.add(shift, plan.fpp());
      measured.add(shift, simulation);
      row(shift, plan.fpp(), exact, simulation);
      number("s=" + shift, "exact mean rate").formula(exact).measured(simulation);
    }
    number("best-s", "s with the lowest rate").formula(formula.lowestX());
  }
}
