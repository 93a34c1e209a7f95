package dev.bellows.parquet;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.compat.RowGroupFilter;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/** Files that parquet-java writes, and what it reads in them. */
final class ParquetJava {
  static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          """
          message event {
            required int64 id;
            required binary name (STRING);
            optional double price;
            required int32 day (DATE);
            optional group tags (LIST) { repeated group list { required binary element (STRING); } }
          }
          """);

  static final List<String> FILTERED = List.of("id", "name", "price", "tags.list.element");

  private ParquetJava() {}

  /**
   * How a file is written.
   *
   * @param distinct the number of distinct values that the writer is told; 0 for none, which gives
   *     filters of 1 MiB
   */
  record Shape(
      CompressionCodecName codec, boolean dictionary, int rows, int groupBytes, long distinct) {
    static Shape of(int rows) {
      return new Shape(CompressionCodecName.UNCOMPRESSED, false, rows, 1 << 16, 0);
    }

    Shape told(long newDistinct) {
      return new Shape(codec, dictionary, rows, groupBytes, newDistinct);
    }
  }

  static long id(int row) {
    return 1_000_003L * row;
  }

  static String name(int row) {
    return "name-" + row;
  }

  static double price(int row) {
    return row / 8.0;
  }

  static String tag(int row) {
    return "tag-" + row;
  }

  /** Fills a row. */
  @FunctionalInterface
  interface Row {
    void fill(Group group, int row);
  }

  static Path write(Path path, Shape shape) throws IOException {
    return write(path, SCHEMA, FILTERED, shape, ParquetJava::fill);
  }

  /** A file of any columns, plain and in one row group, with filters of 1 MiB. */
  static Path write(Path path, MessageType schema, List<String> filtered, int rows, Row row)
      throws IOException {
    Shape shape = new Shape(CompressionCodecName.UNCOMPRESSED, false, rows, 1 << 27, 0);
    return write(path, schema, filtered, shape, row);
  }

  static Path write(Path path, MessageType schema, List<String> filtered, Shape shape, Row row)
      throws IOException {
    Files.deleteIfExists(path);
    ExampleParquetWriter.Builder builder =
        ExampleParquetWriter.builder(new LocalOutputFile(path))
            .withConf((ParquetConfiguration) new PlainParquetConfiguration())
            .withType(schema)
            .withCompressionCodec(shape.codec)
            .withDictionaryEncoding(shape.dictionary)
            .withDictionaryPageSize(1024) // so small that columns abandon it and get filters
            .withPageSize(4096)
            .withMinRowCountForPageSizeCheck(100)
            .withMaxRowCountForPageSizeCheck(100)
            .withRowGroupSize((long) shape.groupBytes)
            .withExtraMetaData(Map.of("made-by", "a test"));
    for (String column : filtered) {
      builder = builder.withBloomFilterEnabled(column, true);
      builder = shape.distinct == 0 ? builder : builder.withBloomFilterNDV(column, shape.distinct);
    }
    SimpleGroupFactory groups = new SimpleGroupFactory(schema);
    try (ParquetWriter<Group> writer = builder.build()) {
      for (int i = 0; i < shape.rows; i++) {
        Group group = groups.newGroup();
        row.fill(group, i);
        writer.write(group);
      }
    }
    return path;
  }

  private static void fill(Group group, int row) {
    group.append("id", id(row)).append("name", name(row)).append("day", row % 100);
    if (row % 10 != 0) {
      group.append("price", price(row));
    }
    if (row % 7 != 0) {
      Group tags = group.addGroup("tags");
      tags.addGroup("list").append("element", tag(row));
      tags.addGroup("list").append("element", "common");
    }
  }

  private static final class Reader extends ParquetReader.Builder<Group> {
    Reader(InputFile file) {
      super(file, new PlainParquetConfiguration());
    }

    @Override
    protected ReadSupport<Group> getReadSupport() {
      return new GroupReadSupport();
    }
  }

  /** All rows as texts. */
  static List<String> rows(Path path) throws IOException {
    return rows(path, FilterCompat.NOOP);
  }

  /** The rows that a predicate leaves, with push-down. */
  static List<String> rows(Path path, FilterPredicate predicate) throws IOException {
    return rows(path, FilterCompat.get(predicate));
  }

  private static List<String> rows(Path path, FilterCompat.Filter filter) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ParquetReader<Group> reader =
        new Reader(new LocalInputFile(path)).withFilter(filter).build()) {
      for (Group group = reader.read(); group != null; group = reader.read()) {
        rows.add(group.toString());
      }
    }
    return rows;
  }

  static ParquetFileReader open(Path path) throws IOException {
    return ParquetFileReader.open(
        new LocalInputFile(path),
        ParquetReadOptions.builder(new PlainParquetConfiguration()).build());
  }

  /** The row groups that parquet-java's push-down keeps by their Bloom filters alone. */
  static List<BlockMetaData> kept(ParquetFileReader reader, FilterPredicate predicate) {
    return RowGroupFilter.filterRowGroups(
        List.of(RowGroupFilter.FilterLevel.BLOOMFILTER),
        FilterCompat.get(predicate),
        reader.getRowGroups(),
        reader);
  }

  /** The filter of a column in a row group, as parquet-java reads it. */
  static BloomFilter filter(ParquetFileReader reader, int rowGroup, String column) {
    BlockMetaData block = reader.getRowGroups().get(rowGroup);
    for (ColumnChunkMetaData chunk : block.getColumns()) {
      if (chunk.getPath().toDotString().equals(column)) {
        return reader.getBloomFilterDataReader(block).readBloomFilter(chunk);
      }
    }
    throw new AssertionError(column);
  }
}
