package dev.bellows.answers;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Divisors;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;

/**
 * A sequence of foldings: the resulting size, modulo which a hash gives its position (Folding
 * paper, Eq. 6; see erratum <a href="{@docRoot}/doc-files/errata.html#F3">F3</a>), and the cost.
 * Any order of the factors, and a single fold by their product, give the same filter (Folding
 * paper, Section III); only the cost differs.
 */
public final class FoldSteps {
  private FoldSteps() {}

  /** Returns the size after folding by every factor in turn. */
  public static long foldedSize(long capacity, long... factors) {
    long size = Checks.positive(capacity, "capacity");
    for (long factor : factors) {
      Checks.positive(factor, "factor");
      if (size % factor != 0) {
        throw new IllegalArgumentException(
            "cannot fold %d by %d: %d does not divide it (divisors: %s)"
                .formatted(size, factor, factor, Divisors.describe(size)));
      }
      size /= factor;
    }
    return size;
  }

  /**
   * Returns {@code m (1 + 1/g_1 + 1/(g_1 g_2) + ...)}: the cells read by folding step by step, less
   * than twice the capacity (Folding paper, Table II; see erratum <a
   * href="{@docRoot}/doc-files/errata.html#F8">F8</a>). One fold by the product reads m.
   */
  public static long cellsRead(long capacity, long... factors) {
    long size = Checks.positive(capacity, "capacity");
    long cells = 0;
    for (long factor : factors) {
      cells = Math.addExact(cells, size);
      size = foldedSize(size, factor);
    }
    return cells;
  }

  /**
   * Returns the order of the factors that reads the fewest cells: largest first (erratum <a
   * href="{@docRoot}/doc-files/errata.html#F8">F8</a>).
   */
  public static long[] cheapestOrder(long... factors) {
    return Arrays.stream(factors)
        .boxed()
        .sorted(Comparator.reverseOrder())
        .mapToLong(Long::longValue)
        .toArray();
  }

  /** Returns the prime factors of one fold factor, in the cheapest order. */
  public static long[] elementary(long factor) {
    return cheapestOrder(
        Divisors.factorize(factor).entrySet().stream()
            .flatMap(e -> Collections.nCopies(e.getValue(), e.getKey()).stream())
            .mapToLong(Long::longValue)
            .toArray());
  }
}
