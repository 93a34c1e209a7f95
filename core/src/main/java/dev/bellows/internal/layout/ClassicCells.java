package dev.bellows.internal.layout;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.math.JointRates;
import org.jspecify.annotations.Nullable;

/**
 * A cell is one bit and a key marks k of them: the filter of the documents, with the formulas of
 * {@link BloomRates}.
 *
 * @param hashes bits per key
 */
public record ClassicCells(int hashes) implements Cells {
  /** The number of the layout in files. */
  public static final int FILE_NUMBER = 0;

  private static final double FOLDABLE_SLACK = 1.03;

  /** Checks the hashes. */
  public ClassicCells {
    Checks.positive(hashes, "hashes");
  }

  static ClassicCells ofFile(int hashes, int words) {
    if (words != 0) {
      throw new IllegalArgumentException("words of the pattern " + words + ": CLASSIC has none");
    }
    return new ClassicCells(hashes);
  }

  @Override
  public Layout layout() {
    return Layout.CLASSIC;
  }

  @Override
  public String describe() {
    return layout() + " layout";
  }

  @Override
  public int fileNumber() {
    return FILE_NUMBER;
  }

  @Override
  public @Nullable Pattern pattern() {
    return null;
  }

  @Override
  public int cellBits() {
    return 1;
  }

  @Override
  public int unitBits() {
    return Long.SIZE;
  }

  @Override
  public double foldableSlack() {
    return FOLDABLE_SLACK;
  }

  @Override
  public double fpp(long bits, long keys) {
    return BloomRates.fpp(bits, keys, hashes);
  }

  @Override
  public double fppSharp(long bits, long keys) {
    return BloomRates.fppClassic(bits, keys, hashes);
  }

  @Override
  public double fppExact(long bits, long keys) {
    return BloomRates.fppExact(bits, keys, hashes);
  }

  /** The rate of these very bits. */
  @Override
  public double fppFromOnes(long bits, long ones, long factor) {
    return factor == 1
        ? BloomRates.fppFromOnes(bits, ones, hashes)
        : BloomRates.fppFolded(bits, ones, hashes, factor);
  }

  @Override
  public long bitsFor(long keys, double fpp) {
    return BloomRates.bitsFor(keys, hashes, fpp);
  }

  @Override
  public long keysFor(long bits, double fpp) {
    return BloomRates.keysFor(bits, hashes, fpp);
  }

  /** The exponential rate lies up to a share of k(k+1)/4m below the exact one (errata C1). */
  @Override
  public double guaranteed(double fpp, long bits) {
    return fpp / (1 + hashes * (hashes + 1.0) / (4.0 * bits));
  }

  @Override
  public double smallestAt(long keys, double fpp) {
    return BloomRates.bitsAt(keys, hashes, fpp);
  }

  @Override
  public double largestAt(long keys, double fpp) {
    return BloomRates.bitsAt(keys, hashes, fpp);
  }

  @Override
  public double jointFpp(long[] sizes, long keys) {
    return JointRates.fpp(sizes, keys, hashes);
  }

  @Override
  public int quickFoldings() {
    return 5;
  }

  @Override
  public String sizeFormula() {
    return "m(f) = 1 / (1 - (1 - f^(1/k))^(1/(k n)))";
  }

  @Override
  public double keysFromOnes(long bits, long ones) {
    return BloomRates.keysFromOnes(bits, ones, hashes);
  }

  /**
   * The number of bits needed is unimodal in k; for very small filters with ties the smallest k is
   * used (errata N2).
   */
  static ClassicCells smallest(long keys, double fpp) {
    int likely = BloomRates.hashesFor(fpp);
    int best = likely;
    long fewest = Long.MAX_VALUE;
    for (int k = Math.max(1, likely / 2); k <= likely + 1; k++) {
      long bits = BloomRates.bitsFor(keys, k, fpp);
      if (bits < fewest) {
        fewest = bits;
        best = k;
      }
    }
    return new ClassicCells(best);
  }
}
