package dev.bellows.parquet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.IdentityHashMap;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.OffsetIndex;
import org.apache.parquet.format.PageLocation;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/**
 * A file of parquet-java in another order, as other writers have it: the filters of a row group
 * right after its pages. Footer and indexes are those of parquet-java's own classes.
 */
final class Rearranged {
  /** The bytes of the filter of a chunk, with its header. */
  @FunctionalInterface
  interface Filters {
    /** Those that the file has. */
    Filters AS_THEY_ARE = (group, column, filter) -> filter;

    byte[] of(int rowGroup, String column, byte[] filter) throws IOException;
  }

  private final byte[] old;
  private final FileChannel out;
  private final IdentityHashMap<ColumnChunk, OffsetIndex> moved = new IdentityHashMap<>();
  private long at;

  private Rearranged(byte[] old, FileChannel out) {
    this.old = old;
    this.out = out;
  }

  static Path of(Path from, Path to) throws IOException {
    return of(from, to, 0, Filters.AS_THEY_ARE);
  }

  /**
   * @param hole bytes that are nowhere written, between the first row group and its filters
   */
  static Path of(Path from, Path to, long hole, Filters filters) throws IOException {
    Files.deleteIfExists(to);
    try (FileChannel out =
        FileChannel.open(
            to,
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.WRITE,
            StandardOpenOption.SPARSE)) {
      new Rearranged(Files.readAllBytes(from), out).write(hole, filters);
    }
    return to;
  }

  static FileMetaData footer(byte[] file) throws IOException {
    int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
    return Util.readFileMetaData(new ByteArrayInputStream(file, file.length - 8 - length, length));
  }

  private void write(long hole, Filters filters) throws IOException {
    FileMetaData footer = footer(old);
    put(old, 0, 4);
    int number = 0;
    for (RowGroup group : footer.getRow_groups()) {
      group.setFile_offset(at);
      for (ColumnChunk chunk : group.getColumns()) {
        movePages(chunk);
      }
      at += number == 0 ? hole : 0;
      for (ColumnChunk chunk : group.getColumns()) {
        moveFilter(number, chunk.getMeta_data(), filters);
      }
      number++;
    }
    for (RowGroup group : footer.getRow_groups()) {
      for (ColumnChunk chunk : group.getColumns()) {
        int from = (int) chunk.getColumn_index_offset();
        chunk.setColumn_index_offset(at);
        put(old, from, chunk.getColumn_index_length());
      }
    }
    for (RowGroup group : footer.getRow_groups()) {
      for (ColumnChunk chunk : group.getColumns()) {
        putIndex(chunk);
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Util.writeFileMetaData(footer, bytes);
    put(bytes.toByteArray(), 0, bytes.size());
    put(
        ByteBuffer.allocate(8)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(bytes.size())
            .put(old, 0, 4)
            .array(),
        0,
        8);
  }

  private void movePages(ColumnChunk chunk) throws IOException {
    ColumnMetaData meta = chunk.getMeta_data();
    long first =
        meta.isSetDictionary_page_offset()
            ? Math.min(meta.getDictionary_page_offset(), meta.getData_page_offset())
            : meta.getData_page_offset();
    long shift = at - first;
    if (meta.isSetDictionary_page_offset()) {
      meta.setDictionary_page_offset(meta.getDictionary_page_offset() + shift);
    }
    meta.setData_page_offset(meta.getData_page_offset() + shift);
    chunk.setFile_offset(at);
    OffsetIndex index = offsetIndex(chunk.getOffset_index_offset());
    for (PageLocation page : index.getPage_locations()) {
      page.setOffset(page.getOffset() + shift);
    }
    moved.put(chunk, index);
    put(old, (int) first, (int) meta.getTotal_compressed_size());
  }

  private OffsetIndex offsetIndex(long offset) throws IOException {
    return Util.readOffsetIndex(
        new ByteArrayInputStream(old, (int) offset, old.length - (int) offset));
  }

  private void putIndex(ColumnChunk chunk) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Util.writeOffsetIndex(moved.get(chunk), bytes);
    chunk.setOffset_index_offset(at);
    chunk.setOffset_index_length(bytes.size());
    put(bytes.toByteArray(), 0, bytes.size());
  }

  private void moveFilter(int group, ColumnMetaData meta, Filters filters) throws IOException {
    if (meta.isSetBloom_filter_offset()) {
      int from = (int) meta.getBloom_filter_offset();
      byte[] filter = new byte[meta.getBloom_filter_length()];
      System.arraycopy(old, from, filter, 0, filter.length);
      filter = filters.of(group, String.join(".", meta.getPath_in_schema()), filter);
      meta.setBloom_filter_offset(at);
      meta.setBloom_filter_length(filter.length);
      put(filter, 0, filter.length);
    }
  }

  private void put(byte[] bytes, int from, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, from, length);
    while (buffer.hasRemaining()) {
      at += out.write(buffer, at);
    }
  }
}
