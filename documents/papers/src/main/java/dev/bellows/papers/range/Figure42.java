package dev.bellows.papers.range;

import dev.bellows.papers.Measured;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.range.RangePlan;
import java.util.Arrays;

/** Division-Overlapping at its best with 8 and with 12 hash functions, formula and measured. */
final class Figure42 extends Figure {
  private static final int FILTERS = 20_000;

  Figure42() {
    super(
        "4-2",
        "theory and simulation by the size of the range, k = 8 and 12",
        """
        Ranges of 100 to 1000 numbers out of 10000 in 512 bits at the best divide and shift. The
        hollow marks are the rates of Table 4-1, which truncates its digits; the curves are Eq. 3-13
        and pass through them. The points are filters with their own hash functions and start and
        agree with the exact mean. Twelve hash functions are better than eight for every range, and
        set more bits for every range, as the text says.\
        """,
        Pace.SLOW);
  }

  @Override
  protected void fill() {
    columns("k, n, d, s, bits, Eq. 3-13, exact, measured, low, high, printed");
    Chart chart =
        chart(
            "Rates for 8 and 12 hash functions over the size of the range",
            "Best divide and shift: up to 1000 of 10000 numbers, 512 bits",
            Axis.linear("numbers in the range n").between(50, 1050),
            Axis.log("false positive rate").between(1e-5, 2e-3));
    int[] counts = {8, 12};
    Points[] formula = new Points[counts.length];
    Arrays.setAll(formula, i -> chart.curve("Eq. 3-13, k = " + counts[i], i));
    Points measured = chart.points("measured", 6);
    Points printed = chart.marks("Table 4-1", 4);
    Points[] bits = {new Points(), new Points()};
    for (int i = 0; i < counts.length; i++) {
      int hashes = counts[i];
      for (int j = 0; j < 10; j++) {
        int range = 100 * (j + 1);
        RangePlan plan = OneRange.THOUSAND.withHashes(hashes).withRange(range).best();
        double exact = ExactRangeRates.fpp(plan);
        Measured simulation = RangeSimulation.of(plan, FILTERS);
        String digits = Table41.printedRate("k=" + hashes, j);
        formula[i].add(range, plan.fpp());
        bits[i].add(range, plan.insertionBits());
        measured.add(range, simulation);
        printed.add(range, Double.parseDouble(digits));
        row(
            hashes,
            range,
            plan.divide(),
            plan.shift(),
            plan.insertionBits(),
            plan.fpp(),
            exact,
            simulation,
            Double.parseDouble(digits));
        String place = "k=" + hashes + "/n=" + range;
        number(place, "Eq. 3-13 at its best, the mark from Table 4-1")
            .printed(digits)
            .formula(plan.fpp());
        number(place + "/measured", "exact mean rate").formula(exact).measured(simulation);
      }
    }
    number("better", "of the ten ranges, those where k = 12 is better than k = 8")
        .printed(10, 0)
        .formula(formula[1].below(formula[0]));
    number("more-bits", "of the ten ranges, those where k = 12 sets more bits")
        .printed(10, 0)
        .formula(bits[0].below(bits[1]));
  }
}
