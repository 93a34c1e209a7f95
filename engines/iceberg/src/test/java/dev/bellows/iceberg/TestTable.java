package dev.bellows.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.parquet.ParquetFilters;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.ManifestFile;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.MetricsConfig;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.RowDelta;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.deletes.BaseDVFileWriter;
import org.apache.iceberg.deletes.EqualityDeleteWriter;
import org.apache.iceberg.deletes.PositionDelete;
import org.apache.iceberg.deletes.PositionDeleteWriter;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.OutputFileFactory;
import org.apache.iceberg.parquet.Parquet;
import org.apache.iceberg.parquet.ParquetUtil;
import org.apache.iceberg.types.Types;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.LocalInputFile;

/**
 * A table in a folder of this machine, written and read with Iceberg's own writers and readers: ids
 * with a user each, in files with several row groups and with filters that are far too large.
 */
final class TestTable {
  static final Schema SCHEMA =
      new Schema(
          Types.NestedField.required(1, "id", Types.LongType.get()),
          Types.NestedField.optional(2, "user", Types.StringType.get()),
          Types.NestedField.required(3, "day", Types.IntegerType.get()));

  static final int FILTER_BYTES = 1 << 15;

  private static final HadoopTables TABLES = new HadoopTables(new Configuration());

  private final Path folder;
  private final Table table;

  private TestTable(Path folder, Table table) {
    this.folder = folder;
    this.table = table;
  }

  static TestTable create(Path folder, int formatVersion, PartitionSpec spec) {
    Map<String, String> properties =
        Map.of(
            "format-version", String.valueOf(formatVersion),
            "write.parquet.bloom-filter-enabled.column.id", "true",
            "write.parquet.bloom-filter-enabled.column.user", "true",
            "write.parquet.bloom-filter-max-bytes", String.valueOf(FILTER_BYTES),
            "write.parquet.row-group-size-bytes", "8192",
            "write.parquet.row-group-check-min-record-count", "100",
            "write.parquet.row-group-check-max-record-count", "100",
            "commit.retry.num-retries", "3",
            "commit.retry.min-wait-ms", "1",
            "commit.retry.max-wait-ms", "1");
    return new TestTable(folder, TABLES.create(SCHEMA, spec, properties, folder.toString()));
  }

  static TestTable create(Path folder, int formatVersion) {
    return create(folder, formatVersion, PartitionSpec.unpartitioned());
  }

  Table table() {
    return table;
  }

  Path folder() {
    return folder;
  }

  /** Returns the same table with other operations around its own. */
  Table with(java.util.function.UnaryOperator<TableOperations> hooks) {
    Table own = TABLES.load(folder.toString());
    return new BaseTable(
        hooks.apply(((HasTableOperations) own).operations()), "hooked " + folder.getFileName());
  }

  private OutputFile newFile(StructLike partition) {
    String name = FileFormat.PARQUET.addExtension(UUID.randomUUID().toString());
    String location =
        table.spec().isPartitioned()
            ? table.locationProvider().newDataLocation(table.spec(), partition, name)
            : table.locationProvider().newDataLocation(name);
    return table.io().newOutputFile(location);
  }

  static Record row(long id, int day) {
    Record row = GenericRecord.create(SCHEMA);
    row.setField("id", id);
    row.setField("user", "user-" + id);
    row.setField("day", day);
    return row;
  }

  /** Writes a file with the ids from one to before another, without adding it to the table. */
  DataFile write(long from, long to, int day, StructLike partition) throws IOException {
    DataWriter<Record> writer =
        Parquet.writeData(newFile(partition))
            .forTable(table)
            .withSpec(table.spec())
            .withPartition(partition)
            .createWriterFunc(GenericParquetWriter::create)
            .build();
    try (writer) {
      for (long id = from; id < to; id++) {
        writer.write(row(id, day));
      }
    }
    return writer.toDataFile();
  }

