package dev.bellows.parquet;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.SplitBlocks;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The target of a fold: a rate or a size, for all columns or some.
 *
 * <p>Sizes are powers of two unless {@link #anySize} is requested: parquet-java, DuckDB, Trino and
 * hyparquet accept any number of blocks, but Arrow C++ and Velox refuse others than powers of two,
 * and Impala may lose keys. A filter of another size becomes a power of two too, by OR-ing each
 * block into every new one that its keys may fall into; if it cannot become smaller, the one above,
 * at a somewhat higher rate, which {@link FilterChange} states. No filter becomes smaller than
 * {@value #LEAST_BYTES} bytes.
 */
public final class FoldRequest {
  /** The smallest size, without the header. */
  public static final int LEAST_BYTES = 64;

  private static final int LEAST_BLOCKS = LEAST_BYTES / SplitBlocks.BLOCK_BYTES;

  private final @Nullable Double fpp;
  private final long bytes;
  private final Set<String> columns;
  private final boolean isAnySize;
  private final Missing missing;

  /** Columns by their field ids, with their names; none means those of {@link #columns}. */
  private final Map<Integer, String> fields;

  private FoldRequest(
      @Nullable Double fpp,
      long bytes,
      Set<String> columns,
      boolean isAnySize,
      Missing missing,
      Map<Integer, String> fields) {
    this.fpp = fpp;
    this.bytes = bytes;
    this.columns = Set.copyOf(columns);
    this.isAnySize = isAnySize;
    this.missing = missing;
    this.fields = Map.copyOf(fields);
  }

  /**
   * To the smallest size whose rate, computed from the bits, is at most fpp. A filter that has a
   * higher rate already stays as it is.
   */
  public static FoldRequest toFpp(double fpp) {
    return new FoldRequest(
        Checks.probability(fpp, "fpp"), 0, Set.of(), false, Missing.REFUSE, Map.of());
  }

  /** To the largest size of at most this many bytes of bits, in each filter. */
  public static FoldRequest toSize(long bytes) {
    return new FoldRequest(
        null,
        Checks.atLeast(LEAST_BYTES, bytes, "bytes"),
        Set.of(),
        false,
        Missing.REFUSE,
        Map.of());
  }

  /** Returns the same request for some columns only, by their paths with dots. */
  public FoldRequest columns(Set<String> paths) {
    return new FoldRequest(fpp, bytes, paths, isAnySize, missing, Map.of());
  }

  /**
   * Returns the same request for some columns only, by the field ids that table formats give to
   * columns: they stay the same when a column is renamed. In a file whose columns have no ids, the
   * names count. A column that a file does not have, or that has no filter, is left alone.
   *
   * @param names the columns' paths with dots, by their ids
   */
  public FoldRequest fields(Map<Integer, String> names) {
    return new FoldRequest(fpp, bytes, Set.of(), isAnySize, Missing.SKIP, names);
  }

  /** Returns the columns that are chosen by their ids. */
  Map<Integer, String> fields() {
    return fields;
  }

  /** Returns the same request with every divisor of a filter's blocks as a possible size. */
  public FoldRequest anySize() {
    return new FoldRequest(fpp, bytes, columns, true, missing, fields);
  }

  /** Returns the same request with another way to treat named columns that have no filter. */
  public FoldRequest missing(Missing answer) {
    return new FoldRequest(fpp, bytes, columns, isAnySize, answer, fields);
  }

  /** Returns what to do with a column that is named and has no filter. */
  Missing missing() {
    return missing;
  }

  /** Returns the columns whose filters are folded; none means all. */
  public Set<String> columns() {
    return columns;
  }

  /** Returns the filter at the requested size; the same object if it stays as it is. */
  HeapBits apply(HeapBits filter) {
    if (isAnySize) {
      return fpp == null ? toDivisor(filter, bytes) : toDivisor(filter, fpp);
    }
    if (fpp == null) {
      return toPowerOfTwo(filter, bytes);
    }
    return Long.bitCount(SplitBlocks.blocks(filter)) == 1
        ? foldToFpp(filter, fpp)
        : resizeToFpp(filter, fpp);
  }

  /** The same, but a filter that does not fold keeps its size, a power of two or not. */
  HeapBits foldOnly(HeapBits filter) {
    HeapBits folded = apply(filter);
    return folded.bits() < filter.bits() ? folded : filter;
  }

  private static HeapBits toPowerOfTwo(HeapBits filter, long bytes) {
    long most = bytes / SplitBlocks.BLOCK_BYTES;
    long own = SplitBlocks.blocks(filter);
    if (own > most) {
      return SplitBlocks.resize(filter, Long.highestOneBit(most));
    }
    return isBetweenPowers(own) && next(own) <= most
        ? SplitBlocks.resize(filter, next(own))
        : isBetweenPowers(own) ? SplitBlocks.resize(filter, Long.highestOneBit(own)) : filter;
  }

  private static boolean isBetweenPowers(long blocks) {
    return Long.bitCount(blocks) > 1;
  }

  /** Returns the power of two above a number of blocks. */
  private static long next(long blocks) {
    return 2 * Long.highestOneBit(blocks);
  }

  /** Downwards, because the rate rises with every fold; in large steps first. */
  private static HeapBits foldToFpp(HeapBits filter, double fpp) {
    HeapBits best = filter;
    for (int factor : new int[] {16, 2}) {
      while (SplitBlocks.blocks(best) / factor >= LEAST_BLOCKS) {
        HeapBits next = SplitBlocks.fold(best, factor);
        if (SplitBlocks.fpp(next) > fpp) {
          break;
        }
        best = next;
      }
    }
    return best;
  }

  /**
   * Folds to each size from the filter itself, so that sizes that divide it are exact. If none has
   * the rate, it becomes the next power of two, which costs the least.
   */
  private static HeapBits resizeToFpp(HeapBits filter, double fpp) {
    HeapBits best = SplitBlocks.resize(filter, next(SplitBlocks.blocks(filter)));
    for (long blocks : Sizes.powersBelow(SplitBlocks.blocks(filter))) {
      HeapBits next = SplitBlocks.resize(filter, blocks);
      if (SplitBlocks.fpp(next) <= fpp) {
        best = next;
      }
    }
    return best;
  }

  private static HeapBits toDivisor(HeapBits filter, long bytes) {
    long own = SplitBlocks.blocks(filter);
    for (long blocks = Math.min(own, bytes / SplitBlocks.BLOCK_BYTES); blocks > 1; blocks--) {
      if (own % blocks == 0) {
        return blocks == own ? filter : SplitBlocks.fold(filter, own / blocks);
      }
    }
    return filter;
  }

  private static HeapBits toDivisor(HeapBits filter, double fpp) {
    long own = SplitBlocks.blocks(filter);
    for (long blocks = LEAST_BLOCKS; blocks < own; blocks++) {
      if (own % blocks == 0 && SplitBlocks.fppAfterFolding(filter, own / blocks) <= fpp) {
        return SplitBlocks.fold(filter, own / blocks);
      }
    }
    return filter;
  }
}
