package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilterAdderTest {
  private static final int ROWS = 6_000;

  @TempDir Path folder;

  @Test
  void addedFiltersAreThoseThatTheWriterWouldHaveBuilt() throws IOException {
    ParquetJava.Shape shape =
        new ParquetJava.Shape(CompressionCodecName.SNAPPY, true, ROWS, 1 << 16, 0);
    Path full = ParquetJava.write(folder.resolve("full.parquet"), shape);
    Path bare = folder.resolve("bare.parquet");
    ParquetFilters.drop(full, bare, Set.of());
    Path added = folder.resolve("added.parquet");
    Set<String> columns = Set.copyOf(ParquetJava.FILTERED);
    ParquetRewrite rewrite = ParquetFilterAdder.add(bare, added, columns, 0.01);
    assertThat(rewrite.changes()).isNotEmpty();
    Path folded = folder.resolve("folded.parquet");
    ParquetFilters.fold(full, folded, FoldRequest.toFpp(0.01));
    List<ParquetFilter> ours = ParquetFilters.read(added).filters();
    List<ParquetFilter> theirs = ParquetFilters.read(folded).filters();
    assertThat(ours)
        .extracting(ParquetFilter::column, ParquetFilter::rowGroup, ParquetFilter::bits)
        .isEqualTo(
            theirs.stream().map(f -> Tuple.tuple(f.column(), f.rowGroup(), f.bits())).toList());
    try (ParquetFileReader one = ParquetJava.open(added);
        ParquetFileReader other = ParquetJava.open(folded)) {
      for (ParquetFilter filter : ours) {
        assertThat(ParquetJava.filter(one, filter.rowGroup(), filter.column()))
            .isEqualTo(ParquetJava.filter(other, filter.rowGroup(), filter.column()));
      }
    }
    assertThat(ParquetJava.rows(added)).isEqualTo(ParquetJava.rows(full));
    for (int row = 1; row < ROWS; row += 331) {
      String name = ParquetJava.name(row);
      assertThat(
              ParquetJava.rows(
                  added, FilterApi.eq(FilterApi.binaryColumn("name"), Binary.fromString(name))))
          .hasSize(1);
    }
  }

  @Test
  void columnsThatCannotHaveOneAreRefused() throws IOException {
    Path full = ParquetJava.write(folder.resolve("full.parquet"), ParquetJava.Shape.of(50));
    Path out = folder.resolve("out.parquet");
    assertThatThrownBy(() -> ParquetFilterAdder.add(full, out, Set.of("id"), 0.01))
        .hasMessageContaining("every row group has a filter already");
    assertThatThrownBy(() -> ParquetFilterAdder.add(full, out, Set.of("nobody"), 0.01))
        .hasMessageContainingAll("nobody", "day, id, name");
    assertThat(out).doesNotExist();
    ParquetFilterAdder.add(full, out, Set.of("day", "id"), 0.01);
    assertThat(ParquetFilters.read(out).filters())
        .extracting(ParquetFilter::column)
        .contains("day")
        .hasSize(5);
  }
}
