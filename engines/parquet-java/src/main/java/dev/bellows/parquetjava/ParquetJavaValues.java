package dev.bellows.parquetjava;

import dev.bellows.parquet.ColumnValues;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.util.HadoopInputFile;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** The values of columns, read through parquet-java. */
final class ParquetJavaValues implements ColumnValues {
  private final ParquetFileReader reader;
  private final MessageType schema;

  private ParquetJavaValues(ParquetFileReader reader) {
    this.reader = reader;
    this.schema = reader.getFileMetaData().getSchema();
  }

  static ParquetJavaValues open(Path path) throws IOException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration()).build();
    return new ParquetJavaValues(ParquetFileReader.open(file(path), options));
  }

  private static InputFile file(Path path) throws IOException {
    RemoteFileSystem store = RemotePath.storeOf(path);
    return store == null
        ? new LocalInputFile(path)
        : HadoopInputFile.fromPath(store.hadoopPath(RemotePath.of(path)), store.files().getConf());
  }

  @Override
  @SuppressWarnings("ByteBufferBackingArray") // allocated here
  public void forEach(int rowGroup, String path, Consumer<byte[]> sink) throws IOException {
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
          case INT32 -> sink.accept(four.putInt(0, values.getInteger()).array());
          case INT64 -> sink.accept(eight.putLong(0, values.getLong()).array());
          case FLOAT -> sink.accept(four.putFloat(0, values.getFloat()).array());
          case DOUBLE -> sink.accept(eight.putDouble(0, values.getDouble()).array());
          case INT96, BINARY, FIXED_LEN_BYTE_ARRAY ->
              sink.accept(values.getBinary().getBytesUnsafe());
          case BOOLEAN -> throw new IllegalArgumentException(path + " has truth values");
        }
      }
      values.consume();
    }
  }

  /** Returns the schema of one column alone, found by its whole path: names may have dots. */
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

  /** Converters of records, which parquet-java requires even if no record is created. */
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
