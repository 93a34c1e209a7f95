package dev.bellows.papers.range;

import dev.bellows.internal.range.RangeRates;

/** Division and Overlapping combined: neighboring divisions share all but one position. */
final class Figure35 extends Figure {
  Figure35() {
    super(
        "3-5",
        "Division-Overlapping with s = 1 and d = 5",
        """
        Both ideas combined: five numbers form a division, and neighboring divisions share seven of
        eight positions. The 25 numbers 0 to 24 have 12 indices, as the text counts them, and the
        filter in the picture has exactly these bits. The element that is hashed is the number of
        the division (R4).\
        """);
  }

  @Override
  protected void fill() {
    Staircase stairs = new Staircase(8, 5, 1, 0, 24, 30);
    columns("column, bit");
    for (int column = 0; column < stairs.cover().insertionBits(); column++) {
      row(column, stairs.bit(column));
    }
    number("indices", "random indices of the numbers 0 to 24")
        .printed(12, 0)
        .formula(stairs.cover().insertionBits())
        .counted(stairs.ones());
    number("mean-bits", "mean insertion bits of 25 numbers over all starts, by Eq. 3-11")
        .formula(RangeRates.insertionBits(25, 5, 1, 8))
        .erratum("R1");
    number("differ", "indices in which neighboring divisions differ")
        .printed(1, 0)
        .counted(stairs.newPositions(5, 0));
    picture(
        "Thirty numbers in divisions of five; five divisions with windows of eight positions",
        stairs.draw(
            "Division-Overlapping: 0 to 24 with k = 8, d = 5, s = 1",
            "Divisions instead of numbers move the window. A range of 25 numbers sets 12 bits"
                + " where a plain filter would set 200."));
  }
}
