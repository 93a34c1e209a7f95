package dev.bellows.papers.range;

import dev.bellows.papers.Measured;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.range.RangePlan;

/** The rate of Division-Overlapping over divide and shift: Figures 3-6 and 3-7, a part each. */
abstract class Surface extends Figure {
  private static final int[] DRAWN = {1, 2, 4, 8};

  private final int first;
  private final int last;
  private final int[] divides;
  private final int filters;

  Surface(
      String number,
      String title,
      String paragraph,
      int first,
      int last,
      int[] divides,
      int filters) {
    super(number, title, paragraph);
    this.first = first;
    this.last = last;
    this.divides = divides;
    this.filters = filters;
  }

  abstract Chart chart();

  abstract void claims();

  @Override
  protected void fill() {
    columns("d, s, Eq. 3-13, exact, measured, low, high");
    for (int shift = 1; shift <= OneRange.THOUSAND.hashes(); shift++) {
      for (int divide = first; divide <= last; divide++) {
        RangePlan plan = OneRange.THOUSAND.shape(divide, shift);
        if (!in(DRAWN, shift) || !in(divides, divide)) {
          row(divide, shift, plan.fpp(), Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
      }
    }
    Chart chart = chart();
    int colour = 0;
    for (int shift : DRAWN) {
      Points formula = new Points();
      for (int divide = first; divide <= last; divide++) {
        formula.add(divide, OneRange.THOUSAND.shape(divide, shift).fpp());
      }
      chart.curve("s = " + shift, colour++, formula);
    }
    Points measured = new Points();
    for (int shift : DRAWN) {
      for (int divide : divides) {
        RangePlan plan = OneRange.THOUSAND.shape(divide, shift);
        double exact = OneRange.exact(plan);
        Measured simulation = RangeSimulation.of(plan, filters);
        measured.add(divide, simulation);
        row(divide, shift, plan.fpp(), exact, simulation);
        number("s=" + shift + "/d=" + divide, "exact mean rate")
            .formula(exact)
            .measured(simulation);
      }
    }
    chart.points("measured", 6, measured);
    claims();
    picture("Rate over the dividing range, a curve for each shift", chart);
  }

  private static boolean in(int[] values, int value) {
    for (int candidate : values) {
      if (candidate == value) {
        return true;
      }
    }
    return false;
  }

  static Axis rates(boolean logarithmic) {
    return logarithmic ? Axis.log("false positive rate") : Axis.linear("false positive rate");
  }
}
