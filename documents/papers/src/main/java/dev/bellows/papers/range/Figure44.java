package dev.bellows.papers.range;

import dev.bellows.papers.Measured;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.range.ProfilePlan;

/** Ten attributes in one filter by the elements put, with 8 and with 12 hash functions. */
final class Figure44 extends Figure {
  private static final int FILTERS = 20_000;

  Figure44() {
    super(
        "4-4",
        "several attributes in one filter, theory and simulation",
        """
        The ten attributes of Table 4-2 in 512 bits; the ranges grow from a tenth of the largest to
        the largest, 50028 to 500235 elements in total. The curves are the average rate by Eq. 3-15
        over all ten attributes with the bits of all of them (R7), at the best divides and shifts.
        The points are filters, each with its own ranges, texts and hash functions. The mark is the
        printed average for k = 8. Twelve hash functions are better than eight throughout, as the
        text says.\
        """,
        Pace.SLOW);
  }

  @Override
  protected void fill() {
    columns("k, elements, bits, Eq. 3-15, exact, measured, low, high");
    Chart chart =
        chart(
            "Average rate over the elements put, for 8 and 12 hash functions",
            "Ten attributes in 512 bits",
            Axis.linear("elements put").between(0, 520_000),
            Axis.linear("average false positive rate").between(0, 0.0012));
    Points[] formula = new Points[2];
    for (int i = 0; i < 2; i++) {
      int hashes = i == 0 ? 8 : 12;
      Points measured = chart.points("measured", i);
      formula[i] = chart.curve("Eq. 3-15, k = " + hashes, i);
      for (int step = 1; step <= SystemAttributes.STEPS; step++) {
        ProfilePlan plan = SystemAttributes.plan(step, hashes);
        long elements = SystemAttributes.elements(step);
        formula[i].add(elements, plan.averageFpp());
        if (step % 3 != (i == 0 ? 1 : 0)) {
          row(hashes, elements, plan.totalBits(), plan.averageFpp(), Double.NaN, Measured.NONE);
          continue;
        }
        double exact = SystemAttributes.exact(plan);
        Measured simulation = ProfileSimulation.of(plan, FILTERS).average();
        measured.add(elements, simulation);
        row(hashes, elements, plan.totalBits(), plan.averageFpp(), exact, simulation);
        number("k=" + hashes + "/elements=" + elements, "exact mean of the average rate")
            .formula(exact)
            .measured(simulation);
      }
    }
    long all = SystemAttributes.elements(SystemAttributes.STEPS);
    chart.marks("Table 4-3, k = 8", 4).add(all, 7.35e-4);
    number("elements", "elements put at the largest ranges")
        .printed(500_235, 0)
        .formula(all)
        .erratum("R9");
    number("k=8/average", "average rate at the largest ranges")
        .printed("7.35e-4")
        .formula(formula[0].ys()[9]);
    number("better", "of the ten sizes, those where k = 12 is better than k = 8")
        .printed(10, 0)
        .formula(formula[1].below(formula[0]));
  }
}
