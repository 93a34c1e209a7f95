package dev.bellows.parquet;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.SplitBlocks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Adds filters to columns that have none. It reads the values of these columns, and for that needs
 * the module {@code bellows-parquet-java} ({@link ColumnValues}).
 *
 * <p>A filter begins large enough for as many distinct values as there are values, and is folded to
 * the size that its actual fill needs: the number of distinct values need not be guessed.
 */
public final class ParquetFilterAdder {
  /** The largest filter that parquet-java makes, in blocks: 128 MiB. */
  private static final long MOST_BLOCKS = (128L << 20) / SplitBlocks.BLOCK_BYTES;

  private static final byte SIGN = Byte.MIN_VALUE;

  private ParquetFilterAdder() {}

  /** Writes a file with filters of these columns to another path. */
  public static ParquetRewrite add(Path in, Path out, Set<String> columns, double fpp)
      throws IOException {
    ParquetRewrite rewrite = plan(in, columns, fpp);
    rewrite.writeTo(out);
    return rewrite;
  }

  /** Returns what adding would give; nothing is written. Row groups that have a filter keep it. */
  public static ParquetRewrite plan(Path in, Set<String> columns, double fpp) throws IOException {
    return plan(in, columns, fpp, Missing.REFUSE);
  }

  /** The same, but row groups may already have their filters, as in a repeated run. */
  public static ParquetRewrite plan(Path in, Set<String> columns, double fpp, Missing missing)
      throws IOException {
    return plan(in, columns, fpp, missing, done -> {});
  }

  /**
   * The same, with progress.
   *
   * @param progress is told how far it is while values are read, piece by piece; all pieces
   *     together are the length of the file
   */
  public static ParquetRewrite plan(
      Path in, Set<String> columns, double fpp, Missing missing, LongConsumer progress)
      throws IOException {
    Checks.probability(fpp, "fpp");
    return ParquetRewrite.plan(
        in,
        (file, footer, edits, changes) -> {
          FileRegions.requireApart(footer, ParquetFilters.stored(file, footer));
          List<Chunk> bare = bare(footer, columns, missing);
          Share share = new Share(footer.fileBytes(), bare, progress);
          try (ColumnValues values = ColumnValues.Reader.find().open(in)) {
            for (Chunk chunk : bare) {
              HeapBits filter = build(values, chunk, fpp, share);
              byte[] bytes = bytes(filter);
              edits.add(Edit.added(chunk, footer, bytes));
              changes.add(
                  new FilterChange(
                      chunk.rowGroup(),
                      chunk.column(),
                      0,
                      bytes.length,
                      null,
                      SplitBlocks.fpp(filter)));
            }
            share.end();
          }
        });
  }

  private static List<Chunk> bare(Footer footer, Set<String> columns, Missing missing)
      throws ParquetFormatException {
    ParquetFilters.requireColumns(footer, columns);
    List<Chunk> bare = new ArrayList<>();
    ParquetFilters.requireOne(footer.chunks(), columns);
    for (Chunk chunk : footer.chunks()) {
      if (columns.contains(chunk.column()) && !chunk.hasFilter()) {
        if (chunk.type().physical() == ColumnType.Physical.BOOLEAN) {
          throw new IllegalArgumentException(
              "column %s has truth values, for which Parquet has no filters"
                  .formatted(chunk.column()));
        }
        bare.add(chunk);
      }
    }
    if (missing == Missing.REFUSE && bare.isEmpty() && !footer.chunks().isEmpty()) {
      throw new IllegalArgumentException(
          "%s: every row group has a filter already; fold it, or drop it first"
              .formatted(String.join(", ", columns)));
    }
    return bare;
  }

  /** Turns values that are read into bytes of the file. */
  private static final class Share {
    private static final int STEP_VALUES = 1 << 16;

    private final long bytes;
    private final long values;
    private final LongConsumer progress;
    private long read;
    private long told;

    Share(long bytes, List<Chunk> chunks, LongConsumer progress) throws ParquetFormatException {
      long all = 0;
      for (Chunk chunk : chunks) {
        all += Math.max(0, chunk.metaData().number(Chunk.VALUES, "number of values"));
      }
      this.bytes = bytes;
      this.values = all;
      this.progress = progress;
    }

    void value() {
      read++;
      if (read % STEP_VALUES == 0) {
        tell((long) ((double) bytes * Math.min(read, values) / values));
      }
    }

    /** All values are read; those that are null were not counted. */
    void end() {
      tell(bytes);
    }

    private void tell(long now) {
      progress.accept(now - told);
      told = now;
    }
  }

  private static HeapBits build(ColumnValues values, Chunk chunk, double fpp, Share share)
      throws IOException {
    long count = chunk.metaData().number(Chunk.VALUES, "number of values");
    long blocks = blocksFor(Checks.notNegative(count, "values"), fpp);
    HeapBits filter = HeapBits.aligned(blocks * SplitBlocks.BLOCK_BITS);
    boolean hasSign = chunk.type().physical().isFloatingPoint();
    values.forEach(
        chunk.rowGroup(),
        chunk.column(),
        value -> {
          share.value();
          SplitBlocks.put(filter, SplitBlocks.hash(value));
          if (hasSign && isZero(value)) {
            // zeros of both signs are equal, and readers look up one of them
            byte[] other = value.clone();
            other[other.length - 1] ^= SIGN;
            SplitBlocks.put(filter, SplitBlocks.hash(other));
          }
        });
    return FoldRequest.toFpp(fpp).apply(filter);
  }

  /** Returns whether a floating point number, little endian, is zero or minus zero. */
  private static boolean isZero(byte[] number) {
    int last = number.length - 1;
    for (int i = 0; i < last; i++) {
      if (number[i] != 0) {
        return false;
      }
    }
    return (number[last] & ~SIGN) == 0;
  }

  /**
   * Returns a power of two that is large enough for the rate, and not more than about four times
   * that.
   */
  static long blocksFor(long values, double fpp) {
    long blocks = FoldRequest.LEAST_BYTES / SplitBlocks.BLOCK_BYTES;
    while (blocks < MOST_BLOCKS && SplitBlocks.fpp(blocks, values) > fpp) {
      blocks *= 2;
    }
    // the rate of one filter may be above the mean: twice the size leaves room, and folding decides
    return Math.min(MOST_BLOCKS, 2 * blocks);
  }

  private static byte[] bytes(HeapBits filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(ChunkFilter.newHeader(SplitBlocks.blocks(filter)));
    ChunkFilter.write(out, filter);
    return out.toByteArray();
  }
}
