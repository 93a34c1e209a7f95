package dev.bellows.papers.range;

import dev.bellows.HashScheme;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.util.BitSet;

/**
 * How a range becomes bits: the numbers with their divisions, the positions that each division
 * owns, and the resulting bits. Figures 3-1, 3-3 and 3-5 are the same picture with other divides
 * and shifts.
 */
final class Staircase {
  static final int BITS = 64;
  private static final String NAME = "Range";

  private final int hashes;
  private final int divide;
  private final int shift;
  private final int low;
  private final int high;
  private final int shown;
  private final RangeCover cover;
  private final long seed;
  private final RangeBloomFilter filter;

  Staircase(int hashes, int divide, int shift, int low, int high, int shown) {
    this.hashes = hashes;
    this.divide = divide;
    this.shift = shift;
    this.low = low;
    this.high = high;
    this.shown = shown;
    this.cover = RangeCover.of(low, high - low + 1, divide, shift, hashes);
    this.seed = firstWithoutCoincidence();
    this.filter = filter(seed, hashes, shift);
    filter.putRange(NAME, low, high);
  }

  private long firstWithoutCoincidence() {
    long candidate = 0;
    while (ones(candidate, hashes, shift, low, high).cardinality() < cover.insertionBits()) {
      candidate++;
    }
    return candidate;
  }

  private RangeBloomFilter filter(long ownSeed, int ownHashes, int ownShift) {
    Domain domain = Domain.of(0, 999);
    return RangeBloomFilter.create(
        RangeSchema.of(
            BITS,
            ownHashes,
            Attribute.divisionOverlapping(NAME, domain, ownHashes, divide, ownShift)),
        HashScheme.xxh3(ownSeed));
  }

  private BitSet ones(long ownSeed, int ownHashes, int ownShift, long from, long to) {
    RangeBloomFilter own = filter(ownSeed, ownHashes, ownShift);
    own.putRange(NAME, from, to);
    return Sketch.ones(own);
  }

  RangeCover cover() {
    return cover;
  }

  /** Returns whether the filter that holds the range accepts the number. */
  boolean accepts(long number) {
    return filter.mightContain(NAME, number);
  }

  /** Returns the numbers shown that the filter accepts. */
  int accepted() {
    int count = 0;
    for (int number = 0; number < shown; number++) {
      count += accepts(number) ? 1 : 0;
    }
    return count;
  }

  /** Returns the bits that the range set. */
  int ones() {
    return Sketch.ones(filter).cardinality();
  }

  /** Returns how many of its positions a number does not share with another. */
  int newPositions(long number, long other) {
    BitSet own = ones(seed, hashes, shift, number, number);
    own.andNot(ones(seed, hashes, shift, other, other));
    return own.cardinality();
  }

  /** Returns the bit behind a column: hash function {@code column % shift} of a division. */
  int bit(int column) {
    int hash = column % shift + 1;
    long number = (cover.firstDivision() + column / shift) * divide;
    BitSet own = ones(seed, hash, hash, number, number);
    if (hash > 1) {
      own.andNot(ones(seed, hash - 1, hash - 1, number, number));
    }
    return own.nextSetBit(0);
  }

  /** Draws it with a title and a caption. */
  String draw(String title, String caption) {
    int rows = (int) cover.divisions();
    int columns = (int) cover.insertionBits();
    double stairs = 168;
    double bitsAt = stairs + 30 * rows + 84;
    Sketch sketch = Sketch.of(title, bitsAt + 14, caption);
    sketch
        .strip(60, 32, shown, this::tint)
        .numbers(81, shown, shown > 25 ? 13 : 15, Integer::toString);
    for (int i = 0; i * divide <= shown && divide > 1; i++) {
      double x = Sketch.LEFT + i * divide * Sketch.cell(shown);
      sketch.svg().line(x, 54, x, 98, "line l6");
    }
    keys(sketch);
    double left = 148;
    double width = (Sketch.WIDTH - Sketch.LEFT - left) / columns;
    for (int column = 0; column < columns; column++) {
      String name =
          "H"
              + subscript(column % shift + 1)
              + "("
              + (cover.firstDivision() + column / shift)
              + ")";
      double x = left + (column + 0.5) * width;
      sketch.svg().text(x, stairs - 8, name, "middle", 13, "soft");
      sketch
          .svg()
          .line(x, stairs + 30 * rows, Sketch.middle(bit(column), BITS), bitsAt - 2, "thin l0");
    }
    for (int row = 0; row < rows; row++) {
      long from = (cover.firstDivision() + row) * divide;
      String label = divide == 1 ? "number " + from : from + " to " + (from + divide - 1);
      sketch.svg().text(Sketch.LEFT, stairs + 30 * row + 20, label, "");
      for (int column = 0; column < columns; column++) {
        boolean owned = column >= row * shift && column < row * shift + hashes;
        sketch.cell(left + column * width, stairs + 30 * row, width, 30, owned ? "t0" : "");
      }
    }
    BitSet ones = Sketch.ones(filter);
    sketch.strip(bitsAt, 30, BITS, i -> ones.get(i) ? "f0" : "");
    sketch.svg().text(Sketch.LEFT, bitsAt - 12, BITS + " bits", "soft");
    return sketch.toString();
  }

  private String tint(int number) {
    if (number >= low && number <= high) {
      return "t0";
    }
    long division = Math.floorDiv(number, divide);
    if (division >= cover.firstDivision() && division <= cover.lastDivision()) {
      return "t1";
    }
    long steps = Math.max(cover.firstDivision() - division, division - cover.lastDivision());
    return shift < hashes && steps <= (hashes - 1) / shift ? "t2" : "";
  }

  private void keys(Sketch sketch) {
    double x = Sketch.LEFT;
    sketch.key(x, 126, "t0", "in the range");
    if (cover.leftErrors() + cover.rightErrors() > 0) {
      x += 180;
      sketch.key(x, 126, "t1", "accepted with its division");
    }
    if (shift < hashes) {
      x += 180;
      sketch.key(x, 126, "t2", "shares positions with the range");
    }
  }

  private static String subscript(int digit) {
    return String.valueOf((char) ('₀' + digit));
  }
}