  /** Appends a file of an unpartitioned table. */
  DataFile append(long from, long to) throws IOException {
    DataFile file = write(from, to, 1, null);
    append(file);
    return file;
  }

  void append(DataFile... files) {
    var append = table.newAppend();
    for (DataFile file : files) {
      append.appendFile(file);
    }
    append.commit();
  }

  /** Deletes a row of a file by its position, as the format of the table does it. */
  void deletePosition(DataFile file, long position) throws IOException {
    table.refresh();
    RowDelta delta = table.newRowDelta();
    int version = ((HasTableOperations) table).operations().current().formatVersion();
    if (version >= 3) {
      OutputFileFactory files =
          OutputFileFactory.builderFor(table, 1, 1).format(FileFormat.PUFFIN).build();
      BaseDVFileWriter writer = new BaseDVFileWriter(files, path -> null);
      try (writer) {
        writer.delete(file.location(), position, table.spec(), file.partition());
      }
      writer.result().deleteFiles().forEach(delta::addDeletes);
    } else {
      PositionDeleteWriter<Record> writer =
          Parquet.writeDeletes(newFile(file.partition()))
              .withSpec(table.spec())
              .withPartition(file.partition())
              .metricsConfig(MetricsConfig.forPositionDelete())
              .buildPositionWriter();
      try (writer) {
        writer.write(PositionDelete.<Record>create().set(file.location(), position));
      }
      delta.addDeletes(writer.toDeleteFile());
    }
    delta.commit();
  }

  /** Deletes all rows with an id, by an equality delete. */
  DeleteFile deleteId(long id) throws IOException {
    table.refresh();
    Schema ids = SCHEMA.select("id");
    EqualityDeleteWriter<Record> writer =
        Parquet.writeDeletes(newFile(null))
            .forTable(table)
            .withSpec(table.spec())
            .rowSchema(ids)
            .equalityFieldIds(1)
            .createWriterFunc(GenericParquetWriter::create)
            .buildEqualityWriter();
    try (writer) {
      Record key = GenericRecord.create(ids);
      key.setField("id", id);
      writer.write(key);
    }
    DeleteFile deletes = writer.toDeleteFile();
    table.newRowDelta().addDeletes(deletes).commit();
    return deletes;
  }

  /** Returns the ids of all rows, sorted, as Iceberg's reader finds them. */
  List<Long> ids() throws IOException {
    table.refresh();
    List<Long> ids = new ArrayList<>();
    try (CloseableIterable<Record> rows = IcebergGenerics.read(table).build()) {
      rows.forEach(row -> ids.add((Long) row.getField("id")));
    }
    ids.sort(null);
    return ids;
  }

  /** Returns the row id and the number of the last change of each row, by the row's own id. */
  Map<Long, List<Long>> lineage() throws IOException {
    table.refresh();
    Map<Long, List<Long>> lineage = new TreeMap<>();
    Schema schema = MetadataColumns.schemaWithRowLineage(SCHEMA);
    try (CloseableIterable<Record> rows = IcebergGenerics.read(table).project(schema).build()) {
      for (Record row : rows) {
        lineage.put(
            (Long) row.getField("id"),
            List.of(
                (Long) row.getField("_row_id"),
                (Long) row.getField("_last_updated_sequence_number")));
      }
    }
    return lineage;
  }

  /**
   * Returns the number of rows with an id, which Iceberg's reader looks up in the filters first.
   */
  int rowsWith(long id) throws IOException {
    table.refresh();
    int count = 0;
    try (CloseableIterable<Record> rows =
        IcebergGenerics.read(table).where(Expressions.equal("id", id)).build()) {
      for (Record row : rows) {
        assertThat(row.getField("id")).isEqualTo(id);
        count++;
      }
    }
    return count;
  }

