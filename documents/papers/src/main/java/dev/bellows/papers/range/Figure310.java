package dev.bellows.papers.range;

import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.range.RangePlan;

/** The search for the best divide and shift together, and where the printed one fails. */
final class Figure310 extends Figure {
  Figure310() {
    super(
        "3-10",
        "searching divide and shift together",
        """
        For 1000 of 10000 numbers the search follows s = 1 to its minimum at d = 6, finds the
        minimum along s = 2 worse, and returns (6, 1), which an exhaustive search confirms. In
        general, a first minimum is not the lowest (R12): with 16 bits and k = 12 the printed search
        stops at (1, 1), although (2, 3) is better; with 32 bits and k = 24 it loses 9 %. On a
        plateau of rate 1 it returns nothing at all (R11). This library searches exhaustively.\
        """);
  }

  @Override
  protected void fill() {
    PrintedSearch search = new PrintedSearch(OneRange.THOUSAND);
    RangePlan best = OneRange.THOUSAND.best();
    columns("d, s, Eq. 3-13, on the path");
    Chart chart =
        chart(
            "Rate over the dividing range by shift with the search path",
            "Search down to (6, 1): 1000 of 10000 numbers, 512 bits, k = 8",
            Axis.linear("dividing range d").between(0, 25),
            Axis.log("false positive rate").between(5e-4, 1.2));
    int colour = 1;
    for (int shift : new int[] {1, 2, 3, 4, 8}) {
      Points rates = chart.dashed("s = " + shift, colour++);
      for (int divide = 1; divide <= 24; divide++) {
        RangePlan plan = OneRange.THOUSAND.shape(divide, shift);
        rates.add(divide, plan.fpp());
        row(divide, shift, plan.fpp(), search.path().contains(plan) ? 1 : 0);
      }
    }
    Points path = chart.curve("the search", 0);
    int last = 1;
    for (RangePlan plan : search.path()) {
      path.add(plan.shift() == last ? plan.divide() : Double.NaN, plan.fpp());
      if (plan.shift() != last) {
        last = plan.shift();
        path.add(plan.divide(), plan.fpp());
      }
    }
    chart.marks("document: (6, 1)", 4).add(6, best.fpp());
    number("found/d", "d that the printed search returns")
        .printed(6, 0)
        .formula(best.divide())
        .counted(search.found().divide());
    number("found/s", "s that the printed search returns")
        .printed(1, 0)
        .formula(best.shift())
        .counted(search.found().shift());
    number("rate", "rate at (6, 1), in Table 4-1 for n = 1000")
        .printed("0.0011")
        .formula(best.fpp());
    stopsEarly(new OneRange(16, 12, 120, 5));
    stopsEarly(new OneRange(32, 24, 10_000, 8));
    PrintedSearch plateau = new PrintedSearch(new OneRange(512, 8, 5_000_001, 500_000));
    number("plateau", "shapes that the printed search finds for 500000 of 5000001 numbers")
        .printed(1, 0)
        .formula(plateau.stops().size())
        .erratum("R11");
  }

  /** A setting where the first minimum is not the lowest. */
  private void stopsEarly(OneRange setting) {
    RangePlan found = new PrintedSearch(setting).found();
    RangePlan best = setting.best();
    number(
            "m=%d/k=%d/n=%d".formatted(setting.bits(), setting.hashes(), setting.range()),
            "rate of (%d, %d), where the printed search stops; the lowest is at (%d, %d)"
                .formatted(found.divide(), found.shift(), best.divide(), best.shift()))
        .stated(found.fpp(), 0)
        .formula(best.fpp())
        .erratum("R12");
  }
}
