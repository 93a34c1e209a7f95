package dev.bellows.papers.range;

import dev.bellows.internal.range.RangeRates;

/** Division: five neighboring numbers form one key. */
final class Figure31 extends Figure {
  Figure31() {
    super(
        "3-1",
        "numbers grouped into divisions",
        """
        With dividing range 5, the twelve numbers 2 to 13 become three keys, {0}, {5} and {10}. The
        picture shows the divisions, the positions of each (four hash functions here) and the real
        bits of a filter of 64 bits. The price is the dividing error: 0, 1 and 14 are accepted
        although they are outside; averaged over all starts the error is d - 1 = 4 numbers (R3).\
        """);
  }

  @Override
  protected void fill() {
    Staircase stairs = new Staircase(4, 5, 4, 2, 13, 20);
    double meanErrors = 0;
    for (int start = 0; start < 5; start++) {
      RangeCover cover = RangeCover.of(start, 12, 5, 4, 4);
      meanErrors += (cover.leftErrors() + cover.rightErrors()) / 5.0;
    }
    columns("number, division, accepted");
    for (int number = 0; number < 20; number++) {
      row(number, number / 5 * 5, stairs.accepts(number) ? 1 : 0);
    }
    number("keys", "divisions of 2 to 13").printed(3, 0).formula(stairs.cover().divisions());
    number("bits", "insertion bits with four hash functions")
        .formula(stairs.cover().insertionBits())
        .counted(stairs.cover().divisions() * 4.0);
    number("number-14", "1 iff the outside number 14 is accepted")
        .printed(1, 0)
        .counted(stairs.accepts(14) ? 1 : 0);
    number("accepted", "numbers of 0 to 19 that the filter accepts")
        .formula(12 + stairs.cover().leftErrors() + stairs.cover().rightErrors())
        .counted(stairs.accepted());
    number("mean-errors", "mean dividing errors over all starts, d - 1")
        .printed(4, 0)
        .formula(meanErrors)
        .erratum("R3");
    number("mean-bits", "mean insertion bits over all starts, by Eq. 3-1 with a ceiling")
        .formula(RangeRates.insertionBits(12, 5, 4, 4))
        .erratum("R1");
    picture(
        "Twenty numbers in divisions of five; three divisions with four positions each",
        stairs.draw(
            "Division: 2 to 13 as three keys, d = 5",
            "Each division has its own positions, so a range of three divisions sets 12 bits"
                + " where its 12 numbers would set 48. This library hashes the index of a division"
                + " (0, 1, 2); the document hashes its first member (0, 5, 10)."));
  }
}