  /** Returns the data files of the current snapshot by their locations, with all that is known. */
  Map<String, DataFile> files() throws IOException {
    table.refresh();
    Map<String, DataFile> files = new TreeMap<>();
    try (CloseableIterable<FileScanTask> tasks = table.newScan().includeColumnStats().planFiles()) {
      tasks.forEach(task -> files.put(task.file().location(), task.file()));
    }
    return files;
  }

  static Path path(String location) {
    return location.startsWith("file:") ? Path.of(URI.create(location)) : Path.of(location);
  }

  /** Returns the bytes of all filters in the data files of the current snapshot. */
  long filterBytes() throws IOException {
    long bytes = 0;
    for (String location : files().keySet()) {
      bytes += ParquetFilters.read(path(location)).filterBytes();
    }
    return bytes;
  }

  /**
   * Checks what must be true of a table at any time: the lengths and the split offsets in its
   * metadata are those of its files, the filters of each file accept its keys, and no file is in
   * its folder that no snapshot names.
   */
  void requireSound() throws IOException {
    for (DataFile file : files().values()) {
      if (file.format() == FileFormat.PARQUET) {
        requireSound(file);
      }
    }
    TreeSet<String> named = new TreeSet<>();
    for (Snapshot snapshot : table.snapshots()) {
      named.add(path(snapshot.manifestListLocation()).toString());
      for (ManifestFile manifest : snapshot.allManifests(table.io())) {
        named.add(path(manifest.path()).toString());
      }
      snapshot
          .addedDataFiles(table.io())
          .forEach(file -> named.add(path(file.location()).toString()));
      snapshot
          .addedDeleteFiles(table.io())
          .forEach(file -> named.add(path(file.location()).toString()));
    }
    assertThat(onDisk()).containsExactlyInAnyOrderElementsOf(named);
  }

  /** Returns the files of the table's folder, without those of the metadata's own versions. */
  TreeSet<String> onDisk() throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile)
          .filter(
              path ->
                  !path.getFileName().toString().startsWith(".")
                      && !path.getFileName().toString().endsWith(".metadata.json")
                      && !path.getFileName().toString().equals("version-hint.text"))
          .map(Path::toString)
          .collect(java.util.stream.Collectors.toCollection(TreeSet::new));
    }
  }

  private static void requireSound(DataFile file) throws IOException {
    Path path = path(file.location());
    assertThat(file.fileSizeInBytes()).isEqualTo(Files.size(path));
    try (ParquetFileReader reader =
        new ParquetFileReader(
            new LocalInputFile(path),
            org.apache.parquet.ParquetReadOptions.builder(new PlainParquetConfiguration())
                .build())) {
      assertThat(file.splitOffsets()).isEqualTo(ParquetUtil.getSplitOffsets(reader.getFooter()));
      assertThat(file.recordCount()).isEqualTo(reader.getRecordCount());
    }
    assertThat(rejected(path, file)).as("keys that filters of %s reject", path).isZero();
  }

  /** Asks the filters, by way of parquet-java, for all keys between the bounds of a row group. */
  private static int rejected(Path path, DataFile file) throws IOException {
    int rejected = 0;
    try (ParquetFileReader reader =
        new ParquetFileReader(
            new LocalInputFile(path),
            org.apache.parquet.ParquetReadOptions.builder(new PlainParquetConfiguration())
                .build())) {
      for (BlockMetaData group : reader.getFooter().getBlocks()) {
        for (ColumnChunkMetaData column : group.getColumns()) {
          if (!column.getPath().toDotString().equals("id")) {
            continue;
          }
          BloomFilter filter = reader.getBloomFilterDataReader(group).readBloomFilter(column);
          assertThat(filter).as("filter of %s in %s", column.getPath(), path).isNotNull();
          long least = (Long) column.getStatistics().genericGetMin();
          long most = (Long) column.getStatistics().genericGetMax();
          for (long id = least; id <= most; id++) {
            rejected += filter.findHash(filter.hash(id)) ? 0 : 1;
          }
        }
      }
    }
    return rejected;
  }
}
