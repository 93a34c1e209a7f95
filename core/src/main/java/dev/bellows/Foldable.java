package dev.bellows;

import dev.bellows.internal.base.Checks;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Cells of equal size that fold to divisors of their number without losing a key: our filters and
 * those of other libraries.
 *
 * @param <F> the filter itself
 */
public interface Foldable<F extends Foldable<F>> {
  /** The size, m: bits or counters. */
  long bits();

  /** Positions per key, k. */
  int hashes();

  /** The false positive rate of this very filter, from its real fill. */
  double expectedFpp();

  /**
   * The estimated number of distinct keys. Never throws: on a full filter it is the number that
   * would have left half a bit, so "at least so many".
   */
  long approximateElementCount();

  /** The length of its file in bytes. */
  long sizeInBytes();

  /** All sizes this filter folds to, ascending, itself included, with the rate to expect. */
  List<FoldSize> ladder();

  /**
   * The filter folded by a factor: a smaller filter with the same keys, bit for bit the one that
   * would have been built at that size (000 Eq 3). This filter stays as it is.
   */
  F foldBy(long factor);

  /** The filter folded to a size on its ladder. */
  F foldTo(long bits);

  /** The smallest folding whose rate, from its real fill, is at most fpp. */
  default F foldToFpp(double fpp) {
    Checks.probability(fpp, "fpp");
    for (FoldSize size : ladder()) {
      // the expected rate may be off either way by chance; a folding is judged by its real fill
      if (size.expectedFpp() <= 2 * fpp) {
        F folded = foldBy(size.factor());
        if (folded.expectedFpp() <= fpp) {
          return folded;
        }
      }
    }
    throw new IllegalArgumentException(
        "no folding has fpp %s: even the unfolded %d bits have %s"
            .formatted(fpp, bits(), expectedFpp()));
  }

  /** Writes it in its format. */
  void writeTo(OutputStream out) throws IOException;
}
