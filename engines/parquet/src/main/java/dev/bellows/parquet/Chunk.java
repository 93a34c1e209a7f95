package dev.bellows.parquet;

import dev.bellows.internal.base.Prose;
import java.util.List;
import java.util.OptionalLong;

/**
 * One column chunk: the values of a column in a row group, with the places in the file that belong
 * to it.
 *
 * @param rowGroup the number of its row group, from 0
 * @param column the path of its column, with dots
 * @param schemaColumn the column of the schema: several may have the same path with dots
 * @param rows the rows of its row group
 * @param struct Thrift's ColumnChunk
 * @param metaData Thrift's ColumnMetaData inside it
 */
record Chunk(
    int rowGroup,
    String column,
    Schema.Column schemaColumn,
    long rows,
    ThriftStruct struct,
    ThriftStruct metaData) {
  // fields of ColumnChunk
  static final int FILE_PATH = 1;
  static final int FILE_OFFSET = 2;
  private static final int META_DATA = 3;
  static final int OFFSET_INDEX_OFFSET = 4;
  static final int OFFSET_INDEX_LENGTH = 5;
  static final int COLUMN_INDEX_OFFSET = 6;
  static final int COLUMN_INDEX_LENGTH = 7;
  private static final int CRYPTO = 8;
  private static final int ENCRYPTED_META_DATA = 9;

  // fields of ColumnMetaData
  private static final int PATH = 3;
  static final int VALUES = 5;
  static final int COMPRESSED_SIZE = 7;
  static final int DATA_PAGE_OFFSET = 9;
  static final int INDEX_PAGE_OFFSET = 10;
  static final int DICTIONARY_PAGE_OFFSET = 11;
  static final int FILTER_OFFSET = 14;
  static final int FILTER_LENGTH = 15;

  /** A field of RowGroup. */
  private static final int ROWS = 3;

  static Chunk of(int rowGroup, int place, ThriftStruct group, ThriftStruct struct, Schema schema)
      throws ParquetFormatException {
    ThriftStruct metaData = struct.struct(META_DATA);
    if (metaData == null || struct.has(CRYPTO) || struct.has(ENCRYPTED_META_DATA)) {
      throw struct.error("a column is encrypted: only plain files are read");
    }
    List<String> path = metaData.texts(PATH);
    long rows = group.number(ROWS, "number of rows");
    Schema.Column column = schema.column(place, path, metaData);
    return new Chunk(rowGroup, String.join(".", path), column, rows, struct, metaData);
  }

  /** Returns the type of its values. */
  ColumnType type() {
    return schemaColumn.type();
  }

  /** Returns whether it has a filter. parquet-java writes a negative offset if there is none. */
  boolean hasFilter() throws ParquetFormatException {
    OptionalLong offset = metaData.number(FILTER_OFFSET);
    return offset.isPresent() && offset.getAsLong() >= 0;
  }

  /** Returns a name for messages. */
  String name() {
    return "row group %d, column %s".formatted(rowGroup, Prose.escape(column));
  }

  /** Returns the offset of its first page. */
  long firstPage() throws ParquetFormatException {
    long first = metaData.number(DATA_PAGE_OFFSET, "data page offset");
    for (int id : new int[] {INDEX_PAGE_OFFSET, DICTIONARY_PAGE_OFFSET}) {
      long other = metaData.number(id).orElse(0);
      first = other > 0 ? Math.min(first, other) : first; // some writers say 0 for none
    }
    return first;
  }

  /** Returns the length of its pages together. */
  long pageBytes() throws ParquetFormatException {
    return metaData.number(COMPRESSED_SIZE, "compressed size");
  }
}
