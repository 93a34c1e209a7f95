package dev.bellows;

import dev.bellows.internal.base.Checks;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * A filter of equal cells, of this library or of another one, that folds to divisors of their
 * number without losing a key.
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
   * Returns the estimated number of distinct keys. Never throws: for a full filter it is the number
   * of keys that leaves half a zero bit on average, which is a lower bound.
   */
  long approximateElementCount();

  /** Returns the size of its file in bytes. */
  long sizeInBytes();

  /**
   * Returns all sizes that this filter folds to, in ascending order and including its own, each
   * with its expected rate.
   */
  List<FoldSize> ladder();

  /**
   * Returns this filter folded by a factor: a smaller filter with the same keys, bit for bit the
   * one that would have been built at that size (Folding paper, Eq. 3). This filter does not
   * change.
   */
  F foldBy(long factor);

  /** Returns this filter folded to a size on its ladder. */
  F foldTo(long bits);

  /** Returns the smallest folding whose rate, from its actual fill, is at most {@code fpp}. */
  default F foldToFpp(double fpp) {
    Checks.probability(fpp, "fpp");
    for (FoldSize size : ladder()) {
      // the expected rate may be too high or too low by chance: the actual fill of a folding
      // decides
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

  /** Writes this filter in its own format. */
  void writeTo(OutputStream out) throws IOException;

  /**
   * One step of a ladder: a size that a filter can fold to.
   *
   * @param bits the folded size
   * @param factor the fold factor that leads to it
   * @param expectedFpp the expected false positive rate at that size, from the filter's actual fill
   */
  record FoldSize(long bits, long factor, double expectedFpp) {}
}
