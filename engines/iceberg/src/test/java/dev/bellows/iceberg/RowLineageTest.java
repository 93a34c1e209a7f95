package dev.bellows.iceberg;

import static dev.bellows.iceberg.FoldFiltersTest.ids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.iceberg.FoldResult.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.data.Record;
import org.apache.iceberg.data.parquet.GenericParquetWriter;
import org.apache.iceberg.io.DataWriter;
import org.apache.iceberg.parquet.Parquet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The rows of a table of format 3 keep their ids and the numbers of their last changes. */
class RowLineageTest {
  @TempDir Path folder;

  private static FoldResult fold(TestTable test, double fpp) throws IOException {
    return FoldFilters.of(test.table()).toFpp(fpp).execute();
  }

  @Test
  void rowsKeepTheirIds() throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), 3);
    test.append(0, 1000);
    test.append(1000, 1001); // a single row
    test.append(5000, 30_000); // several pages of ids
    Map<Long, List<Long>> before = test.lineage();
    assertThat(before.get(1000L)).containsExactly(1000L, 2L);
    assertThat(before.get(5000L)).containsExactly(1001L, 3L);

    FoldResult result = fold(test, 0.001);
    assertThat(result.rewritten()).hasSize(3);
    assertThat(test.lineage()).isEqualTo(before);
    test.requireSound();

    // copies have the ids in a column, and are copied again as they are
    FoldResult again = fold(test, 0.05);
    assertThat(again.rewritten()).isNotEmpty();
    assertThat(test.lineage()).isEqualTo(before);
    assertThat(test.rowsWith(29_999)).isEqualTo(1);
    test.requireSound();

    test.append(30_000, 30_100);
    Map<Long, List<Long>> after = test.lineage();
    assertThat(after).containsAllEntriesOf(before).hasSize(before.size() + 100);
    assertThat(after.values().stream().map(each -> each.get(0)).distinct())
        .as("ids of rows")
        .hasSize(after.size());
  }

  @Test
  void rowsStayDeleted() throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), 3);
    DataFile first = test.append(0, 500);
    DataFile second = test.append(500, 1000);
    test.append(1000, 1500);
    test.deletePosition(first, 3);
    FoldResult result =
        FoldFilters.of(
                test.with(
                    own ->
                        Hooks.beforeCommit(
                            own, Hooks.Action.once(() -> test.deletePosition(second, 3)))))
            .toFpp(0.01)
            .execute();
    assertThat(result.rewritten()).hasSize(1);
    assertThat(result.skipped())
        .extracting(FoldResult.SkippedFile::reason)
        .containsExactlyInAnyOrder(Reason.DELETED_ROWS, Reason.CHANGED_MEANWHILE);
    assertThat(test.ids()).hasSize(1498).doesNotContain(3L, 503L);
    test.requireSound();
  }

  /** As after a MERGE: rows that were moved have their ids in the file, new rows have none yet. */
  @Test
  void aFileWithIdsInSomeRowsIsLeftOut() throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), 3);
    test.append(0, 500);
    Schema schema = MetadataColumns.schemaWithRowLineage(TestTable.SCHEMA);
    DataWriter<Record> writer =
        Parquet.writeData(
                test.table()
                    .io()
                    .newOutputFile(test.table().locationProvider().newDataLocation("m.parquet")))
            .schema(schema)
            .setAll(test.table().properties())
            .withSpec(test.table().spec())
            .createWriterFunc(GenericParquetWriter::create)
            .build();
    try (writer) {
      for (long id = 500; id < 1000; id++) {
        Record row = GenericRecord.create(schema);
        row.setField("id", id);
        row.setField("user", "user-" + id);
        row.setField("day", 1);
        row.setField("_row_id", id % 2 == 0 ? null : 70_000 + id);
        writer.write(row);
      }
    }
    test.append(writer.toDataFile());
    Map<Long, List<Long>> before = test.lineage();
    assertThat(before.get(501L)).containsExactly(70_501L, 2L);

    FoldResult result = fold(test, 0.01);

    assertThat(result.rewritten()).hasSize(1);
    assertThat(result.skipped())
        .extracting(FoldResult.SkippedFile::reason)
        .containsExactly(Reason.ROW_IDS);
    assertThat(test.lineage()).isEqualTo(before);
    assertThat(test.ids()).isEqualTo(ids(0, 1000));
    test.requireSound();
  }

  /** Files that were written before the upgrade have no ids yet. */
  @Test
  void anUpgradedTable() throws IOException {
    TestTable test = TestTable.create(folder.resolve("t"), 2);
    test.append(0, 500);
    test.append(500, 1000);
    test.table().updateProperties().set("format-version", "3").commit();
    FoldResult result = fold(test, 0.01);
    assertThat(result.rewritten()).hasSize(2);
    assertThat(test.ids()).isEqualTo(ids(0, 1000));
    assertThat(test.lineage().values().stream().map(each -> each.get(0)).distinct()).hasSize(1000);
    test.requireSound();
  }
}
