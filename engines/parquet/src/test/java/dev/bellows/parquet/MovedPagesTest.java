package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.SplitBlocks;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.parquet.filter2.predicate.FilterApi;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.api.Binary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files whose filters lie between pages, so that pages and offset indexes move. */
class MovedPagesTest {
  private static final int ROWS = 6_000;

  @TempDir Path folder;

  private Path written(String name) throws IOException {
    return ParquetJava.write(folder.resolve(name), ParquetJava.Shape.of(ROWS));
  }

  /** Every row is found, by statistics, column index and filter together. */
  static void requireFound(Path path) throws IOException {
    for (int row = 1; row < ROWS; row += 499) {
      assertThat(
              ParquetJava.rows(
                  path,
                  FilterApi.eq(
                      FilterApi.binaryColumn("name"), Binary.fromString(ParquetJava.name(row)))))
          .hasSize(1);
      assertThat(
              ParquetJava.rows(path, FilterApi.eq(FilterApi.longColumn("id"), ParquetJava.id(row))))
          .hasSize(1);
    }
  }

  @Test
  void foldingThenRearrangingIsRearrangingThenFolding() throws IOException {
    Path big = written("big.parquet");
    Path between = Rearranged.of(big, folder.resolve("between.parquet"));
    assertThat(ParquetJava.rows(between)).hasSize(ROWS);
    Path small = folder.resolve("small.parquet");
    ParquetFilters.fold(big, small, FoldRequest.toFpp(0.01));
    Path folded = folder.resolve("folded.parquet");
    ParquetFilters.fold(between, folded, FoldRequest.toFpp(0.01));
    assertThat(folded)
        .hasSameBinaryContentAs(Rearranged.of(small, folder.resolve("expected.parquet")));
    assertThat(Files.size(folded)).isLessThan(Files.size(between) / 4);
    assertThat(ParquetJava.rows(folded)).isEqualTo(ParquetJava.rows(big));
    requireFound(folded);
  }

  @Test
  void pagesMoveBackWhenFiltersAreDropped() throws IOException {
    Path between = Rearranged.of(written("big.parquet"), folder.resolve("between.parquet"));
    Path less = folder.resolve("less.parquet");
    ParquetFilters.drop(between, less, Set.of("id", "price"));
    assertThat(ParquetJava.rows(less)).isEqualTo(ParquetJava.rows(between));
    requireFound(less);
  }

  /** A filter of names in any number of blocks, which parquet-java reads and does not write. */
  private static byte[] names(long blocks) throws IOException {
    HeapBits bits = HeapBits.aligned(blocks * SplitBlocks.BLOCK_BITS);
    for (int row = 0; row < ROWS; row++) {
      byte[] name = ParquetJava.name(row).getBytes(StandardCharsets.UTF_8);
      SplitBlocks.put(bits, SplitBlocks.hash(name));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(ChunkFilter.newHeader(blocks));
    ChunkFilter.write(out, bits);
    return out.toByteArray();
  }

  @Test
  void oddSizesBecomePowersOfTwoWithoutLosingAKey() throws IOException {
    byte[] odd = names(24_576);
    Path mixed =
        Rearranged.of(
            written("big.parquet"),
            folder.resolve("odd.parquet"),
            0,
            (group, column, filter) -> column.equals("name") ? odd : filter);
    for (long size : new long[] {1 << 19, 1 << 18, 1 << 13}) {
      Path repaired = folder.resolve("repaired.parquet");
      ParquetFilters.fold(mixed, repaired, FoldRequest.toSize(size).columns(Set.of("name")));
      try (ParquetFileReader reader = ParquetJava.open(repaired)) {
        for (int row = 0; row < ROWS; row++) {
          Binary name = Binary.fromString(ParquetJava.name(row));
          var filter = ParquetJava.filter(reader, 0, "name");
          assertThat(filter.findHash(filter.hash(name))).isTrue();
          assertThat(filter.getBitsetSize()).isEqualTo((int) size);
          row += 30;
        }
      }
      requireFound(repaired);
    }
    List<ParquetFilter.Size> sizes =
        ParquetFilters.read(mixed).filters().stream()
            .filter(filter -> filter.column().equals("name"))
            .findFirst()
            .orElseThrow()
            .sizes();
    assertThat(sizes)
        .filteredOn(size -> !size.isExact())
        .extracting(ParquetFilter.Size::bits)
        .containsExactly(16_384L * 256);
  }

  @Test
  void anySizeTakesDivisors() throws IOException {
    byte[] odd = names(24_576);
    Path mixed =
        Rearranged.of(
            written("big.parquet"),
            folder.resolve("odd.parquet"),
            0,
            (group, column, filter) -> column.equals("name") ? odd : filter);
    Path folded = folder.resolve("folded.parquet");
    FoldRequest request = FoldRequest.toSize(400_000).columns(Set.of("name")).anySize();
    ParquetFilters.fold(mixed, folded, request);
    assertThat(ParquetFilters.read(folded).filters())
        .filteredOn(filter -> filter.column().equals("name"))
        .allMatch(filter -> filter.blocks() == 12_288);
    requireFound(folded);
  }
}
