package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.parquetjava.HadoopOpener;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Parquet files in every store behave like local ones. */
abstract class StoreContract {
  private static final int ROWS = 6_000;

  @TempDir Path local;

  /** A folder of the store. */
  private Path folder;

  private Path big;
  private Path bigHere;

  /** Returns the address of a folder on the store, which may be missing. */
  abstract String address();

  abstract Configuration settings();

  @BeforeEach
  void writeFile(TestInfo test) throws IOException {
    String name = test.getTestMethod().orElseThrow().getName();
    folder = HadoopOpener.path(address() + "/" + name, settings());
    ParquetJava.Shape shape =
        new ParquetJava.Shape(CompressionCodecName.SNAPPY, false, ROWS, 1 << 16, 0);
    bigHere = ParquetJava.write(local.resolve("big.parquet"), shape);
    big = upload(bigHere, "data/big.parquet");
  }

  private Path upload(Path file, String name) throws IOException {
    Path target = folder.resolve(name);
    hadoop()
        .copyFromLocalFile(
            new org.apache.hadoop.fs.Path(file.toUri()),
            new org.apache.hadoop.fs.Path(target.toString()));
    return target;
  }

  private FileSystem hadoop() throws IOException {
    return new org.apache.hadoop.fs.Path(address()).getFileSystem(settings());
  }

  private RemoteStore store() {
    return (RemoteStore) folder.getFileSystem();
  }

  private static byte[] bytes(Path path) throws IOException {
    return Files.readAllBytes(path);
  }

  private Set<String> names(String inner) throws IOException {
    Set<String> names = new TreeSet<>();
    org.apache.hadoop.fs.Path path =
        new org.apache.hadoop.fs.Path(folder.resolve(inner).toString());
    for (FileStatus status : hadoop().listStatus(path)) {
      names.add(status.getPath().getName());
    }
    return names;
  }

  @Test
  void filtersAreThoseOfTheFile() throws IOException {
    ParquetFilters there = ParquetFilters.read(big);
    ParquetFilters here = ParquetFilters.read(bigHere);
    assertThat(there.filters()).isNotEmpty().isEqualTo(here.filters());
    assertThat(there.fileBytes()).isEqualTo(Files.size(bigHere));
    assertThat(bytes(big)).isEqualTo(bytes(bigHere));
  }

  @Test
  void foldedAndDroppedFilesAreThoseOfThisMachine() throws IOException {
    FoldRequest request = FoldRequest.toFpp(0.01);
    Path foldedHere = local.resolve("folded.parquet");
    ParquetFilters.fold(bigHere, foldedHere, request);
    Path folded = folder.resolve("out/folded.parquet");
    ParquetFilters.fold(big, folded, request);
    assertThat(bytes(folded)).isEqualTo(bytes(foldedHere));
    Path down = local.resolve("down.parquet");
    ParquetFilters.fold(big, down, request);
    assertThat(bytes(down)).isEqualTo(bytes(foldedHere));
    Path up = folder.resolve("out/up.parquet");
    ParquetFilters.fold(bigHere, up, request);
    assertThat(bytes(up)).isEqualTo(bytes(foldedHere));
    Path bare = folder.resolve("out/bare.parquet");
    ParquetFilters.drop(big, bare, Set.of());
    assertThat(ParquetFilters.read(bare).filters()).isEmpty();
    assertThat(names("out"))
        .containsExactlyInAnyOrder("folded.parquet", "up.parquet", "bare.parquet");
    assertThat(bytes(big)).isEqualTo(bytes(bigHere));
  }

  @Test
  void addedFiltersAreThoseOfThisMachine() throws IOException {
    Path bare = folder.resolve("bare.parquet");
    ParquetFilters.drop(big, bare, Set.of());
    Path added = folder.resolve("added.parquet");
    ParquetFilterAdder.add(bare, added, Set.of("id"), 0.01);
    Path folded = local.resolve("folded.parquet");
    ParquetFilters.fold(bigHere, folded, FoldRequest.toFpp(0.01).columns(Set.of("id")));
    assertThat(ParquetFilters.read(added).filters())
        .isNotEmpty()
        .extracting(ParquetFilter::column, ParquetFilter::rowGroup, ParquetFilter::fill)
        .isEqualTo(
            ParquetFilters.read(folded).filters().stream()
                .filter(filter -> filter.column().equals("id"))
                .map(filter -> Tuple.tuple(filter.column(), filter.rowGroup(), filter.fill()))
                .toList());
  }

  @Test
  void aWriteThatFailsLeavesNothing() throws IOException {
    Path target = folder.resolve("out/broken.parquet");
    Files.createDirectories(target.getParent());
    upload(bigHere, "out/other.parquet");
    for (long size : new long[] {0, 1 << 10, 12 << 20}) { // the last fills a part of an upload
      assertThatThrownBy(
              () ->
                  store()
                      .write(
                          target,
                          out -> {
                            out.write(new byte[(int) size]);
                            throw new IOException("the disk of another machine is full");
                          }))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("the disk of another machine is full");
      assertThat(Files.exists(target)).isFalse();
      assertThat(names("out")).containsExactly("other.parquet");
    }
  }

