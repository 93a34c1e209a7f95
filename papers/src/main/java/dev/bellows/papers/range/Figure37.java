package dev.bellows.papers.range;

import dev.bellows.papers.draw.Axis;

/** The rate of Division-Overlapping where the dividing error dominates. */
final class Figure37 extends Surface {
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
