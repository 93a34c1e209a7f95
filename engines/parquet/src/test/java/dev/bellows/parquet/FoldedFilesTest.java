package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.internal.math.BinomialInterval;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What parquet-java writes, folded, and read again by parquet-java. */
class FoldedFilesTest {
  private static final int ROWS = 6_000;

  @TempDir Path folder;

  static Stream<ParquetJava.Shape> shapes() {
    return Stream.of(
            CompressionCodecName.UNCOMPRESSED,
            CompressionCodecName.SNAPPY,
            CompressionCodecName.GZIP,
            CompressionCodecName.ZSTD)
        .flatMap(
            codec ->
                Stream.of(false, true)
                    .map(dict -> new ParquetJava.Shape(codec, dict, ROWS, 20_000, 10_000)));
  }

  private static FilterPredicate named(String name) {
    return FilterApi.eq(FilterApi.binaryColumn("name"), Binary.fromString(name));
  }

  @Test
  void theWriterIsTheVersionThatThisRunIsAbout() throws IOException {
    Path file = ParquetJava.write(folder.resolve("file.parquet"), ParquetJava.Shape.of(1));
    try (ParquetFileReader reader = ParquetJava.open(file)) {
      assertThat(reader.getFileMetaData().getCreatedBy())
          .contains("version " + System.getProperty("parquet.expected") + " ");
    }
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void aFoldedFileHasTheSameRowsAndItsFiltersFindEveryKey(ParquetJava.Shape shape)
      throws IOException {
    Path big = ParquetJava.write(folder.resolve("big.parquet"), shape);
    Path small = folder.resolve("small.parquet");
    ParquetRewrite rewrite = ParquetFilters.fold(big, small, FoldRequest.toFpp(0.01));
    assertThat(rewrite.changes()).hasSameSizeAs(rewrite.filters()).isNotEmpty();
    assertThat(Files.size(small)).isEqualTo(rewrite.bytesAfter());
    assertThat(Files.size(big)).isEqualTo(rewrite.bytesBefore());
    assertThat(rewrite.bytesAfter()).isLessThan(rewrite.bytesBefore());
    assertThat(ParquetJava.rows(small)).isEqualTo(ParquetJava.rows(big)).hasSize(ROWS);
    try (ParquetFileReader reader = ParquetJava.open(small)) {
      assertThat(reader.getFileMetaData().getKeyValueMetaData()).containsEntry("made-by", "a test");
      assertThat(reader.getRowGroups()).hasSizeGreaterThan(1);
      for (int row = 0; row < ROWS; row += 17) {
        assertThat(ParquetJava.kept(reader, named(ParquetJava.name(row)))).isNotEmpty();
        assertThat(
                ParquetJava.kept(
                    reader, FilterApi.eq(FilterApi.longColumn("id"), ParquetJava.id(row))))
            .isNotEmpty();
      }
    }
    for (int row = 0; row < ROWS; row += 997) {
      assertThat(ParquetJava.rows(small, named(ParquetJava.name(row)))).hasSize(1);
    }
  }

  @Test
  void allBytesBeforeTheFirstFilterAreThoseOfTheOldFile() throws IOException {
    Path big = ParquetJava.write(folder.resolve("big.parquet"), ParquetJava.Shape.of(ROWS));
    Path small = folder.resolve("small.parquet");
    ParquetFilters.fold(big, small, FoldRequest.toFpp(0.01));
    int first =
        (int)
            ParquetFilters.read(big).filters().stream()
                .mapToLong(ParquetFilter::offset)
                .min()
                .orElseThrow();
    byte[] before = Files.readAllBytes(big);
    byte[] after = Files.readAllBytes(small);
    assertThat(first).isGreaterThan(100_000);
    assertThat(Arrays.mismatch(before, 0, first, after, 0, first)).isEqualTo(-1);
  }

  @Test
  void aFoldedFilterIsTheOneThatTheWriterBuildsAtThatSize() throws IOException {
    ParquetJava.Shape shape = ParquetJava.Shape.of(ROWS);
    Path big = ParquetJava.write(folder.resolve("big.parquet"), shape);
    for (long told : new long[] {100, 1_000, 10_000, 100_000}) {
      Path built = ParquetJava.write(folder.resolve("built.parquet"), shape.told(told));
      long bytes = ParquetFilters.read(built).filters().get(0).bits() / 8;
      Path folded = folder.resolve("folded.parquet");
      ParquetFilters.fold(big, folded, FoldRequest.toSize(bytes));
      try (ParquetFileReader one = ParquetJava.open(built);
          ParquetFileReader other = ParquetJava.open(folded)) {
        assertThat(other.getRowGroups()).hasSameSizeAs(one.getRowGroups());
        for (int group = 0; group < one.getRowGroups().size(); group++) {
          for (String column : ParquetJava.FILTERED) {
            assertThat(bits(ParquetJava.filter(other, group, column)))
                .as("%s of %d bytes", column, bytes)
                .hasSize((int) bytes)
                .isEqualTo(bits(ParquetJava.filter(one, group, column)));
          }
        }
      }
      // the same rows, the same sizes: all of the file is the same
      assertThat(folded).hasSameBinaryContentAs(built);
    }
  }

  private static byte[] bits(BloomFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  @Test
  void rowGroupsAreSkippedAtTheExpectedRate() throws IOException {
    Path big = ParquetJava.write(folder.resolve("big.parquet"), ParquetJava.Shape.of(2_000));
    Path small = folder.resolve("small.parquet");
    ParquetFilters.fold(big, small, FoldRequest.toFpp(0.2));
    List<ParquetFilter> filters =
        ParquetFilters.read(small).filters().stream()
            .filter(filter -> filter.column().equals("name"))
            .toList();
    int asked = 3_000;
    long[] passed = new long[filters.size()];
    try (ParquetFileReader reader = ParquetJava.open(small)) {
      for (int i = 0; i < asked; i++) {
        ParquetJava.kept(reader, named("absent-" + i))
            .forEach(block -> passed[block.getOrdinal()]++);
      }
    }
    for (ParquetFilter filter : filters) {
      assertThat(filter.expectedFpp()).isBetween(0.02, 0.2);
      BinomialInterval interval = BinomialInterval.of(passed[filter.rowGroup()], asked, 1e-9);
      assertThat(interval.contains(filter.expectedFpp())).as("%s %s", filter, interval).isTrue();
    }
  }

  @Test
  void onlyNamedColumnsAreFolded() throws IOException {
    Path big = ParquetJava.write(folder.resolve("big.parquet"), ParquetJava.Shape.of(500));
    Path small = folder.resolve("small.parquet");
    FoldRequest request = FoldRequest.toFpp(0.01).columns(Set.of("name"));
    ParquetFilters.fold(big, small, request);
    for (ParquetFilter filter : ParquetFilters.read(small).filters()) {
      assertThat(filter.bits() == 8L << 20).isEqualTo(!filter.column().equals("name"));
    }
    assertThat(ParquetJava.rows(small)).isEqualTo(ParquetJava.rows(big));
  }

  @Test
  void droppedFiltersAreGoneAndEverythingElseStays() throws IOException {
    Path big = ParquetJava.write(folder.resolve("big.parquet"), ParquetJava.Shape.of(ROWS));
    Path less = folder.resolve("less.parquet");
    ParquetFilters.drop(big, less, Set.of("name", "price"));
    assertThat(ParquetFilters.read(less).filters())
        .extracting(ParquetFilter::column)
        .containsOnly("id", "tags.list.element");
    assertThat(ParquetJava.rows(less)).isEqualTo(ParquetJava.rows(big));
    Path none = folder.resolve("none.parquet");
    ParquetFilters.drop(less, none, Set.of());
    assertThat(ParquetFilters.read(none).filters()).isEmpty();
    assertThat(ParquetJava.rows(none)).isEqualTo(ParquetJava.rows(big));
    assertThat(ParquetJava.rows(none, named(ParquetJava.name(77)))).hasSize(1);
    try (ParquetFileReader reader = ParquetJava.open(none)) {
      assertThat(ParquetJava.filter(reader, 0, "name")).isNull();
    }
  }

  @Test
  void aFileOfFourteenRowsShrinksBelowAMegabyte() throws IOException {
    Path big = ParquetJava.write(folder.resolve("big.parquet"), ParquetJava.Shape.of(14));
    assertThat(Files.size(big)).isGreaterThan(4L << 20);
    Path small = folder.resolve("small.parquet");
    ParquetFilters.fold(big, small, FoldRequest.toFpp(0.01));
    assertThat(Files.size(small)).isLessThan(4_000);
    assertThat(ParquetJava.rows(small)).isEqualTo(ParquetJava.rows(big)).hasSize(14);
  }

  @Test
  void aFileWithoutRowGroupsStaysAsItIs() throws IOException {
    Path empty = ParquetJava.write(folder.resolve("empty.parquet"), ParquetJava.Shape.of(0));
    ParquetFilters filters = ParquetFilters.read(empty);
    assertThat(filters.rows()).isZero();
    assertThat(filters.filters()).isEmpty();
    Path out = folder.resolve("empty-folded.parquet");
    ParquetFilters.fold(empty, out, FoldRequest.toFpp(0.01));
    assertThat(out).hasSameBinaryContentAs(empty);
    assertThat(ParquetJava.rows(out)).isEmpty();
    assertThatThrownBy(() -> ParquetIndex.of(List.of(empty), "id", 0.01))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("1 files", "id");
  }
}
