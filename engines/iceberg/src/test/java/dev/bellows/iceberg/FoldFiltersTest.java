package dev.bellows.iceberg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.iceberg.FoldResult.Reason;
import dev.bellows.iceberg.FoldResult.SkippedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DataFiles;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Table;
import org.apache.iceberg.avro.Avro;
import org.apache.iceberg.data.IcebergGenerics;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.avro.DataWriter;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.io.CloseableIterable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which files are replaced by which, and that a table has the same rows before and after. */
class FoldFiltersTest {
  @TempDir Path folder;

  static List<Long> ids(long from, long to) {
    return LongStream.range(from, to).boxed().toList();
  }

  private static FoldFilters fold(Table table) {
    return FoldFilters.of(table).toFpp(0.01);
  }

  private static List<Reason> reasons(FoldResult result) {
    return result.skipped().stream().map(SkippedFile::reason).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void rowsStayAndFiltersShrink(int formatVersion) throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), formatVersion);
    test.append(0, 1000);
    test.append(1000, 2000);
    Map<String, DataFile> before = test.files();
    long filterBytes = test.filterBytes();
    long snapshotBefore = test.table().currentSnapshot().snapshotId();

    FoldResult result = fold(test.table()).execute();

    assertThat(result.rewritten()).hasSize(2);
    assertThat(result.skipped()).isEmpty();
    assertThat(result.bytesAfter()).isLessThan(result.bytesBefore());
    assertThat(result.bytesBefore() - result.bytesAfter())
        .isGreaterThanOrEqualTo(filterBytes - test.filterBytes());
    assertThat(test.filterBytes()).isLessThan(filterBytes / 10);
    assertThat(test.table().currentSnapshot().snapshotId()).isEqualTo(result.snapshotId());
    assertThat(test.ids()).isEqualTo(ids(0, 2000));
    assertThat(test.rowsWith(1234)).isEqualTo(1);
    assertThat(test.rowsWith(5678)).isZero();
    Map<String, DataFile> after = test.files();
    assertThat(after.keySet()).doesNotContainAnyElementsOf(before.keySet());
    for (FoldResult.RewrittenFile file : result.rewritten()) {
      requireSame(before.get(file.location()), after.get(file.copy()));
    }
    test.requireSound();

    try (CloseableIterable<Record> old =
        IcebergGenerics.read(test.table()).useSnapshot(snapshotBefore).build()) {
      assertThat(old).as("rows of the old snapshot").hasSize(2000);
    }
    FoldResult again = fold(test.table()).execute();
    assertThat(reasons(again)).containsOnly(Reason.NOTHING_TO_FOLD).hasSize(2);
    assertThat(again.snapshotId()).isNull();
    test.table().refresh();
    assertThat(test.table().currentSnapshot().snapshotId()).isEqualTo(result.snapshotId());
  }

  /** All that a copy has in common with its file. */
  private static void requireSame(DataFile file, DataFile copy) {
    assertThat(copy.fileSizeInBytes()).isLessThan(file.fileSizeInBytes());
    assertThat(copy.splitOffsets()).hasSameSizeAs(file.splitOffsets()).hasSizeGreaterThan(1);
    assertThat(copy.dataSequenceNumber()).isEqualTo(file.dataSequenceNumber());
    assertThat(copy.specId()).isEqualTo(file.specId());
    assertThat(copy.partition()).isEqualTo(file.partition());
    assertThat(copy.recordCount()).isEqualTo(file.recordCount());
    assertThat(copy.sortOrderId()).isEqualTo(file.sortOrderId());
    assertThat(copy.columnSizes()).isEqualTo(file.columnSizes()).isNotEmpty();
    assertThat(copy.valueCounts()).isEqualTo(file.valueCounts()).isNotEmpty();
    assertThat(copy.nullValueCounts()).isEqualTo(file.nullValueCounts()).isNotEmpty();
    assertThat(copy.nanValueCounts()).isEqualTo(file.nanValueCounts());
    assertThat(copy.lowerBounds()).isEqualTo(file.lowerBounds()).isNotEmpty();
    assertThat(copy.upperBounds()).isEqualTo(file.upperBounds()).isNotEmpty();
  }

  @Test
  void partitionsAndSortOrdersAreKept() throws IOException {
    PartitionSpec spec = PartitionSpec.builderFor(TestTable.SCHEMA).identity("day").build();
    TestTable test = TestTable.create(folder.resolve("t"), 2, spec);
    test.table().replaceSortOrder().asc("id").commit();
    List<DataFile> files = new ArrayList<>();
    for (int day = 1; day <= 3; day++) {
      PartitionData partition = new PartitionData(spec.partitionType());
      partition.set(0, day);
      DataFile file = test.write(1000 * day, 1000 * day + 500, day, partition);
      files.add(DataFiles.builder(spec).copy(file).withSortOrder(test.table().sortOrder()).build());
    }
    test.append(files.toArray(new DataFile[0]));
    Map<String, DataFile> before = test.files();

    FoldResult result = fold(test.table()).where(Expressions.lessThan("day", 3)).execute();

    assertThat(result.rewritten()).hasSize(2);
    Map<String, DataFile> after = test.files();
    for (FoldResult.RewrittenFile file : result.rewritten()) {
      requireSame(before.get(file.location()), after.get(file.copy()));
      assertThat(TestTable.path(file.copy()).getParent())
          .isEqualTo(TestTable.path(file.location()).getParent());
    }
    assertThat(after.values()).extracting(DataFile::sortOrderId).containsOnly(1);
    assertThat(test.ids()).hasSize(1500);
    assertThat(test.rowsWith(2100)).isEqualTo(1);
    test.requireSound();
  }

  @Test
  void equalityDeletesApplyAsBefore() throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), 2);
    test.append(0, 500);
    test.deleteId(7);
    test.append(7, 8); // the row is there again, and the delete does not apply to it
    test.append(500, 1000);
    test.deleteId(600);
    List<Long> ids = test.ids();
    assertThat(ids).hasSize(999).contains(7L).doesNotContain(600L);

    FoldResult plan = fold(test.table()).plan();
    FoldResult result = fold(test.table()).execute();

    // the delete of 7 applies to the oldest file only, and would be dropped with it
    assertThat(reasons(result)).containsExactly(Reason.EQUALITY_DELETES);
    assertThat(plan.skipped()).isEqualTo(result.skipped());
    assertThat(result.rewritten()).hasSize(2);
    assertThat(test.ids()).isEqualTo(ids);
    assertThat(test.rowsWith(7)).isEqualTo(1);
    assertThat(test.rowsWith(600)).isZero();
    test.requireSound();
  }

  /** Iceberg drops deletes that are older than all files that stay during a rewrite. */
  @Test
  void deletesOfTheOldestFilesAreNotDropped() throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), 2);
    test.append(test.write(0, 500, 1, null), test.write(500, 1000, 1, null));
    test.deleteId(7);
    test.deleteId(507);
    test.append(1000, 1500);
    test.append(1500, 2000);
    List<Long> ids = test.ids();
    assertThat(ids).hasSize(1998);

    FoldResult result = fold(test.table()).execute();

    assertThat(result.rewritten()).hasSize(4);
    assertThat(test.ids()).isEqualTo(ids);
    test.requireSound();
  }

  @Test
  void aSingleFileWithDeletesIsLeftOut() throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), 2);
    test.append(0, 500);
    test.deleteId(7);
    FoldResult result = fold(test.table()).execute();
    assertThat(reasons(result)).containsExactly(Reason.EQUALITY_DELETES);
    assertThat(test.ids()).hasSize(499);
    test.requireSound();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void filesWithDeletedPositionsAreSkippedAndNamed(int formatVersion) throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), formatVersion);
    DataFile first = test.append(0, 500);
    test.append(500, 1000);
    test.deletePosition(first, 3);
    List<Long> ids = test.ids();
    assertThat(ids).hasSize(999).doesNotContain(3L);

    FoldResult result = fold(test.table()).execute();

    assertThat(result.skipped()).extracting(SkippedFile::location).contains(first.location());
    assertThat(reasons(result)).contains(Reason.DELETED_ROWS);
    assertThat(test.ids()).isEqualTo(ids);
    assertThat(test.files()).containsKey(first.location());
    test.requireSound();
  }

  @Test
  void aPlanWritesNothing() throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), 2);
    test.append(0, 1000);
    long snapshot = test.table().currentSnapshot().snapshotId();

    FoldResult plan = fold(test.table()).plan();

    assertThat(plan.snapshotId()).isNull();
    assertThat(plan.rewritten()).hasSize(1);
    assertThat(plan.rewritten().get(0).copy()).isNull();
    test.requireSound();
    test.table().refresh();
    assertThat(test.table().currentSnapshot().snapshotId()).isEqualTo(snapshot);
    FoldResult done = fold(test.table()).execute();
    assertThat(done.bytesBefore()).isEqualTo(plan.bytesBefore());
    assertThat(done.bytesAfter()).isEqualTo(plan.bytesAfter());
  }

  @Test
  void columnsAreThoseOfTheTableWhateverTheirNamesWere() throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), 2);
    test.append(0, 1000);
    test.table().updateSchema().renameColumn("user", "login").commit();
    long bytes = test.filterBytes();

    FoldResult one = fold(test.table()).columns("login").execute();
    long oneBytes = test.filterBytes();
    FoldResult other = fold(test.table()).columns("id").execute();

    assertThat(oneBytes).isBetween(bytes / 2, 6 * bytes / 10);
    assertThat(test.filterBytes()).isLessThan(bytes / 10);
    assertThat(one.rewritten().get(0).filters()).isEqualTo(other.rewritten().get(0).filters());
    FoldResult none = fold(test.table()).columns("day").execute();
    assertThat(reasons(none)).containsExactly(Reason.NOTHING_TO_FOLD);
    assertThatThrownBy(() -> fold(test.table()).columns("user").plan())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("id, login, day");
    assertThatThrownBy(() -> FoldFilters.of(test.table()).plan())
        .isInstanceOf(IllegalStateException.class);
    test.requireSound();
  }

  @Test
  void filtersFoldToASize() throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), 2);
    test.append(0, 1000);
    FoldResult result = FoldFilters.of(test.table()).toSize(4096).execute();
    assertThat(result.rewritten()).hasSize(1);
    assertThat(test.filterBytes()).isEqualTo(result.rewritten().get(0).filters() * (4096 + 16L));
    test.requireSound();
  }

  @Test
  void anEmptyTableHasNothingToFold() throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), 2);
    assertThat(fold(test.table()).execute()).isEqualTo(new FoldResult(null, List.of(), List.of()));
  }

  @Test
  void whatCannotBeCopiedIsNamed() throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), 2);
    DataFile damaged = test.append(0, 500);
    byte[] bytes = Files.readAllBytes(TestTable.path(damaged.location()));
    bytes[bytes.length - 1] = 'X';
    Files.write(TestTable.path(damaged.location()), bytes);
    Path checksum =
        TestTable.path(damaged.location())
            .resolveSibling("." + TestTable.path(damaged.location()).getFileName() + ".crc");
    Files.deleteIfExists(checksum);
    DataFile twice = test.append(500, 600);
    test.append(twice);
    DataFile plain = test.write(600, 700, 1, null);
    test.append(
        DataFiles.builder(test.table().spec())
            .copy(plain)
            .withEncryptionKeyMetadata(ByteBuffer.wrap(new byte[] {1}))
            .build());
    DataFile avro = avro(test);
    test.append(avro);
    DataFile sound = test.append(800, 900);

    FoldResult result = fold(test.table()).execute();

    assertThat(result.rewritten())
        .extracting(FoldResult.RewrittenFile::location)
        .containsExactly(sound.location());
    assertThat(result.skipped())
        .extracting(SkippedFile::location, SkippedFile::reason)
        .containsExactlyInAnyOrder(
            org.assertj.core.groups.Tuple.tuple(damaged.location(), Reason.UNREADABLE),
            org.assertj.core.groups.Tuple.tuple(twice.location(), Reason.LISTED_TWICE),
            org.assertj.core.groups.Tuple.tuple(twice.location(), Reason.LISTED_TWICE),
            org.assertj.core.groups.Tuple.tuple(plain.location(), Reason.ENCRYPTED),
            org.assertj.core.groups.Tuple.tuple(avro.location(), Reason.NOT_PARQUET));
  }

  private static DataFile avro(TestTable test) throws IOException {
    String location = test.table().locationProvider().newDataLocation("rows.avro");
    org.apache.iceberg.io.DataWriter<Record> writer =
        Avro.writeData(test.table().io().newOutputFile(location))
            .forTable(test.table())
            .withSpec(test.table().spec())
            .createWriterFunc(DataWriter::create)
            .build();
    try (writer) {
      writer.write(TestTable.row(700, 1));
    }
    assertThat(writer.toDataFile().format()).isEqualTo(FileFormat.AVRO);
    return writer.toDataFile();
  }
}
