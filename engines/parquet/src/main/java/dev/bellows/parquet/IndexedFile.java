package dev.bellows.parquet;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.SplitBlocks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What an index knows about one file.
 *
 * @param path the file
 * @param bytes its length when it was read
 * @param modified its time of modification then, in nanoseconds since 1970
 * @param isEmpty whether it has no row groups, and so no value
 * @param filter the OR of the filters of its row groups; null if one has none, so that the file is
 *     always a candidate unless it is empty
 */
record IndexedFile(Path path, long bytes, long modified, boolean isEmpty, @Nullable Filter filter) {
  /**
   * A filter of the values of a column in a file.
   *
   * @param type the type of the column in this file
   * @param bits the filter
   */
  record Filter(ColumnType type, HeapBits bits) {}

  /** The length of a file that could not be read: no file has it. */
  private static final long UNREADABLE = -1;

  /** Returns a file that could not be read: it has no filter, and is read again each time. */
  static IndexedFile unreadable(Path path) {
    return new IndexedFile(path, UNREADABLE, UNREADABLE, false, null);
  }

  /** Returns the rate of its filter; 1 if it has none. */
  double fpp() {
    return filter == null ? 1 : SplitBlocks.fpp(filter.bits());
  }

  /** Reads a file. */
  static IndexedFile read(Path path, String column, double fpp) throws IOException {
    BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      Footer footer = Footer.read(file);
      boolean isEmpty = footer.rowGroups().isEmpty();
      Filter filter = isEmpty ? null : filter(file, footer, column, fpp);
      return new IndexedFile(path, now.size(), modified(now), isEmpty, filter);
    }
  }

  /** Returns whether the file is still the one that was read. */
  boolean isStill(BasicFileAttributes now) {
    return now.size() == bytes && modified(now) == modified;
  }

  private static long modified(BasicFileAttributes attributes) {
    return attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS);
  }

  /** Returns whether it is a candidate for every value. */
  boolean isAlwaysNamed() {
    return filter == null && !isEmpty;
  }

  private static @Nullable Filter filter(FileChannel file, Footer footer, String column, double fpp)
      throws IOException {
    List<Chunk> chunks =
        footer.chunks().stream().filter(chunk -> chunk.column().equals(column)).toList();
    if (chunks.isEmpty()) {
      return null; // perhaps under another spelling, which some engines accept
    }
    try {
      ParquetFilters.requireOne(chunks, Set.of(column));
    } catch (IllegalArgumentException e) {
      return null; // two columns have this name
    }
    List<ChunkFilter> filters =
        ParquetFilters.stored(file, footer).stream()
            .filter(filter -> filter.chunk().column().equals(column))
            .toList();
    if (filters.size() < chunks.size()) {
      return null;
    }
    long blocks = commonBlocks(filters);
    HeapBits all = HeapBits.aligned(blocks * SplitBlocks.BLOCK_BITS);
    for (ChunkFilter filter : filters) {
      all.loadAll(SplitBlocks.resize(filter.bits(file), blocks));
    }
    return new Filter(chunks.get(0).type(), FoldRequest.toFpp(fpp).foldOnly(all));
  }

  /** Returns the size that all have, or the largest power of two that none is below. */
  private static long commonBlocks(List<ChunkFilter> filters) {
    long least = filters.stream().mapToLong(ChunkFilter::blocks).min().orElseThrow();
    boolean isEqual = filters.stream().allMatch(filter -> filter.blocks() == least);
    return isEqual ? least : Long.highestOneBit(least);
  }
}
