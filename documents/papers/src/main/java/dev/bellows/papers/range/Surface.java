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

  /** The rate of Division-Overlapping where the number of bits dominates. */
  static final class Figure36 extends Surface {
    Figure36() {
      super(
          "3-6",
          "the false positive rate of Division-Overlapping, d = 1 to 20",
          """
          A range of 1000 numbers out of 10000 in 512 bits, k = 8, by divide and shift. With small d
          and large s the filter is full and the rate is 1; every larger d and every smaller s sets
          fewer bits, and the rate falls exponentially. The curves are Eq. 3-13 for four shifts (all
          eight are in the data); the points are filters with their own hash functions and start. They
          agree with the exact mean, which lies above Eq. 3-13 where the filter is half full (C1).\
          """,
          new int[] {1, 2, 3, 4, 6, 8, 10, 14, 20},
          4000,
          "Small divisions: 1000 of 10000 numbers, 512 bits, k = 8",
          Axis.linear("dividing range d").between(0, 21),
          Axis.log("false positive rate").between(5e-4, 1.2));
    }

    @Override
    void claims() {
      number("full", "rate at d = 1, s = 8: the plain filter is full")
          .formula(OneRange.THOUSAND.shape(1, 8).fpp());
    }
  }

  /** The rate of Division-Overlapping where the dividing error dominates. */
  static final class Figure37 extends Surface {
    Figure37() {
      super(
          "3-7",
          "the false positive rate of Division-Overlapping, d = 21 to 500",
          """
          The same range of 1000 numbers out of 10000 with large divisions. Few bits are set, and what
          remains is the dividing error, (d - 1)/(R - n): a straight line, as the text says, and
          nearly the same for every shift. At d = 500 it accounts for 96 % of the rate with s = 1 and
          all of it with s = 8. The points are filters with their own hash functions and start.\
          """,
          new int[] {21, 100, 200, 300, 400, 500},
          12_000,
          "Large divisions: 1000 of 10000 numbers, 512 bits, k = 8",
          Axis.linear("dividing range d").between(0, 520),
          Axis.linear("false positive rate").between(0, 0.065));
    }

    @Override
    void claims() {
      for (int shift : new int[] {1, 8}) {
        number("s=" + shift + "/dividing-share", "share of the dividing error at d = 500")
            .printed(1, 0.05)
            .formula(499 / 9000.0 / OneRange.THOUSAND.shape(500, shift).fpp());
      }
    }
  }
}