  @Test
  void aFileIsReplacedInOneStepOrNotAtAll() throws IOException {
    ParquetRewrite rewrite = ParquetFilters.planFold(big, FoldRequest.toFpp(0.01));
    if (store().replaces()) {
      rewrite.writeInPlace();
      assertThat(Files.size(big)).isEqualTo(rewrite.bytesAfter());
      assertThat(ParquetFilters.read(big).filters())
          .allMatch(filter -> filter.expectedFpp() <= 0.01);
    } else {
      assertThatThrownBy(rewrite::writeInPlace).isInstanceOf(FileAlreadyExistsException.class);
      assertThat(bytes(big)).isEqualTo(bytes(bigHere));
    }
    assertThat(names("data")).containsExactly("big.parquet");
  }

  @Test
  void aFileThatChangedInTheMeantimeIsNotFolded() throws IOException {
    ParquetRewrite rewrite = ParquetFilters.planFold(big, FoldRequest.toFpp(0.01));
    Path bareHere = local.resolve("bare.parquet");
    ParquetFilters.drop(bigHere, bareHere, Set.of());
    hadoop().delete(new org.apache.hadoop.fs.Path(big.toString()), false);
    upload(bareHere, "data/big.parquet");
    Path target = folder.resolve("out.parquet");
    assertThatThrownBy(() -> rewrite.writeTo(target)).hasMessageContaining("was changed");
    assertThat(Files.exists(target)).isFalse();
    assertThat(bytes(big)).isEqualTo(bytes(bareHere));
  }

  @Test
  void anIndexFindsTheFilesOfItsStore() throws IOException {
    ParquetJava.Shape few =
        new ParquetJava.Shape(CompressionCodecName.SNAPPY, false, 100, 1 << 16, 0);
    upload(ParquetJava.write(local.resolve("few.parquet"), few), "data/year=2026/few.parquet");
    upload(
        ParquetJava.write(local.resolve("no.parquet"), ParquetJava.Shape.of(0)), "data/no.parquet");
    upload(bigHere, "data/_hidden/big.parquet");
    Path file = folder.resolve("id.index");
    Path data = folder.resolve("data");
    ParquetIndex.of(List.of(data), "id", 0.001).writeTo(file);
    ParquetIndex index = ParquetIndex.readFrom(file);
    Path small = data.resolve("year=2026/few.parquet");
    Path empty = data.resolve("no.parquet");
    assertThat(index.files()).containsExactlyInAnyOrder(big, small, empty);
    assertThat(index.emptyFiles()).containsExactly(empty);
    assertThat(index.candidates(ParquetJava.id(7))).containsExactlyInAnyOrder(big, small);
    assertThat(index.candidates(ParquetJava.id(ROWS - 1))).containsExactly(big);
    assertThat(index.refresh().isEmpty()).isTrue();
    Path more = upload(bigHere, "data/more.parquet");
    assertThat(index.candidates(ParquetJava.id(ROWS - 1))).containsExactlyInAnyOrder(big, more);
    assertThatThrownBy(() -> index.writeTo(local.resolve("id.index")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("different stores");
  }

  @Test
  void aFileThatIsMissingIsNamed() {
    Path missing = folder.resolve("data/missing.parquet");
    assertThatThrownBy(() -> ParquetFilters.read(missing))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining(missing.toString());
    assertThat(missing.toString()).startsWith(address());
    assertThatThrownBy(() -> ParquetFilters.read(folder.resolve("data")))
        .hasMessageContaining("folder");
  }

  @Test
  void tablesAreLeftToTheirOwnCommands() throws IOException {
    upload(bigHere, "table/_delta_log/0.json");
    Path inTable = upload(bigHere, "table/part.parquet");
    assertThatThrownBy(
            () -> ParquetFilters.fold(inTable, folder.resolve("table/x"), FoldRequest.toFpp(0.01)))
        .hasMessageContaining("Delta table");
  }

  @Test
  void pathsBehaveAsTheirNames() {
    assertThat(Stream.of("a/../b", "./b", "b/.").map(folder::resolve).map(Path::normalize))
        .containsOnly(folder.resolve("b"));
    assertThat(folder.relativize(folder.resolve("a/b")).toString()).isEqualTo("a/b");
    assertThat(folder.resolve("a").relativize(folder.resolve("b/c")).toString())
        .isEqualTo("../b/c");
    assertThat(folder.resolve("a/b").startsWith(folder)).isTrue();
    assertThat(folder.resolve("ab").startsWith(folder.resolve("a"))).isFalse();
    assertThat(folder.resolve("a/b").getParent()).isEqualTo(folder.resolve("a"));
    assertThat(folder.resolve("a/b").getFileName()).hasToString("b");
  }
}
