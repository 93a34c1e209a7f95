package dev.bellows.papers.range;

import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;

/** Ten attributes in one filter with the best number of hash functions. */
final class Figure45 extends Figure {
  private static final int MOST_HASHES = 24;

  Figure45() {
    super(
        "4-5",
        "several attributes in one filter, the best number of hash functions",
        """
        The same ten attributes with k = 8, 12 and 15. At the largest ranges k = 15 is the best of
        all k up to 24, as the second picture shows: 14 and 16 are worse by less than half a
        percent. The marks are the printed averages of Tables 4-3 and 4-4; both are confirmed.\
        """);
  }

  @Override
  protected void fill() {
    columns("elements, k, Eq. 3-15");
    Chart chart =
        chart(
            "Average rate over the elements put, for 8, 12 and 15 hash functions",
            "Ten attributes in 512 bits",
            Axis.linear("elements put").between(0, 520_000),
            Axis.linear("average false positive rate").between(0, 0.0008));
    long all = SystemAttributes.elements(SystemAttributes.STEPS);
    int[] counts = {8, 12, 15};
    Points[] formula = new Points[counts.length];
    for (int i = 0; i < counts.length; i++) {
      formula[i] = chart.curve("k = " + counts[i], i);
      for (int step = 1; step <= SystemAttributes.STEPS; step++) {
        double rate = SystemAttributes.plan(step, counts[i]).averageFpp();
        formula[i].add(SystemAttributes.elements(step), rate);
        row(SystemAttributes.elements(step), counts[i], rate);
      }
    }
    chart.marks("Tables 4-3 and 4-4", 4).add(all, 7.35e-4).add(all, 5.72e-4);
    Chart overHashes =
        chart(
            "Average rate at the largest ranges over the number of hash functions",
            "The largest ranges, 500235 elements",
            Axis.linear("number of hash functions k").between(3, 25),
            Axis.linear("average false positive rate").between(0, 0.003));
    Points byHashes = overHashes.curve("Eq. 3-15 at the best divides and shifts", 0);
    overHashes.marks("Tables 4-3 and 4-4", 4).add(8, 7.35e-4).add(15, 5.72e-4);
    for (int hashes = 4; hashes <= MOST_HASHES; hashes++) {
      double rate = SystemAttributes.plan(SystemAttributes.STEPS, hashes).averageFpp();
      byHashes.add(hashes, rate);
      if (hashes != 8 && hashes != 12 && hashes != 15) {
        row(all, hashes, rate);
      }
    }
    number("k=8", "average rate at the largest ranges")
        .printed("7.35e-4")
        .formula(formula[0].ys()[9]);
    number("k=15", "average rate at the largest ranges")
        .printed("5.72e-4")
        .formula(formula[2].ys()[9]);
    number("best-k", "best k at the largest ranges").printed(15, 0).formula(byHashes.lowestX());
    number("better", "of the ten sizes, those where k = 15 beats 8 and 12")
        .printed(10, 0)
        .formula(formula[2].below(formula[0], formula[1]));
  }
}
