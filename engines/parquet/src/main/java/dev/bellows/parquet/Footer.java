package dev.bellows.parquet;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The footer of a Parquet file: Thrift's FileMetaData, its length, and four bytes that say what the
 * file is.
 */
final class Footer {
  static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  static final byte[] ENCRYPTED = "PARE".getBytes(StandardCharsets.US_ASCII);

  /** The footer's length and its four bytes. */
  static final int TAIL_BYTES = 8;

  private static final int SCHEMA = 2;
  private static final int ROWS = 3;
  private static final int ROW_GROUPS = 4;
  private static final int ENCRYPTION_ALGORITHM = 8;
  private static final int SIGNING_KEY = 9;
  private static final int COLUMN_ORDERS = 7;
  private static final int COLUMNS = 1;
  private static final int META_DATA = 3;

  /**
   * The field in which writers put structures that are not part of the format yet, including
   * footers.
   */
  private static final int EXTENSION = 32767;

  private final ThriftStruct metaData;
  private final long start;
  private final long fileBytes;
  private final long rows;
  private final List<Chunk> chunks;

  private Footer(ThriftStruct metaData, long start, long fileBytes) throws ParquetFormatException {
    this.metaData = metaData;
    this.start = start;
    this.fileBytes = fileBytes;
    this.rows = metaData.number(ROWS, "number of rows");
    this.chunks = chunks(metaData);
  }

  /** Reads and checks the footer of a file. */
  static Footer read(FileChannel file) throws IOException {
    long length = file.size();
    if (length < MAGIC.length + TAIL_BYTES) {
      throw new ParquetFormatException(
          0, "a file of %d bytes is not a Parquet file".formatted(length));
    }
    ByteBuffer tail =
        ByteBuffer.wrap(Regions.read(file, length - TAIL_BYTES, TAIL_BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    requireMagic(file, tail, length);
    int footerBytes = tail.getInt(0);
    long start = length - TAIL_BYTES - footerBytes;
    if (footerBytes <= 0 || start < MAGIC.length) {
      throw new ParquetFormatException(
          length - TAIL_BYTES,
          "a footer of %d bytes in a file of %d".formatted(footerBytes, length));
    }
    byte[] bytes = Regions.read(file, start, footerBytes);
    ThriftStruct metaData = ThriftStruct.read(new ThriftInput(bytes, 0, bytes.length, start));
    requirePlain(metaData);
    if (metaData.end() != bytes.length) {
      throw new ParquetFormatException(
          start + metaData.end(),
          ("%d bytes follow the metadata inside the footer, as in signed files; "
                  + "only plain files are read")
              .formatted(bytes.length - metaData.end()));
    }
    return new Footer(metaData, start, length);
  }

  private static void requireMagic(FileChannel file, ByteBuffer tail, long length)
      throws IOException {
    byte[] last = new byte[MAGIC.length];
    tail.get(4, last);
    byte[] first = Regions.read(file, 0, MAGIC.length);
    if (Arrays.equals(last, ENCRYPTED) || Arrays.equals(first, ENCRYPTED)) {
      throw new ParquetFormatException(
          length - MAGIC.length,
          "the footer is encrypted: its filters cannot be found without key");
    }
    if (!Arrays.equals(last, MAGIC)) {
      throw new ParquetFormatException(
          length - MAGIC.length,
          "the last four bytes are not PAR1: no Parquet file, or a part of one");
    }
    if (!Arrays.equals(first, MAGIC)) {
      throw new ParquetFormatException(0, "the first four bytes are not PAR1: no Parquet file");
    }
  }

  private static void requirePlain(ThriftStruct metaData) throws ParquetFormatException {
    if (metaData.has(ENCRYPTION_ALGORITHM) || metaData.has(SIGNING_KEY)) {
      throw metaData.error(
          "the file is encrypted or its footer signed: a change would break the signature, so it is"
              + " left to its writer");
    }
    if (metaData.has(EXTENSION)) {
      throw metaData.error(
          "the footer has an extension (field 32767), which may repeat offsets that a change would"
              + " make wrong, so it is left to its writer");
    }
  }

  private static List<Chunk> chunks(ThriftStruct metaData) throws ParquetFormatException {
    if (!metaData.has(SCHEMA) || !metaData.has(ROW_GROUPS)) {
      throw metaData.error("the footer has no schema or no list of row groups");
    }
    Schema schema = Schema.of(metaData, SCHEMA);
    List<Chunk> chunks = new ArrayList<>();
    int number = 0;
    for (ThriftStruct group : metaData.structs(ROW_GROUPS, COLUMNS)) {
      int place = 0;
      for (ThriftStruct chunk : group.structs(COLUMNS, META_DATA)) {
        chunks.add(Chunk.of(number, place, group, chunk, schema));
        place++;
      }
      number++;
    }
    return chunks;
  }

  /** Returns every column chunk of every row group, in file order. */
  List<Chunk> chunks() {
    return chunks;
  }

  /** Returns the row groups themselves. */
  List<ThriftStruct> rowGroups() throws ParquetFormatException {
    return metaData.structs(ROW_GROUPS, COLUMNS);
  }

  /** Adds a column to the end of the schema; {@link #chunks} do not have it. */
  void addColumn(byte[] element) throws ParquetFormatException {
    ThriftStruct root = metaData.structs(SCHEMA, Schema.NAME).get(0);
    root.set(
        Schema.CHILDREN, ThriftInput.I32, root.number(Schema.CHILDREN, "number of columns") + 1);
    metaData.append(SCHEMA, element);
    if (metaData.has(COLUMN_ORDERS)) {
      ThriftOutput byType = new ThriftOutput().struct(1, new ThriftOutput());
      metaData.append(COLUMN_ORDERS, byType.toBytes());
    }
  }

  /** Adds a column chunk to the end of a row group. */
  static void addChunk(ThriftStruct rowGroup, byte[] chunk) throws ParquetFormatException {
    rowGroup.append(COLUMNS, chunk);
  }

  /** Returns the rows of the file. */
  long rows() {
    return rows;
  }

  /** Returns the offset of its first byte: everything else lies before it. */
  long start() {
    return start;
  }

  /** Returns the length of the file. */
  long fileBytes() {
    return fileBytes;
  }

  /** Returns the footer with its changes, to the end of the file. */
  byte[] toBytes() {
    byte[] thrift = metaData.toBytes();
    return ByteBuffer.allocate(thrift.length + TAIL_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(thrift)
        .putInt(thrift.length)
        .put(MAGIC)
        .array();
  }
}
