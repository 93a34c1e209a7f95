package dev.bellows.papers.range;

import dev.bellows.papers.draw.Axis;

/** The rate of Division-Overlapping where the number of bits dominates. */
final class Figure36 extends Surface {
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
