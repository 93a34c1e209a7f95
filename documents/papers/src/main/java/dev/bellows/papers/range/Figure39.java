package dev.bellows.papers.range;

import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;

/** The search for the best shift. */
final class Figure39 extends Figure {
  Figure39() {
    super(
        "3-9",
        "searching the best shift",
        """
        With 40 numbers instead of 100 the best shift is 3: the rate at s = 4 is higher, and the
        search stops there. The curve has one local minimum (R12). It is also convex, as the Range
        thesis says about this figure.\
        """);
  }

  @Override
  protected void fill() {
    OneRange setting = OneRange.HUNDRED.withRange(40);
    Chart chart =
        chart(
            "Rate over the shift with the search path to its minimum",
            "Search down to s = 3: 40 of 1000 numbers, 512 bits, k = 8",
            Axis.linear("shift s").between(0, 9),
            Axis.log("false positive rate").between(1e-5, 1e-2));
    Points rates = chart.curve("Eq. 3-10", 6);
    Points path = chart.curve("the search, up to s = 4", 0);
    Points marked = chart.marks("document: s = 3", 4);
    columns("s, Eq. 3-10");
    for (int shift = 1; shift <= setting.hashes(); shift++) {
      double rate = setting.shape(1, shift).fpp();
      rates.add(shift, rate);
      row(shift, rate);
      if (shift <= 4) {
        path.add(shift, rate);
      }
    }
    int convex = 0;
    double[] ys = rates.ys();
    marked.add(3, ys[2]);
    for (int i = 1; i < ys.length - 1; i++) {
      convex += ys[i - 1] - 2 * ys[i] + ys[i + 1] > 0 ? 1 : 0;
    }
    number("best-s", "s with the lowest rate").printed(3, 0).formula(rates.lowestX());
    number("rate", "rate at s = 3").formula(ys[2]);
    number("minima", "local minima for s = 1 to 8")
        .printed(1, 0)
        .formula(rates.localMinima())
        .erratum("R12");
    number("convex", "shifts 2 to 7 at which the curve is convex").printed(6, 0).formula(convex);
  }
}
