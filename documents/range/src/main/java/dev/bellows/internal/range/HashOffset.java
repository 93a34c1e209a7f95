package dev.bellows.internal.range;

import dev.bellows.internal.base.Checks;
import java.util.ArrayList;
import java.util.List;

/**
 * One position of a number or division e: the hash function number {@code hash}, counted from 1,
 * applied to {@code e + offset} (Range thesis, Eq. 3-6; see erratum <a
 * href="{@docRoot}/doc-files/errata.html#R4">R4</a>).
 */
public record HashOffset(int hash, int offset) {
  /**
   * Returns the {@code hashes} positions that belong to one number: hash functions 1 to {@code
   * shift} at offset 0, then at offset 1 and so on. Only {@code shift} hash functions are needed,
   * and neighbors share all but {@code shift} positions. Offsets may go beyond the upper end of the
   * domain.
   */
  public static List<HashOffset> indices(int hashes, int shift) {
    Checks.positive(hashes, "hashes");
    RangeRates.checkShift(shift, hashes);
    List<HashOffset> indices = new ArrayList<>(hashes);
    for (int i = 0; i < hashes; i++) {
      indices.add(new HashOffset(i % shift + 1, i / shift));
    }
    return List.copyOf(indices);
  }

  /**
   * Returns {@code ceil(k/s) - 1}: the largest distance of neighbors that share a position (Range
   * thesis, Eq. 3-7).
   */
  public static int reach(int hashes, int shift) {
    RangeRates.checkShift(shift, hashes);
    return (hashes - 1) / shift;
  }
}
