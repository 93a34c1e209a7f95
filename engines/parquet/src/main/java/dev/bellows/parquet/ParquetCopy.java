package dev.bellows.parquet;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A copy of an open Parquet file with other filters, planned but not written: {@link
 * ParquetRewrite} without a path, for files that never change and are on any store.
 */
public final class ParquetCopy {
  private final long bytesBefore;
  private final Rewriter rewriter;
  private final List<FilterChange> filters;
  private final List<Long> rowGroupOffsets;

  private ParquetCopy(
      long bytesBefore, Rewriter rewriter, List<FilterChange> filters, List<Long> rowGroupOffsets) {
    this.bytesBefore = bytesBefore;
    this.rewriter = rewriter;
    this.filters = List.copyOf(filters);
    this.rowGroupOffsets = List.copyOf(rowGroupOffsets);
  }

  /** Finds the edits of a file. */
  @FunctionalInterface
  interface Editor {
    void edit(FileChannel file, Footer footer, List<Edit> edits, List<FilterChange> changes)
        throws IOException;
  }

  static ParquetCopy plan(FileChannel file, Editor editor, @Nullable RowNumbers numbers)
      throws IOException {
    Footer footer = Footer.read(file);
    List<Edit> edits = new ArrayList<>();
    List<FilterChange> changes = new ArrayList<>();
    editor.edit(file, footer, edits, changes);
    // moves the offsets of the footer
    Rewriter rewriter = Rewriter.plan(file, footer, edits, numbers);
    return new ParquetCopy(footer.fileBytes(), rewriter, changes, rowGroupOffsets(footer));
  }

  private static List<Long> rowGroupOffsets(Footer footer) throws ParquetFormatException {
    List<Long> offsets = new ArrayList<>();
    for (Chunk chunk : footer.chunks()) {
      if (chunk.rowGroup() == offsets.size()) { // the first one of its row group
        offsets.add(chunk.firstPage());
      }
    }
    offsets.sort(null);
    return offsets;
  }

  /** Returns the length of the file as it is. */
  public long bytesBefore() {
    return bytesBefore;
  }

  /** Returns the length of the copy. */
  public long bytesAfter() {
    return rewriter.bytes();
  }

  /** Returns every filter, those that stay as they are among them. */
  public List<FilterChange> filters() {
    return filters;
  }

  /** Returns the filters that change. */
  public List<FilterChange> changes() {
    return filters.stream().filter(filter -> filter.bytesBefore() != filter.bytesAfter()).toList();
  }

  /**
   * Returns where the first page of each row group begins in the copy, sorted: a file is split
   * there.
   */
  public List<Long> rowGroupOffsets() {
    return rowGroupOffsets;
  }

  /**
   * Writes the copy.
   *
   * @param file the file that it was planned from, which must not have changed
   * @param progress is told the bytes of the file that are done, piece by piece
   */
  public void writeTo(FileChannel file, OutputStream out, LongConsumer progress)
      throws IOException {
    rewriter.write(file, out, progress);
  }
}
