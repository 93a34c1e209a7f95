package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.parquet.format.AesGcmV1;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.EncryptionAlgorithm;
import org.apache.parquet.format.FileMetaData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that are refused: nothing is written, and the message says why. */
class RefusalsTest {
  @TempDir Path folder;
  private Path file;
  private Path out;

  @BeforeEach
  void write() throws IOException {
    file = ParquetJava.write(folder.resolve("file.parquet"), ParquetJava.Shape.of(300).told(50));
    out = folder.resolve("out.parquet");
  }

  private void refused(Path path, String... parts) throws IOException {
    assertThatThrownBy(() -> ParquetFilters.fold(path, out, FoldRequest.toSize(64)))
        .hasMessageContainingAll(parts);
    assertThat(out).doesNotExist();
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(Path::getFileName).map(Path::toString))
          .noneMatch(name -> name.startsWith("."));
    }
  }

  /** The same file with another footer. */
  private Path changed(Consumer<FileMetaData> change) throws IOException {
    return Footers.change(file, folder.resolve("changed.parquet"), change);
  }

  private static ColumnMetaData column(FileMetaData footer, int number) {
    return footer.getRow_groups().get(0).getColumns().get(number).getMeta_data();
  }

  @Test
  void filesThatAreNotParquetFiles() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "no Parquet file at all");
    refused(text, "PAR1");
    refused(Files.writeString(folder.resolve("short"), "PAR1"), "4 bytes");
    byte[] bytes = Files.readAllBytes(file);
    Path cut = folder.resolve("cut");
    refused(Files.write(cut, Arrays.copyOf(bytes, bytes.length - 100)), "PAR1");
    byte[] claim = bytes.clone();
    claim[bytes.length - 5] = 0x7f;
    refused(Files.write(cut, claim), "a footer of", "in a file of");
    byte[] encrypted = bytes.clone();
    encrypted[bytes.length - 1] = 'E';
    refused(Files.write(cut, encrypted), "encrypted");
  }

  @Test
  void encryptedAndSignedFiles() throws IOException {
    refused(
        changed(f -> f.setEncryption_algorithm(EncryptionAlgorithm.AES_GCM_V1(new AesGcmV1()))),
        "encrypted or its footer signed");
    refused(
        changed(f -> f.setFooter_signing_key_metadata("key".getBytes(StandardCharsets.UTF_8))),
        "signed");
    refused(
        changed(
            f ->
                f.getRow_groups()
                    .get(0)
                    .getColumns()
                    .get(1)
                    .setEncrypted_column_metadata(new byte[3])),
        "a column is encrypted");
  }

  @Test
  void overlappingRegions() throws IOException {
    refused(
        changed(f -> column(f, 1).setBloom_filter_offset(column(f, 0).getBloom_filter_offset())),
        "overlaps",
        "column id",
        "column name");
    refused(
        changed(f -> column(f, 0).setTotal_compressed_size(100_000)), "would have 100000 bytes");
    refused(
        changed(
            f ->
                column(f, 0).setTotal_compressed_size(column(f, 0).getTotal_compressed_size() + 1)),
        "overlaps");
  }

  @ParameterizedTest
  @CsvSource({"3,would begin at byte 3", "1000000000000,would begin at byte 1000000000000"})
  void filtersOutsideOfTheFile(long offset, String message) throws IOException {
    refused(changed(f -> column(f, 0).setBloom_filter_offset(offset)), message);
  }

  @Test
  void lengthsThatDoNotAgree() throws IOException {
    refused(
        changed(
            f -> column(f, 0).setBloom_filter_length(column(f, 0).getBloom_filter_length() - 1)),
        "and the footer claims");
    refused(changed(f -> f.getSchema().get(0).setNum_children(77)), "77 children");
    refused(changed(f -> f.getSchema().get(1).setName("other")), "is not in the schema");
  }

  @Test
  void dataInOtherFiles() throws IOException {
    refused(
        changed(f -> f.getRow_groups().get(0).getColumns().get(0).setFile_path("part-1")),
        "a summary of other files");
  }

  @Test
  void theFileItselfUnlessRequested() throws IOException {
    assertThatThrownBy(() -> ParquetFilters.fold(file, file, FoldRequest.toSize(64)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("in place");
    long before = Files.size(file);
    ParquetRewrite rewrite = ParquetFilters.planFold(file, FoldRequest.toSize(64));
    rewrite.writeInPlace();
    assertThat(Files.size(file)).isEqualTo(rewrite.bytesAfter()).isLessThan(before);
  }

  @Test
  void aFileThatChangedInTheMeantime() throws IOException {
    ParquetRewrite rewrite = ParquetFilters.planFold(file, FoldRequest.toSize(64));
    ParquetJava.write(file, ParquetJava.Shape.of(301).told(50));
    assertThatThrownBy(() -> rewrite.writeTo(out)).hasMessageContaining("was changed");
    assertThat(out).doesNotExist();
  }

  /** Like a file that was restored by rsync or cp -p. */
  @Test
  void aFileThatWasReplacedByOneOfTheSameLengthAndTime() throws IOException {
    ParquetRewrite rewrite = ParquetFilters.planFold(file, FoldRequest.toSize(64));
    byte[] other = Files.readAllBytes(file);
    other[4] ^= 1; // in the first page
    Path successor = Files.write(folder.resolve("successor"), other);
    Files.setLastModifiedTime(successor, Files.getLastModifiedTime(file));
    Files.move(successor, file, StandardCopyOption.ATOMIC_MOVE);
    assertThatThrownBy(rewrite::writeInPlace).isInstanceOf(IOException.class);
    assertThat(file).hasBinaryContent(other);
    assertThatThrownBy(() -> rewrite.writeTo(out)).isInstanceOf(IOException.class);
    assertThat(out).doesNotExist();
  }

  @Test
  void columnsWithoutFilter() {
    assertThatThrownBy(
            () -> ParquetFilters.fold(file, out, FoldRequest.toSize(64).columns(Set.of("day"))))
        .hasMessageContainingAll("day", "id, name, price, tags.list.element");
  }

  @ParameterizedTest
  @CsvSource({
    "_delta_log, year=2026/x.parquet, Delta",
    ".hoodie, x.parquet, Hudi",
    "metadata, data/part=1/x.parquet, Iceberg",
  })
  void filesOfTables(String sign, String name, String table) throws IOException {
    Path root = Files.createDirectories(folder.resolve("table"));
    Files.createDirectories(root.resolve(sign));
    Path inside = root.resolve(name);
    Files.createDirectories(inside.getParent());
    Files.copy(file, inside);
    byte[] before = Files.readAllBytes(inside);
    ParquetRewrite rewrite = ParquetFilters.planFold(inside, FoldRequest.toSize(64));
    assertThatThrownBy(rewrite::writeInPlace)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll(table, "records the length", "write to a folder outside of it");
    assertThat(inside).hasBinaryContent(before);
    assertThatThrownBy(() -> rewrite.writeTo(inside.resolveSibling("y.parquet")))
        .hasMessageContaining(table);
    rewrite.writeTo(out);
    assertThat(out).exists();
  }

  @Test
  void anIcebergFolderIsKnownByItsMetadataToo() throws IOException {
    Files.createDirectories(folder.resolve("metadata"));
    TableFolders.requireNone(file);
    Files.writeString(folder.resolve("metadata/v1.metadata.json"), "{}");
    assertThatThrownBy(() -> TableFolders.requireNone(file)).hasMessageContaining("Iceberg");
  }

  @Test
  void staleHadoopChecksumsAreDeleted() throws IOException {
    Path checksum = Files.writeString(folder.resolve(".file.parquet.crc"), "old");
    ParquetFilters.planFold(file, FoldRequest.toSize(64)).writeInPlace();
    assertThat(checksum).doesNotExist();
    Path link =
        Files.createSymbolicLink(
            Files.createDirectory(folder.resolve("links")).resolve("link.parquet"), file);
    Files.writeString(checksum, "old");
    ParquetFilters.planDrop(link, Set.of()).writeInPlace();
    assertThat(link).isSymbolicLink();
    assertThat(checksum).doesNotExist();
  }
}
