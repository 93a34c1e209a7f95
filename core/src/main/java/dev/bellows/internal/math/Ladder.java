package dev.bellows.internal.math;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * The sizes that an array of equal cells folds to: the divisors of its number of cells.
 *
 * @param bits the unfolded size
 * @param cellBits the number of bits in a cell
 */
public record Ladder(long bits, int cellBits) {
  /** Returns the number of cells. */
  public long cells() {
    return bits / cellBits;
  }

  /** Returns whether the number of cells can be folded by this factor. */
  public boolean hasFactor(long factor) {
    return cells() % Checks.positive(factor, "factor") == 0;
  }

  /** Returns the factor; throws if the number of cells cannot be folded by it. */
  public long requireFactor(long factor) {
    if (!hasFactor(factor)) {
      throw new IllegalArgumentException(
          "cannot fold %d bits by %d: it does not divide the %d cells; the nearest factors are %s"
              .formatted(bits, factor, cells(), nearestDivisors(factor, 1)));
    }
    return factor;
  }

  /** Returns whether the cells can be folded to this size. */
  public boolean hasSize(long wanted) {
    return Checks.positive(wanted, "bits") % cellBits == 0 && cells() % (wanted / cellBits) == 0;
  }

  /** Returns the factor that folds to this size; throws if it is not on the ladder. */
  public long factorTo(long wanted) {
    if (!hasSize(wanted)) {
      throw new IllegalArgumentException(
          "cannot fold %d bits to %d: the nearest sizes on its ladder are %s"
              .formatted(bits, wanted, nearestSizes(wanted)));
    }
    return bits / wanted;
  }

  /** Returns all factors in descending order, so that the sizes ascend. The last factor is 1. */
  public LongStream factors() {
    return Arrays.stream(Divisors.of(cells())).map(cells -> cells() / cells);
  }

  /** Returns a line of {@code explain()}: the number of smaller sizes. */
  public String describe() {
    long sizes = Divisors.count(cells()) - 1;
    String count = sizes == 0 ? "no smaller size" : Prose.plural(sizes, "smaller size");
    return "  folds to           " + count + "\n";
  }

  /** Returns the sizes nearest to the requested one, for messages. */
  public String nearestSizes(long requested) {
    return nearestDivisors((double) requested / cellBits, cellBits);
  }

  private String nearestDivisors(double requested, long unit) {
    long below = 1;
    for (long divisor : Divisors.of(cells())) {
      if (divisor >= requested) {
        return below == divisor || requested < 1
            ? Long.toString(divisor * unit)
            : below * unit + " and " + divisor * unit;
      }
      below = divisor;
    }
    return Long.toString(below * unit);
  }
}
