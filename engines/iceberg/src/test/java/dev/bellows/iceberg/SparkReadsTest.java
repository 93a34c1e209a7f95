package dev.bellows.iceberg;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.iceberg.FoldResult.Reason;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.iceberg.Table;
import org.apache.iceberg.hadoop.HadoopTables;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables that Spark writes, changes and reads, folded in between. Compiled and run under {@code
 * -Pengines} only, with Iceberg's jar for Spark instead of its other jars.
 */
@Tag("engines")
class SparkReadsTest {
  @TempDir static Path folder;

  private static SparkSession spark;

  @BeforeAll
  static void start() {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config(
                "spark.sql.extensions",
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions")
            .config("spark.sql.catalog.local", "org.apache.iceberg.spark.SparkCatalog")
            .config("spark.sql.catalog.local.type", "hadoop")
            .config("spark.sql.catalog.local.warehouse", folder.toString())
            .config("spark.sql.catalog.local.cache-enabled", "false")
            .getOrCreate();
  }

  @AfterAll
  static void stop() {
    spark.stop();
  }

  private static List<String> rows(String sql) {
    return spark.sql(sql).collectAsList().stream().map(Row::toString).sorted().toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void sparkReadsTheSameRows(int formatVersion) throws IOException {
    String name = "local.db.t" + formatVersion;
    spark.sql(
        """
        CREATE TABLE %s (id BIGINT, name STRING, day INT) USING iceberg PARTITIONED BY (day)
        TBLPROPERTIES ('format-version' = '%d',
          'write.delete.mode' = '%s', 'write.merge.mode' = 'merge-on-read',
          'write.parquet.bloom-filter-enabled.column.id' = 'true',
          'write.parquet.bloom-filter-enabled.column.name' = 'true')
        """
            .formatted(
                name, formatVersion, formatVersion == 1 ? "copy-on-write" : "merge-on-read"));
    for (int i = 0; i < 3; i++) {
      spark.sql(
          """
          INSERT INTO %s SELECT id, concat('name-', id), CAST(id %% 4 AS INT)
          FROM range(%d, %d)
          """
              .formatted(name, 20_000 * i, 20_000 * (i + 1)));
    }
    spark.sql("DELETE FROM %s WHERE id IN (4, 20004)".formatted(name));
    String columns = formatVersion == 3 ? "*, _row_id, _last_updated_sequence_number" : "*";
    String all = "SELECT %s FROM %s".formatted(columns, name);
    List<String> before = rows(all);
    assertThat(before).hasSize(59_998);

    Table table = new HadoopTables().load(folder.resolve("db/t" + formatVersion).toString());
    FoldResult result = FoldFilters.of(table).toFpp(0.01).execute();

    assertThat(result.rewritten()).hasSizeGreaterThan(5);
    assertThat(result.bytesAfter()).isLessThan(result.bytesBefore() / 2);
    if (formatVersion > 1) {
      assertThat(result.skipped())
          .extracting(FoldResult.SkippedFile::reason)
          .containsOnly(Reason.DELETED_ROWS)
          .isNotEmpty();
    }
    assertThat(rows(all)).isEqualTo(before);
    for (int id : new int[] {3, 4, 20_004, 20_005, 59_999, 70_000}) {
      boolean isThere = id != 4 && id != 20_004 && id < 60_000;
      assertThat(rows("SELECT id FROM %s WHERE id = %d".formatted(name, id)))
          .hasSize(isThere ? 1 : 0);
      assertThat(rows("SELECT id FROM %s WHERE name = 'name-%d'".formatted(name, id)))
          .hasSize(isThere ? 1 : 0);
    }

    // copies are changed and compacted like any other file
    spark.sql("DELETE FROM %s WHERE id = 8".formatted(name));
    assertThat(rows("SELECT id FROM %s WHERE id < 10".formatted(name))).hasSize(8);
    spark.sql(
        "CALL local.system.rewrite_data_files(table => 'db.t%d', options => map('rewrite-all', 'true'))"
            .formatted(formatVersion));
    assertThat(rows("SELECT id FROM %s".formatted(name))).hasSize(59_997);
    if (formatVersion == 3) {
      List<String> ids = rows("SELECT id, _row_id FROM %s".formatted(name));
      assertThat(before.stream().map(SparkReadsTest::idAndRowId).collect(Collectors.toSet()))
          .containsAll(ids);
    }
  }

  /** Of a row of all columns: {@code [id,name,day,rowId,changed]}. */
  private static String idAndRowId(String row) {
    String[] values = row.substring(1, row.length() - 1).split(",", -1);
    return "[%s,%s]".formatted(values[0], values[3]);
  }
}
