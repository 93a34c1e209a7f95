package dev.bellows;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * A filter, of this library or another one, that consists of equal cells and folds to divisors of
 * their number without losing a key.
 *
 * @param <F> the filter itself
 */
public interface Foldable<F extends Foldable<F>> {
  /** Returns the size m: the number of bits or counters. */
  long bits();

  /** Returns the number of positions per key, k. */
  int hashes();

  /** Returns the false positive rate of this filter itself, from its actual fill. */
  double expectedFpp();

  /**
   * Returns the estimated number of distinct keys. This method never throws: for a full filter, it
   * returns the number of keys that leaves half a zero bit on average, which is a lower bound.
   */
  long approximateElementCount();

  /** Returns the size of the filter's file in bytes. */
  long sizeInBytes();

  /**
   * Returns all sizes to which this filter folds, in ascending order and including its own, each
   * with its expected rate.
   */
  List<FoldSize> ladder();

  /**
   * Returns this filter folded by a factor: a smaller filter with the same keys, bit for bit
   * identical to one built at that size (Folding paper, Eq. 3). This filter does not change.
   */
  F foldBy(long factor);

  /** Returns this filter folded to a size on its ladder. */
  F foldTo(long bits);

  /** Returns the smallest folding whose rate, from its actual fill, is at most {@code fpp}. */
  default F foldToFpp(double fpp) {
    Checks.probability(fpp, "fpp");
    for (FoldSize size : ladder()) {
      // the expected rate is only a prediction: the rate from the actual fill decides
      if (size.expectedFpp() <= 2 * fpp) {
        F folded = foldBy(size.factor());
        if (folded.expectedFpp() <= fpp) {
          return folded;
        }
      }
    }
    throw new IllegalArgumentException(
        "no folding has fpp %s: even the unfolded %d bits have %s"
            .formatted(fpp, bits(), Prose.fpp(expectedFpp())));
  }

  /** Writes this filter in its own format. */
  void writeTo(OutputStream out) throws IOException;

  /**
   * One step of a ladder: a size to which a filter can fold.
   *
   * @param bits the folded size
   * @param factor the fold factor from the filter's size to this one
   * @param expectedFpp the expected false positive rate at that size, from the filter's actual fill
   */
  record FoldSize(long bits, long factor, double expectedFpp) {}
}
