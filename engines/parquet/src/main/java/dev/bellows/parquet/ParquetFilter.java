package dev.bellows.parquet;

import java.util.List;

/**
 * The filter of one column chunk, as its file has it.
 *
 * @param rowGroup the number of its row group, from 0
 * @param column the path of its column, with dots
 * @param type the type of the column
 * @param rows the rows of the row group
 * @param offset where it begins in the file
 * @param bytes its length in the file, with its header
 * @param bits its size in bits, in blocks of 256
 * @param fill the share of ones among its bits
 * @param expectedFpp the false positive rate, computed from its bits: the mean over blocks of the
 *     product over lanes
 * @param sizes the powers of two that it folds to, ascending, its own size last
 */
public record ParquetFilter(
    int rowGroup,
    String column,
    ColumnType type,
    long rows,
    long offset,
    long bytes,
    long bits,
    double fill,
    double expectedFpp,
    List<Size> sizes) {
  /**
   * A size that a filter can have.
   *
   * @param bits the size
   * @param isExact whether the filter is then bit for bit the one that a writer builds at that
   *     size; otherwise its blocks do not divide, and the OR of neighbors costs some rate
   * @param expectedFpp the exact rate at that size
   */
  public record Size(long bits, boolean isExact, double expectedFpp) {}

  /** Copies the list. */
  public ParquetFilter {
    sizes = List.copyOf(sizes);
  }

  /** Returns the smallest size with a rate of at most fpp; its own size if there is none. */
  public Size sizeFor(double fpp) {
    return sizes.stream()
        .filter(size -> size.expectedFpp() <= fpp)
        .findFirst()
        .orElse(sizes.get(sizes.size() - 1));
  }

  /** Returns the number of blocks of 256 bits. */
  public long blocks() {
    return bits / 256;
  }
}
