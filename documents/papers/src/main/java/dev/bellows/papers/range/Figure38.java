package dev.bellows.papers.range;

import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;

/** The search for the best dividing range. */
final class Figure38 extends Figure {
  private static final int LAST = 100;

  Figure38() {
    super(
        "3-8",
        "searching the best dividing range",
        """
        The search follows the curve of Figure 3-2 and stops at the first d that is not better, d =
        4, so it returns d = 3 with a rate of about 0.003. For pure Division the curve has only one
        local minimum, here for all d up to n = 100, and no counterexample is known (R12). The text
        says "inflection point" and means the minimum. On a plateau, where the filter is so full
        that the rate is 1 in floating point, the printed search stops before it begins (R11).\
        """);
  }

  @Override
  protected void fill() {
    Chart chart =
        chart(
            "The curve of Figure 3-2 with the search path to its minimum",
            "Search down to d = 3: 100 of 1000 numbers, 512 bits, k = 8",
            Axis.linear("dividing range d").between(0, 11),
            Axis.log("false positive rate").between(1e-3, 0.3));
    Points rates = chart.curve("Eq. 3-5", 6);
    Points path = chart.curve("the search, up to d = 4", 0);
    chart.marks("document: d = 3, 0.003", 4).add(3, 0.003);
    columns("d, Eq. 3-5");
    int hashes = OneRange.HUNDRED.hashes();
    for (int divide = 1; divide <= LAST; divide++) {
      double rate = OneRange.HUNDRED.shape(divide, hashes).fpp();
      rates.add(divide, rate);
      row(divide, rate);
      if (divide <= 4) {
        path.add(divide, rate);
      }
    }
    double plateau = new OneRange(512, hashes, 5_000_001, 500_000).shape(1, hashes).fpp();
    number("best-d", "d with the lowest rate").printed(3, 0).formula(rates.lowestX());
    number("rate", "rate at d = 3").printed("0.003").formula(rates.ys()[2]);
    number("minima", "local minima for d = 1 to 100")
        .printed(1, 0)
        .formula(rates.localMinima())
        .erratum("R12");
    number("plateau", "rate at d = 1 for 500000 of 5000001 numbers; the search needs less than 1")
        .formula(plateau)
        .erratum("R11");
  }
}
