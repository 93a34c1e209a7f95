package dev.bellows.parquet;

import dev.bellows.internal.store.SplitBlocks;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** The values of columns, read through parquet-java: the only class that needs it. */
final class ColumnValues implements Closeable {
  private final ParquetFileReader reader;
  private final MessageType schema;

  private ColumnValues(ParquetFileReader reader) {
    this.reader = reader;
    this.schema = reader.getFileMetaData().getSchema();
  }

  static ColumnValues open(Path path) throws IOException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
    return new ColumnValues(ParquetFileReader.open(new LocalInputFile(path), options));
  }

  /**
   * Hands over the hash of every value of a column in a row group that is not null. For a zero of
   * either sign it hands over both, because they are equal and readers ask for one of them.
   */
  void forEach(int rowGroup, String path, LongConsumer hashes) throws IOException {
    MessageType projection = projection(path);
    ColumnDescriptor column = projection.getColumns().get(0);
    reader.setRequestedSchema(projection);
    PageReadStore pages = reader.readRowGroup(rowGroup);
    if (pages == null) {
      return; // no rows
    }
    ColumnReader values =
        new ColumnReadStoreImpl(
                pages, ignoring(projection), projection, reader.getFileMetaData().getCreatedBy())
            .getColumnReader(column);
    int present = column.getMaxDefinitionLevel();
    ByteBuffer four = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer eight = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    for (long left = pages.getPageReader(column).getTotalValueCount(); left > 0; left--) {
      if (values.getCurrentDefinitionLevel() == present) {
        switch (column.getPrimitiveType().getPrimitiveTypeName()) {
          case INT32 -> hashes.accept(hash(four.putInt(0, values.getInteger())));
          case INT64 -> hashes.accept(hash(eight.putLong(0, values.getLong())));
          case FLOAT -> {
            float value = values.getFloat();
            hashes.accept(hash(four.putFloat(0, value)));
            if (value == 0) {
              hashes.accept(hash(four.putFloat(0, -value)));
            }
          }
          case DOUBLE -> {
            double value = values.getDouble();
            hashes.accept(hash(eight.putDouble(0, value)));
            if (value == 0) {
              hashes.accept(hash(eight.putDouble(0, -value)));
            }
          }
          case INT96, BINARY, FIXED_LEN_BYTE_ARRAY ->
              hashes.accept(SplitBlocks.hash(values.getBinary().getBytesUnsafe()));
          case BOOLEAN -> throw new AssertionError("refused before");
        }
      }
      values.consume();
    }
  }

  /** The schema of one column alone, found by its whole path: names may have dots. */
  private MessageType projection(String path) {
    String[] names =
        schema.getPaths().stream()
            .filter(column -> String.join(".", column).equals(path))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException("no column " + path));
    return new MessageType(schema.getName(), only(schema, names, 0));
  }

  private static Type only(GroupType group, String[] path, int level) {
    Type member = group.getType(path[level]);
    return member.isPrimitive()
        ? member
        : member.asGroupType().withNewFields(only(member.asGroupType(), path, level + 1));
  }

  @SuppressWarnings("ByteBufferBackingArray") // allocated in forEach
  private static long hash(ByteBuffer bytes) {
    return SplitBlocks.hash(bytes.array());
  }

  /** Converters of records, which parquet-java wants to have even where no record is made. */
  private static GroupConverter ignoring(GroupType group) {
    return new GroupConverter() {
      @Override
      public Converter getConverter(int field) {
        Type type = group.getType(field);
        return type.isPrimitive() ? new PrimitiveConverter() {} : ignoring(type.asGroupType());
      }

      @Override
      public void start() {}

      @Override
      public void end() {}
    };
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
