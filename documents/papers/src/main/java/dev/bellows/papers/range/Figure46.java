package dev.bellows.papers.range;

import dev.bellows.papers.Measured;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.range.RangePlan;
import java.util.Arrays;

/** One hash instance compared with the average over instances: why Figure 4-6 deviates. */
final class Figure46 extends Figure {
  private static final int INSTANCES = 60;
  private static final int FILTERS = 20_000;
  private static final String AGE = "Age";

  Figure46() {
    super(
        "4-6",
        "analysis and one hash instance",
        """
        Ages, 4 to 60 numbers out of 120, at the best divide and shift with k = 8. The Range thesis
        queries every range and every number with its one hash function, MD5 of name and number,
        and finds rates far from the formula. The reason is not the quality of the hash (R16): one
        name and 120 numbers determine a single instance, and the formula is an average over
        instances. Sixty instances, of this library's hash or of the thesis's MD5 and SHA-256 words
        alike, range from zero to several times the average; with 44 ages a quarter of them or more
        have no false positive at all. With new hash functions for each filter, both hashes agree
        with the exact mean wherever it is large enough to measure. The second picture is k = 12;
        rates below 20 ages, which are nearly zero, are in the data.\
        """,
        Pace.SLOW);
  }

  @Override
  protected void fill() {
    columns(
        "k, n, d, s, Eq. 3-13, exact, library mean, low, high, thesis mean, thesis low",
        "thesis high, Age by digests, lowest instance, median instance, highest instance");
    ages(8);
    ages(12);
  }

  private void ages(int hashes) {
    Chart chart =
        chart(
            "Rates of ages, k = " + hashes + ": formula, means and single instances",
            "20 to 60 of 120 ages in 512 bits, k = " + hashes,
            Axis.linear("numbers in the range n").between(18, 62),
            Axis.linear("false positive rate").between(0, hashes == 8 ? 0.004 : 0.006));
    Points middle = chart.points("60 instances: median, extremes", 6);
    Points formula = chart.curve("Eq. 3-13", 0);
    Points library = chart.points("mean, this library's hash", 2);
    Points thesis = chart.points("mean, thesis's digests", 1);
    Points age = chart.marks("one instance: \"Age\"", 4);
    for (int range = 4; range <= 60; range += 8) {
      RangePlan plan = new OneRange(512, hashes, 120, range).best();
      double exact = ExactRangeRates.fpp(plan);
      Measured ours = RangeSimulation.of(plan, RangeHolder.library(plan), FILTERS);
      Measured theirs = RangeSimulation.of(plan, RangeHolder.thesis(plan, AGE), FILTERS);
      double[] single = RangeSimulation.instances(plan, RangeHolder.thesis(plan, AGE), INSTANCES);
      double named = single[0];
      double[] sorted = single.clone();
      Arrays.sort(sorted);
      double median = (sorted[INSTANCES / 2 - 1] + sorted[INSTANCES / 2]) / 2;
      formula.add(range, plan.fpp());
      library.add(range - 0.6, ours);
      thesis.add(range + 0.6, theirs);
      age.add(range, named);
      middle.add(range, median, sorted[0], sorted[INSTANCES - 1]);
      row(
          hashes,
          range,
          plan.divide(),
          plan.shift(),
          plan.fpp(),
          exact,
          ours,
          theirs,
          named,
          sorted[0],
          median,
          sorted[INSTANCES - 1]);
      String place = "k=" + hashes + "/n=" + range;
      number(place + "/library", "exact mean rate, this library's hash")
          .formula(exact)
          .measured(ours);
      number(place + "/digests", "exact mean rate, MD5 and SHA-256 words")
          .formula(exact)
          .measured(theirs);
      if (range >= 44) {
        number(
                place + "/age",
                "Eq. 3-13 compared with the one instance \"Age\" by digests, all cases")
            .formula(plan.fpp())
            .counted(named)
            .erratum("R16");
      }
      if (range == 44) {
        distribution(place, plan, sorted, median);
      }
    }
  }

  private void distribution(String place, RangePlan plan, double[] digests, double median) {
    double[] ours = RangeSimulation.instances(plan, RangeHolder.library(plan), INSTANCES);
    Arrays.sort(ours);
    number(place + "/digests/median-share", "median instance divided by the mean, digests")
        .formula(median / ExactRangeRates.fpp(plan))
        .erratum("R16");
    number(place + "/digests/zeros", "of 60 instances by digests, those without a false positive")
        .counted(zeros(digests))
        .erratum("R16");
    number(
            place + "/library/zeros",
            "of 60 instances of this library, those without a false positive")
        .counted(zeros(ours))
        .erratum("R16");
  }

  private static double zeros(double[] rates) {
    return Arrays.stream(rates).filter(rate -> rate == 0).count();
  }
}
