package dev.bellows.papers.range;

import dev.bellows.papers.Measured;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.range.RangePlan;
import java.util.Arrays;

/** The rate of Division-Overlapping over divide and shift: Figures 3-6 and 3-7, a part each. */
abstract class Surface extends Figure {
  private static final int[] DRAWN = {1, 2, 4, 8};

  private final int[] divides;
  private final int filters;
  private final String heading;
  private final Axis across;
  private final Axis upward;

  /**
   * @param divides those that are measured, ascending; the formula is drawn from the first to the
   *     last
   * @param filters how many are measured for each
   * @param heading the title of the chart
   */
  Surface(
      String number,
      String title,
      String paragraph,
      int[] divides,
      int filters,
      String heading,
      Axis across,
      Axis upward) {
    super(number, title, paragraph);
    this.divides = divides;
    this.filters = filters;
    this.heading = heading;
    this.across = across;
    this.upward = upward;
  }

  abstract void claims();

  @Override
  protected void fill() {
    columns("d, s, Eq. 3-13, exact, measured, low, high");
    Chart chart =
        chart("Rate over the dividing range, a curve for each shift", heading, across, upward);
    for (int shift = 1; shift <= OneRange.THOUSAND.hashes(); shift++) {
      int colour = Arrays.binarySearch(DRAWN, shift);
      Points formula = colour >= 0 ? chart.curve("s = " + shift, colour) : new Points();
      for (int divide = divides[0]; divide <= divides[divides.length - 1]; divide++) {
        RangePlan plan = OneRange.THOUSAND.shape(divide, shift);
        formula.add(divide, plan.fpp());
        if (colour < 0 || Arrays.binarySearch(divides, divide) < 0) {
          row(divide, shift, plan.fpp(), Double.NaN, Measured.NONE);
        }
      }
    }
    Points measured = chart.points("measured", 6);
    for (int shift : DRAWN) {
      for (int divide : divides) {
        RangePlan plan = OneRange.THOUSAND.shape(divide, shift);
        double exact = ExactRangeRates.fpp(plan);
        Measured simulation = RangeSimulation.of(plan, filters);
        measured.add(divide, simulation);
        row(divide, shift, plan.fpp(), exact, simulation);
        number("s=" + shift + "/d=" + divide, "exact mean rate")
            .formula(exact)
            .measured(simulation);
      }
    }
    claims();
  }
}
