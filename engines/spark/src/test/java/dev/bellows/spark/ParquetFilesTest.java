package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.parquet.FoldRequest;
import dev.bellows.parquet.ParquetFilter;
import dev.bellows.parquet.ParquetFilters;
import dev.bellows.parquet.ParquetFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Parquet files that Spark writes, folded, and read again by Spark. */
class ParquetFilesTest {
  private static final int ROWS = 20_000;

  @TempDir Path folder;

  @Test
  void sparkReadsTheSameRowsAndFindsEveryKeyInFoldedFiles() throws IOException {
    SparkSession spark = LocalSpark.session();
    Path big = folder.resolve("big");
    spark
        .range(0, ROWS, 1, 3)
        .selectExpr("id * 7 AS id", "concat('name-', id) AS name", "id / 8 AS price")
        .write()
        .option("parquet.bloom.filter.enabled#id", "true")
        .option("parquet.bloom.filter.enabled#name", "true")
        .option("parquet.enable.dictionary", "false")
        .parquet(big.toString());
    List<Path> files = ParquetFolder.files(big);
    assertThat(files).hasSize(3);
    Path small = Files.createDirectories(folder.resolve("small"));
    for (Path file : files) {
      Path folded = small.resolve(file.getFileName());
      assertThat(ParquetFilters.fold(file, folded, FoldRequest.toFpp(0.01)).changes()).hasSize(2);
      assertThat(Files.size(folded)).isLessThan(Files.size(file) / 4);
      assertThat(ParquetFilters.read(folded).filters())
          .extracting(ParquetFilter::column)
          .containsExactly("id", "name");
    }
    Dataset<Row> folded = spark.read().parquet(small.toString());
    assertThat(folded.sort("id").collectAsList())
        .isEqualTo(spark.read().parquet(big.toString()).sort("id").collectAsList())
        .hasSize(ROWS);
    for (int i = 0; i < ROWS; i += 1_999) {
      assertThat(folded.where("name = 'name-" + i + "'").select("id").collectAsList())
          .extracting(row -> row.getLong(0))
          .containsExactly(7L * i);
      assertThat(folded.where("id = " + 7 * i).count()).isEqualTo(1);
    }
    assertThat(folded.where("name = 'nobody'").count()).isZero();
    // in place too: Spark refuses a file that does not match its recorded checksum
    for (Path file : files) {
      ParquetFilters.planFold(file, FoldRequest.toFpp(0.01)).writeInPlace();
    }
    assertThat(spark.read().parquet(big.toString()).where("id % 14 = 0").count())
        .isEqualTo(ROWS / 2);
  }
}
