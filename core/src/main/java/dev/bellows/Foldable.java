package dev.bellows;

import dev.bellows.internal.base.Checks;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * A filter of equal cells that folds to divisors of their number without losing a key: filters of
 * this library and of others.
 *
 * @param <F> the filter itself
 */
public interface Foldable<F extends Foldable<F>> {
  /** The size, m: bits or counters. */
  long bits();

  /** Positions per key, k. */
  int hashes();

  /** The false positive rate of this filter itself, from its real fill. */
  double expectedFpp();

  /**
   * The estimated number of distinct keys. Never throws: on a full filter it is the number of keys
   * that leaves half a zero bit in the mean, which is a lower bound.
   */
  long approximateElementCount();

  /** The length of its file in bytes. */
  long sizeInBytes();

  /**
   * All sizes this filter folds to, ascending, its own size included, each with the rate to expect.
   */
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
      // by chance the expected rate may be too high or too low: the real fill of a folding decides
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

  /**
   * One step of a ladder: a size a filter can fold to.
   *
   * @param bits the folded size
   * @param factor the fold factor that leads to it
   * @param expectedFpp the false positive rate to expect there, from the filter's real fill
   */
  record FoldSize(long bits, long factor, double expectedFpp) {}
}
