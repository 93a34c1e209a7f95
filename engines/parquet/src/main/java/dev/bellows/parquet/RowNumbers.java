package dev.bellows.parquet;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A column that numbers the rows of a file from a first number on: the ids by which a table format
 * knows its rows, written into a copy so that the copy's rows keep them.
 *
 * <p>The column is optional, has 64-bit integers and no filter, and comes last in the schema and in
 * each row group. Its pages lie together before the footer. They are delta-encoded: 128 numbers
 * take five bytes. A file that has the column already is not changed.
 *
 * @param column its name
 * @param fieldId the id by which the table format finds it
 * @param first the number of the first row
 */
public record RowNumbers(String column, int fieldId, long first) {
  /** Rows of a page, as parquet-java has them at most by default. */
  private static final int PAGE_ROWS = 20_000;

  /** Of the encoding: deltas in a block, and parts of a block. */
  private static final int BLOCK = 128;

  private static final int PARTS = 4;

  // values of Parquet's enums
  private static final int INT64 = 2;
  private static final int OPTIONAL = 1;
  private static final int RLE = 3;
  private static final int DELTA_BINARY_PACKED = 5;
  private static final int UNCOMPRESSED = 0;
  private static final int DATA_PAGE = 0;

  // fields of RowGroup
  private static final int ROWS = 3;
  private static final int TOTAL_BYTES = 2;
  private static final int TOTAL_COMPRESSED_BYTES = 6;

  // fields of ColumnMetaData and Statistics
  private static final int STATISTICS = 12;
  private static final int NULL_COUNT = 3;

  /**
   * Returns whether the file has the column already, with a number in every row.
   *
   * @throws IllegalArgumentException if it has the column, but perhaps not in every row
   */
  boolean isIn(Footer footer) throws ParquetFormatException {
    boolean isThere = false;
    for (Chunk chunk : footer.chunks()) {
      if (chunk.schemaColumn().fieldId().orElse(-1) == fieldId || chunk.column().equals(column)) {
        isThere = true;
        ThriftStruct statistics = chunk.metaData().struct(STATISTICS);
        if (statistics == null || statistics.number(NULL_COUNT).orElse(1) != 0) {
          throw new IllegalArgumentException(
              "its column %s has numbers for some rows only, and the others would get new ones"
                  .formatted(column));
        }
      }
    }
    return isThere;
  }

  /**
   * Adds the column to a footer.
   *
   * @param at where its pages will begin
   * @return its pages and their offset indexes
   */
  byte[] addTo(Footer footer, long at) throws ParquetFormatException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ThriftOutput element =
        new ThriftOutput()
            .number(1, ThriftInput.I32, INT64)
            .number(3, ThriftInput.I32, OPTIONAL)
            .text(4, column)
            .number(9, ThriftInput.I32, fieldId);
    footer.addColumn(element.toBytes());
    long next = first;
    List<ThriftStruct> groups = footer.rowGroups();
    for (ThriftStruct group : groups) {
      long rows = group.number(ROWS, "number of rows");
      long start = at + out.size();
      List<ThriftOutput> locations = new ArrayList<>();
      for (long done = 0; done < rows; done += PAGE_ROWS) {
        byte[] page = page(next + done, (int) Math.min(PAGE_ROWS, rows - done));
        locations.add(
            new ThriftOutput()
                .number(1, ThriftInput.I64, at + out.size())
                .number(2, ThriftInput.I32, page.length)
                .number(3, ThriftInput.I64, done));
        out.writeBytes(page);
      }
      long bytes = at + out.size() - start;
      byte[] index = new ThriftOutput().structs(1, locations).toBytes();
      long indexAt = at + out.size();
      out.writeBytes(index);
      ThriftOutput chunk =
          new ThriftOutput()
              .number(Chunk.FILE_OFFSET, ThriftInput.I64, start)
              .struct(3, metaData(start, bytes, next, rows))
              .number(Chunk.OFFSET_INDEX_OFFSET, ThriftInput.I64, indexAt)
              .number(Chunk.OFFSET_INDEX_LENGTH, ThriftInput.I32, index.length);
      Footer.addChunk(group, chunk.toBytes());
      grow(group, TOTAL_BYTES, bytes);
      grow(group, TOTAL_COMPRESSED_BYTES, bytes);
      next += rows;
    }
    return out.toByteArray();
  }

  private ThriftOutput metaData(long start, long bytes, long from, long rows) {
    return new ThriftOutput()
        .number(1, ThriftInput.I32, INT64)
        .numbers(2, RLE, DELTA_BINARY_PACKED)
        .texts(3, List.of(column))
        .number(4, ThriftInput.I32, UNCOMPRESSED)
        .number(Chunk.VALUES, ThriftInput.I64, rows)
        .number(6, ThriftInput.I64, bytes)
        .number(Chunk.COMPRESSED_SIZE, ThriftInput.I64, bytes)
        .number(Chunk.DATA_PAGE_OFFSET, ThriftInput.I64, start)
        .struct(
            STATISTICS,
            new ThriftOutput()
                .number(NULL_COUNT, ThriftInput.I64, 0)
                .bytes(5, littleEndian(from + rows - 1))
                .bytes(6, littleEndian(from)));
  }

  private static byte[] littleEndian(long value) {
    return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }

  private static void grow(ThriftStruct group, int field, long bytes)
      throws ParquetFormatException {
    if (group.has(field)) {
      group.set(field, ThriftInput.I64, group.number(field).getAsLong() + bytes);
    }
  }

  /** Returns a page with its header: consecutive numbers, none of them null. */
  private static byte[] page(long from, int rows) {
    ByteArrayOutputStream levels = new ByteArrayOutputStream();
    ThriftOutput.writeVarint(levels, 2L * rows); // one run of the level 1
    levels.write(1);
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes(
        ByteBuffer.allocate(Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(levels.size())
            .array());
    content.writeBytes(levels.toByteArray());
    ThriftOutput.writeVarint(content, BLOCK);
    ThriftOutput.writeVarint(content, PARTS);
    ThriftOutput.writeVarint(content, rows);
    ThriftOutput.writeVarint(content, ThriftOutput.zigzag(from));
    for (int delta = 1; delta < rows; delta += BLOCK) {
      ThriftOutput.writeVarint(content, ThriftOutput.zigzag(1)); // the least delta of a block
      content.writeBytes(new byte[PARTS]); // all are the least one: no bits for the rest
    }
    ThriftOutput header =
        new ThriftOutput()
            .number(1, ThriftInput.I32, DATA_PAGE)
            .number(2, ThriftInput.I32, content.size())
            .number(3, ThriftInput.I32, content.size())
            .struct(
                5,
                new ThriftOutput()
                    .number(1, ThriftInput.I32, rows)
                    .number(2, ThriftInput.I32, DELTA_BINARY_PACKED)
                    .number(3, ThriftInput.I32, RLE)
                    .number(4, ThriftInput.I32, RLE));
    ByteArrayOutputStream page = new ByteArrayOutputStream();
    page.writeBytes(header.toBytes());
    page.writeBytes(content.toByteArray());
    return page.toByteArray();
  }

  /** Returns the column's bytes in a copy; none without a column. */
  static byte[] add(@Nullable RowNumbers numbers, Footer footer, long at)
      throws ParquetFormatException {
    return numbers == null || footer.chunks().isEmpty() || numbers.isIn(footer)
        ? new byte[0]
        : numbers.addTo(footer, at);
  }
}
