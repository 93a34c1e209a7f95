package dev.bellows.internal.layout;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.math.Divisors;
import dev.bellows.internal.math.Ladder;
import org.jspecify.annotations.Nullable;

/**
 * The mathematics of a layout: which sizes there are, which rate a size has, which size a rate
 * needs. A filter is an array of equal cells; everything that depends on what a cell is and how a
 * key marks it is in the implementations and nowhere else. {@code Positions} in the store package
 * is the other half: the same layout on real memory.
 */
public sealed interface Cells permits ClassicCells, BlockedCells {
  /** The number of the last layout in files; the first is 0. */
  int LAST_FILE_NUMBER = BlockedCells.FILE_NUMBER;

  /** The layout. */
  Layout layout();

  /** The layout in words, for {@code explain()}. */
  String describe();

  /** The number of the layout in files. */
  int fileNumber();

  /** Bits per key, k. */
  int hashes();

  /** Bits in a cell: every size is a multiple of it. */
  int cellBits();

  /** Sizes that this library chooses are multiples of this. */
  int unitBits();

  /** The factor by which a size with many divisors may exceed the need (decision 5). */
  double foldableSlack();

  /** The predicted rate of a size with this many keys, by the formula that every plan states. */
  double fpp(long bits, long keys);

  /** The predicted rate by the most precise formula that is fast to compute. */
  double fppSharp(long bits, long keys);

  /** The exact rate of a small filter; NaN where there is none, or {@link #fpp} is exact. */
  double fppExact(long bits, long keys);

  /** The rate, after folding by a factor, of a filter of which only the ones are known. */
  double fppFromOnes(long bits, long ones, long factor);

  /** The fewest bits whose predicted rate is at most fpp. */
  long bitsFor(long keys, double fpp);

  /** The most keys at which the predicted rate is at most fpp. */
  long keysFor(long bits, double fpp);

  /** The fpp to plan with so that even the exact rate of a size is at most the given one. */
  double guaranteed(double fpp, long bits);

  /** The smallest real size whose rate is at most fpp. */
  double smallestAt(long keys, double fpp);

  /** The largest real size whose rate is at least fpp. */
  double largestAt(long keys, double fpp);

  /**
   * The false positive rate of foldings to these sizes queried together; all divide one capacity.
   */
  double jointFpp(long[] sizes, long keys);

  /** The most foldings whose joint rate is computed in a moment. */
  int quickFoldings();

  /** How the sizes of a band follow from its rates, for a page. */
  String sizeFormula();

  /** The positions of a key inside its cell; null where a cell is one bit. */
  @Nullable Pattern pattern();

  /** The number of keys after which the mean number of ones is this; infinite on a full filter. */
  double keysFromOnes(long bits, long ones);

  /** Whether the keys of a layout choose their positions by a {@link Pattern}. */
  static boolean hasPattern(Layout layout) {
    return switch (layout) {
      case CLASSIC -> false;
      case BLOCKED -> true;
    };
  }

  /**
   * The cells that a file describes.
   *
   * @param words the words of the pattern, 0 where there is none
   */
  static Cells ofFile(int fileNumber, int hashes, int words) {
    return switch (fileNumber) {
      case ClassicCells.FILE_NUMBER -> ClassicCells.ofFile(hashes, words);
      case BlockedCells.FILE_NUMBER -> BlockedCells.ofFile(hashes, words);
      default -> throw new IllegalArgumentException("no layout has the number " + fileNumber);
    };
  }

  /** The cells of a plan. */
  static Cells of(Layout layout, @Nullable Pattern pattern, int hashes) {
    return pattern == null ? of(layout, hashes) : new BlockedCells(pattern);
  }

  /** The cells of a layout with this many bits per key. */
  static Cells of(Layout layout, int hashes) {
    return switch (layout) {
      case CLASSIC -> new ClassicCells(hashes);
      case BLOCKED -> BlockedCells.ofHashes(hashes);
    };
  }

  /** The cells that need the fewest bits per key for the rate; they depend on it alone. */
  static Cells forFpp(Layout layout, double fpp) {
    return switch (layout) {
      case CLASSIC -> new ClassicCells(BloomRates.hashesFor(fpp));
      case BLOCKED -> BlockedCells.forFpp(Checks.probability(fpp, "fpp"));
    };
  }

  /** The cells with the lowest rate for this many keys in this many bits. */
  static Cells best(Layout layout, long bits, long keys) {
    return switch (layout) {
      case CLASSIC -> new ClassicCells(keys == 0 ? 1 : BloomRates.bestHashes(bits, keys));
      case BLOCKED -> BlockedCells.best(bits, keys);
    };
  }

  /** The cells whose smallest size for the rate is smallest. */
  static Cells smallest(Layout layout, long keys, double fpp) {
    return switch (layout) {
      case CLASSIC -> ClassicCells.smallest(keys, fpp);
      case BLOCKED -> forFpp(layout, fpp);
    };
  }

  /** Returns the size if it is a whole number of cells. */
  default long checkedBits(long bits) {
    Checks.positive(bits, "bits");
    if (bits % cellBits() != 0) {
      long below = bits / cellBits() * cellBits();
      throw new IllegalArgumentException(
          "%s sizes are multiples of %d bits and %d is not: take %s%d, or layout CLASSIC"
              .formatted(
                  layout(),
                  cellBits(),
                  bits,
                  below == 0 ? "" : below + " or ",
                  below + cellBits()));
    }
    return bits;
  }

  /** The sizes a filter of this many bits folds to. */
  default Ladder ladder(long bits) {
    return new Ladder(checkedBits(bits), cellBits());
  }

  /** Bits at which even the exact rate is at most fpp. */
  default long guaranteedBits(long keys, double fpp) {
    return bitsFor(keys, guaranteed(fpp, bitsFor(keys, fpp)));
  }

  /** The most keys at which even the exact rate is at most fpp. */
  default long guaranteedKeys(long bits, double fpp) {
    return keysFor(bits, guaranteed(fpp, bits));
  }

  /** The size with the most divisors at most a few per cent above the need (decision 5). */
  default long foldableBits(double need) {
    if (!(need * foldableSlack() < Long.MAX_VALUE)) {
      throw new IllegalArgumentException(need + " bits are more than any filter has");
    }
    long low = Math.max(1, (long) Math.ceil(need / unitBits()));
    long high = (long) (need * foldableSlack() / unitBits());
    return unitBits() * Divisors.mostDivisible(low, Math.max(low, high));
  }
}
