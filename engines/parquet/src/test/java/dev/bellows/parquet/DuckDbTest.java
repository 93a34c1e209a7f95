package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.math.BinomialInterval;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** DuckDB as a writer and as a reader of folded files. */
class DuckDbTest {
  private static final int ROWS = 20_000;

  @TempDir Path folder;
  private Connection duck;

  @BeforeEach
  void connect() throws SQLException {
    duck = DriverManager.getConnection("jdbc:duckdb:");
  }

  @AfterEach
  void close() throws SQLException {
    duck.close();
  }

  private List<String> ask(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Statement statement = duck.createStatement();
        ResultSet answer = statement.executeQuery(sql)) {
      int columns = answer.getMetaData().getColumnCount();
      while (answer.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          row.append(answer.getString(i)).append('|');
        }
        rows.add(row.toString());
      }
    }
    return rows;
  }

  /** A file of DuckDB with filters for a rate far below the one it is folded to. */
  private Path written() throws SQLException {
    Path path = folder.resolve("duck.parquet");
    try (Statement statement = duck.createStatement()) {
      statement.execute(
          """
          COPY (SELECT 7 * i AS id, 'name-' || i AS name, i / 8.0::DOUBLE AS price FROM range(%d) t(i))
          TO '%s' (FORMAT parquet, ROW_GROUP_SIZE 4096, DICTIONARY_SIZE_LIMIT 100000,
                   WRITE_BLOOM_FILTER true, BLOOM_FILTER_FALSE_POSITIVE_RATIO 0.0001)
          """
              .formatted(ROWS, path));
    }
    return path;
  }

  @Test
  void filesOfDuckDbFoldAndKeepTheirRowsAndKeys() throws Exception {
    Path big = written();
    Path small = folder.resolve("small.parquet");
    ParquetRewrite rewrite = ParquetFilters.fold(big, small, FoldRequest.toFpp(0.02));
    assertThat(rewrite.changes()).isNotEmpty();
    assertThat(Files.size(small)).isLessThan(Files.size(big));
    String all = "SELECT * FROM '%s' ORDER BY id";
    assertThat(ask(all.formatted(small))).isEqualTo(ask(all.formatted(big))).hasSize(ROWS);
    requireProbes(small, ROWS);
    for (int i = 0; i < ROWS; i += 1_111) {
      assertThat(ask("SELECT id FROM '%s' WHERE name = 'name-%d'".formatted(small, i)))
          .containsExactly(7L * i + "|");
    }
  }

  @Test
  void filesOfParquetJavaAreReadAfterFolding() throws Exception {
    Path big = ParquetJava.write(folder.resolve("big.parquet"), ParquetJava.Shape.of(6_000));
    Path between = Rearranged.of(big, folder.resolve("between.parquet"));
    Path small = folder.resolve("small.parquet");
    ParquetFilters.fold(between, small, FoldRequest.toFpp(0.02));
    String all = "SELECT * FROM '%s'";
    assertThat(ask(all.formatted(small))).isEqualTo(ask(all.formatted(big))).hasSize(6_000);
    requireProbes(small, 6_000);
  }

  @Test
  void numbersOfRowsAreReadInFilesOfBothWriters() throws Exception {
    ParquetJava.Shape pages =
        new ParquetJava.Shape(CompressionCodecName.SNAPPY, true, 50_000, 1 << 24, 0);
    Path many = ParquetJava.write(folder.resolve("pages.parquet"), pages);
    Path groups = ParquetJava.write(folder.resolve("groups.parquet"), ParquetJava.Shape.of(6_000));
    for (Path big : List.of(many, groups, written())) {
      Path small = folder.resolve("small-" + big.getFileName());
      long first = (1L << 40) + 3;
      RowNumbers numbers = new RowNumbers("_row_id", 1_000_000, first);
      try (FileChannel in = FileChannel.open(big);
          OutputStream out = Files.newOutputStream(small)) {
        ParquetCopy copy = ParquetFilters.planFold(in, FoldRequest.toFpp(0.02), numbers);
        copy.writeTo(in, out, done -> {});
        assertThat(copy.changes()).isNotEmpty();
        assertThat(copy.rowGroupOffsets()).hasSize(groups(big)).isSorted();
      }
      assertThat(ask("SELECT * EXCLUDE (_row_id) FROM '%s'".formatted(small)))
          .isEqualTo(ask("SELECT * FROM '%s'".formatted(big)));
      assertThat(
              ask(
                  """
                  SELECT count(*), count(_row_id), bool_and(_row_id = %d + file_row_number)
                  FROM read_parquet('%s', file_row_number = true)
                  """
                      .formatted(first, small)))
          .containsExactly("%1$d|%1$d|true|".formatted(ParquetFilters.read(big).rows()));
      assertThat(ask("SELECT _row_id FROM '%s' WHERE _row_id = %d".formatted(small, first + 4321)))
          .hasSize(1);
      try (FileChannel in = FileChannel.open(small)) {
        ParquetCopy again =
            ParquetFilters.planFold(in, FoldRequest.toSize(64), new RowNumbers("_row_id", 7, 0));
        assertThat(again.bytesAfter()).isLessThan(again.bytesBefore());
      }
    }
  }

  private static int groups(Path file) throws IOException {
    return (int)
        ParquetFilters.read(file).filters().stream()
            .mapToInt(ParquetFilter::rowGroup)
            .distinct()
            .count();
  }

  /** DuckDB's own probe excludes no row group that has a name, and others at the expected rate. */
  private void requireProbes(Path file, int rows) throws SQLException, IOException {
    List<ParquetFilter> filters =
        ParquetFilters.read(file).filters().stream()
            .filter(filter -> filter.column().equals("name"))
            .toList();
    assertThat(filters).hasSizeGreaterThan(1);
    String probe =
        "SELECT row_group_id FROM parquet_bloom_probe('%s', 'name', '%s') WHERE NOT bloom_filter_excludes";
    for (int i = 0; i < rows; i += 97) {
      assertThat(ask(probe.formatted(file, "name-" + i))).isNotEmpty();
    }
    int asked = 1_500;
    long[] passed = new long[filters.size()];
    for (int i = 0; i < asked; i++) {
      for (String group : ask(probe.formatted(file, "absent-" + i))) {
        passed[Integer.parseInt(group.replace("|", ""))]++;
      }
    }
    for (ParquetFilter filter : filters) {
      BinomialInterval interval = BinomialInterval.of(passed[filter.rowGroup()], asked, 1e-9);
      assertThat(interval.contains(filter.expectedFpp())).as("%s %s", filter, interval).isTrue();
    }
  }
}
