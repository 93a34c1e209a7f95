package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.io.FilterFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetIndexTest {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType("message m { required int64 id; }");
  private static final int FILES = 10;
  private static final int ROWS = 1_000;

  @TempDir Path folder;
  private Path data;

  @BeforeEach
  void write() throws IOException {
    data = Files.createDirectories(folder.resolve("data"));
    for (int i = 0; i < FILES; i++) {
      ids(data.resolve("part-" + i + ".parquet"), (long) i * ROWS);
    }
  }

  private static Path ids(Path path, long from) throws IOException {
    return ParquetJava.write(
        path, SCHEMA, List.of("id"), ROWS, (group, row) -> group.append("id", from + row));
  }

  private Path part(int number) {
    return data.resolve("part-" + number + ".parquet");
  }

  @Test
  void everyValueLeadsToItsFile() throws IOException {
    ParquetIndex index = ParquetIndex.of(List.of(data), "id", 0.01);
    assertThat(index.files()).hasSize(FILES);
    long named = 0;
    for (long id = 0; id < FILES * ROWS; id += 7) {
      List<Path> candidates = index.candidates(id);
      assertThat(candidates).contains(part((int) (id / ROWS)));
      named += candidates.size();
    }
    assertThat(named).isLessThan(2 * FILES * ROWS / 7);
    assertThat(index.expectedFiles()).isLessThanOrEqualTo(0.01 * FILES);
    // a file of 1 MiB of filter for each row group is indexed with what its keys need
    assertThat(index.filterBytes()).isLessThanOrEqualTo(FILES * 4096L);
  }

  @Test
  void anIndexIsWrittenAndRead() throws IOException {
    ParquetIndex index = ParquetIndex.of(List.of(data), "id", 0.01);
    Path file = folder.resolve("ids.index");
    index.writeTo(file);
    ParquetIndex read = ParquetIndex.readFrom(file);
    assertThat(read.refresh().isEmpty()).isTrue();
    assertThat(read.column()).isEqualTo("id");
    for (long id = 0; id < 2 * FILES * ROWS; id += 101) {
      assertThat(read.candidates(id)).isEqualTo(index.candidates(id));
    }
  }

  @Test
  void dataAndIndexMoveTogether() throws IOException {
    ParquetIndex.of(List.of(data), "id", 0.01).writeTo(folder.resolve("ids.index"));
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
    Files.move(data, elsewhere.resolve("data"));
    Files.move(folder.resolve("ids.index"), elsewhere.resolve("ids.index"));
    ParquetIndex moved = ParquetIndex.readFrom(elsewhere.resolve("ids.index"));
    assertThat(moved.candidates(5)).contains(elsewhere.resolve("data/part-0.parquet"));
    assertThat(moved.files()).hasSize(FILES);
  }

  @Test
  void changedAndNewFilesAreReadAgainAndNeverHidden() throws IOException {
    Path file = folder.resolve("ids.index");
    ParquetIndex.of(List.of(data), "id", 0.001).writeTo(file);
    ParquetIndex index = ParquetIndex.readFrom(file);
    long fresh = 1_000_000;
    assertThat(index.candidates(fresh)).isEmpty();
    ids(part(3), fresh);
    assertThat(index.candidates(fresh)).containsExactly(part(3));
    Path added = ids(data.resolve("part-new.parquet"), 2 * fresh);
    assertThat(index.candidates(2 * fresh)).containsExactly(added);
    Files.delete(part(0));
    assertThat(index.candidates(0)).doesNotContain(part(0));
    Path broken =
        Files.write(
            data.resolve("broken"), "PAR1 and nothing else".getBytes(StandardCharsets.US_ASCII));
    assertThat(index.candidates(-1)).containsExactly(broken);
    assertThat(index.filesWithoutFilter()).containsExactly(broken);
    Files.writeString(data.resolve("notes.txt"), "not a Parquet file");
    assertThat(index.candidates(-1)).containsExactly(broken);
  }

  @Test
  void aFolderBehindALinkIsTheFolder() throws IOException {
    Path file = folder.resolve("ids.index");
    ParquetIndex.of(List.of(data), "id", 0.01).writeTo(file);
    Path elsewhere = Files.move(data, folder.resolve("elsewhere"));
    Files.createSymbolicLink(data, elsewhere);
    Files.createSymbolicLink(elsewhere.resolve("loop"), elsewhere);
    Path year = Files.createDirectory(elsewhere.resolve("_year=2020"));
    ids(year.resolve("part.parquet"), 5_000_000);
    ParquetIndex index = ParquetIndex.readFrom(file);
    assertThat(index.candidates(5)).contains(part(0));
    assertThat(index.candidates(5_000_000)).contains(data.resolve("_year=2020/part.parquet"));
  }

  @Test
  void anIndexWhoseFolderIsNotThereDoesNotAnswer() throws IOException {
    Path file = folder.resolve("ids.index");
    ParquetIndex.of(List.of(data), "id", 0.01).writeTo(file);
    Files.move(data, folder.resolve("elsewhere"));
    ParquetIndex index = ParquetIndex.readFrom(file);
    assertThatThrownBy(() -> index.candidates(5))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("is missing");
  }

  /** Files that other writers create and delete next to it do not hide anything. */
  @Test
  void filesThatComeAndGoDoNotHideOthers() throws Exception {
    ParquetIndex index = ParquetIndex.of(List.of(data), "id", 0.01);
    AtomicBoolean goesOn = new AtomicBoolean(true);
    Thread writer =
        new Thread(
            () -> {
              try {
                while (goesOn.get()) {
                  Path passing = data.resolve(".passing." + System.nanoTime());
                  Files.createFile(passing);
                  Files.delete(passing);
                }
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    writer.start();
    try {
      for (int i = 0; i < 3000; i++) {
        assertThat(index.candidates(5)).contains(part(0));
      }
    } finally {
      goesOn.set(false);
      writer.join();
    }
  }

  @Test
  void aFileWithARowGroupWithoutFilterIsAlwaysNamed() throws IOException {
    Path bare = folder.resolve("bare.parquet");
    ParquetFilters.drop(part(4), bare, Set.of());
    Files.move(bare, part(4), StandardCopyOption.REPLACE_EXISTING);
    ParquetIndex index = ParquetIndex.of(List.of(data), "id", 0.01);
    assertThat(index.filesWithoutFilter()).containsExactly(part(4));
    assertThat(index.candidates(-5)).contains(part(4));
    assertThatThrownBy(() -> ParquetIndex.of(List.of(data), "no-column", 0.01))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("10 files", "no-column");
  }

  @Test
  void damagedIndexesAreRefused() throws IOException {
    Path file = folder.resolve("ids.index");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    IndexCodec.write(ParquetIndex.of(List.of(part(0), part(1)), "id", 0.1), file, out);
    byte[] bytes = out.toByteArray();
    SplittableRandom random = new SplittableRandom(7);
    List<Integer> places = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      places.add(i < 200 ? i : random.nextInt(bytes.length));
    }
    for (int place : places) {
      byte[] damaged = bytes.clone();
      damaged[place] ^= (byte) (1 << random.nextInt(8));
      assertThatThrownBy(() -> read(file, damaged))
          .as("byte %d", place)
          .isInstanceOf(FilterFormatException.class);
      assertThatThrownBy(() -> read(file, Arrays.copyOf(bytes, place)))
          .as("cut at %d", place)
          .isInstanceOf(FilterFormatException.class);
    }
  }

  private static ParquetIndex read(Path file, byte[] bytes) throws IOException {
    return IndexCodec.read(file, new ByteArrayInputStream(bytes), bytes.length);
  }

  /** A link to memory of the process, whose first byte cannot be read, even by root. */
  @Test
  void aFileThatCannotBeReadIsNamed() throws IOException {
    ParquetIndex index = ParquetIndex.of(List.of(data), "id", 0.01);
    Path bad = data.resolve("bad.parquet");
    Files.createSymbolicLink(bad, Path.of("/proc/self/mem"));
    Files.delete(part(9));
    ParquetIndex.Changes changes = index.refresh();
    assertThat(changes.unreadable()).containsExactly(bad);
    assertThat(changes.gone()).containsExactly(part(9));
    assertThat(changes.read()).isEmpty();
    assertThat(index.candidates(5)).contains(part(0), bad);
    Files.delete(bad);
  }

  /** By its name it is a Parquet file: perhaps one that is still being written, or was cut off. */
  @Test
  void emptyAndShortFilesAndLinksToNothingAreNamed() throws IOException {
    ParquetIndex index = ParquetIndex.of(List.of(data), "id", 0.01);
    Path empty = Files.createFile(data.resolve("empty.parquet"));
    Path cut = Files.writeString(data.resolve("cut.PARQ"), "hello world");
    Path lost = Files.createSymbolicLink(data.resolve("lost.pq"), folder.resolve("nothing"));
    Files.createFile(data.resolve("empty.txt"));
    assertThat(index.refresh().unreadable()).containsExactly(cut, empty, lost);
    assertThat(index.candidates(5)).contains(part(0), empty, cut, lost);
    Path file = folder.resolve("ids.index");
    index.writeTo(file);
    ParquetIndex read = ParquetIndex.readFrom(file);
    assertThat(read.refresh().unreadable()).containsExactly(cut, empty, lost);
    assertThat(read.candidates(5)).isEqualTo(index.candidates(5));
  }

  @Test
  void aFolderIsListedWithAndWithoutItsLinks() throws IOException {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Files.copy(part(0), outside.resolve("x.parquet"));
    Path toFile = Files.createSymbolicLink(data.resolve("x"), outside.resolve("x.parquet"));
    Path toFolder = Files.createSymbolicLink(data.resolve("y"), outside);
    Files.createSymbolicLink(data.resolve("z"), Files.createFile(outside.resolve("notes.txt")));
    Files.createSymbolicLink(data.resolve(".hidden"), outside);
    Path link = Files.createSymbolicLink(folder.resolve("link"), data);
    assertThat(ParquetFolder.files(data))
        .hasSize(FILES + 2)
        .contains(toFile, toFolder.resolve("x.parquet"));
    ParquetFolder.Listing listing = ParquetFolder.list(data, false);
    assertThat(listing.files()).hasSize(FILES);
    assertThat(listing.skippedLinks()).containsExactly(toFile, toFolder);
    assertThat(ParquetFolder.list(link, false).files())
        .hasSize(FILES)
        .contains(link.resolve("part-0.parquet"));
  }

  @Test
  void differentTypesAreQueriedInTheirOwnForm() throws IOException {
    MessageType text =
        MessageTypeParser.parseMessageType("message m { required binary id (STRING); }");
    Path texts =
        ParquetJava.write(
            data.resolve("texts.parquet"),
            text,
            List.of("id"),
            ROWS,
            (group, row) -> group.append("id", "id-" + row));
    ParquetIndex index = ParquetIndex.of(List.of(data), "id", 1e-6);
    assertThat(index.types()).hasSize(2);
    assertThat(index.candidates("5")).containsExactly(part(0));
    assertThat(index.candidates("id-7")).contains(texts, part(0)).hasSize(FILES + 1);
  }

  /** Row groups with individually folded filters: their union is nearly full. */
  @Test
  void theRateOfFoldedRowGroupsIsStated() throws IOException {
    Path many =
        ParquetJava.write(
            folder.resolve("many.parquet"), ParquetJava.Shape.of(20_000).told(20_000));
    Path folded = folder.resolve("folded.parquet");
    ParquetFilters.fold(many, folded, FoldRequest.toFpp(0.01));
    ParquetIndex index = ParquetIndex.of(List.of(folded), "id", 0.01);
    assertThat(index.filesAboveFpp()).isEqualTo(1);
    assertThat(index.highestFpp()).isGreaterThan(0.1);
    ParquetIndex unfolded = ParquetIndex.of(List.of(many), "id", 0.01);
    assertThat(unfolded.highestFpp()).isLessThan(index.highestFpp());
  }
}
