package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.math.BinomialInterval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
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
