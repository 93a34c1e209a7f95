package dev.bellows.papers.range;

import dev.bellows.internal.range.HashOffset;
import dev.bellows.internal.range.RangeRates;

/** Overlapping: neighboring numbers share all but one position. */
final class Figure33 extends Figure {
  private static final int HASHES = 8;

  Figure33() {
    super(
        "3-3",
        "Overlapping with s = 1",
        """
        Every number is put, but neighbors share all but s of their k positions: the window of
        eight positions moves by one. Five numbers set 12 bits instead of 40, and one hash function
        is enough. The price is a higher rate for numbers near the range: number 5 has a single
        position that is not set by the range. The text says that 0 and 3 differ in two indices;
        they differ in three (R5).\
        """);
  }

  @Override
  protected void fill() {
    Staircase stairs = new Staircase(HASHES, 1, 1, 0, 4, 13);
    columns("number, distance, own positions");
    for (int number = 0; number < 13; number++) {
      int distance = Math.max(0, number - 4);
      row(number, distance, newPositions(distance));
    }
    number("bits", "insertion bits of five numbers, k + (n - 1)")
        .printed(12, 0)
        .formula(RangeRates.insertionBits(5, 1, 1, HASHES))
        .counted(stairs.cover().insertionBits());
    number("differ-0-1", "indices in which 0 and 1 differ")
        .printed(1, 0)
        .formula(newPositions(1))
        .counted(stairs.newPositions(1, 0));
    number("differ-0-3", "indices in which 0 and 3 differ")
        .printed(2, 0)
        .formula(newPositions(3))
        .counted(stairs.newPositions(3, 0))
        .erratum("R5");
    number("reach", "neighbors on one side that share an index, r")
        .formula(HashOffset.reach(HASHES, 1));
    picture(
        "Five numbers, each with a window of eight positions, shifted by one",
        stairs.draw(
            "Overlapping: 0 to 4 with k = 8, s = 1",
            "A number has eight positions and shares seven of them with each neighbor. The"
                + " whole range sets 12 bits. The green numbers are outside, but fewer than"
                + " eight positions distinguish them from the range."));
  }

  /** Returns how many positions a neighbor at this distance does not share (erratum R5). */
  static int newPositions(int distance) {
    return Math.min(HASHES, distance);
  }
}
