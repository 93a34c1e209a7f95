package dev.bellows.cli.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.Cli;
import dev.bellows.cli.ExampleRun;
import dev.bellows.parquet.ParquetFilters;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verbs of parquet on the files that the guide makes. */
class ParquetTest {
  private static final int FILES = 10;
  private static final int ROWS = 6_000;

  @TempDir static Path made;
  @TempDir Path folder;
  private Path events;

  /** Runs examples/ParquetEvents.java as the guide says. */
  @BeforeAll
  static void make() throws Exception {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(ExampleRun.CHEAP);
    command.addAll(List.of("-cp", classPath));
    command.add(Cli.ROOT.resolve("examples/ParquetEvents.java").toString());
    command.add(made.resolve("events").toString());
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    assertThat(output).contains("10 files of 6,000 events");
  }

  @BeforeEach
  void copy() throws IOException {
    events = Files.createDirectories(folder.resolve("events"));
    try (Stream<Path> files = Files.list(made.resolve("events"))) {
      for (Path file : files.filter(name -> name.toString().endsWith(".parquet")).toList()) {
        Files.copy(file, events.resolve(file.getFileName()));
      }
    }
  }

  private Path part(int number) {
    return events.resolve("part-" + number + ".parquet");
  }

  private static long bytes(Path folder) throws IOException {
    long bytes = 0;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        bytes += Files.size(file);
      }
    }
    return bytes;
  }

  @Test
  void infoListsEveryFilterAndWhatFoldingSaves() throws IOException {
    Cli.Result text = Cli.run("parquet", "info", events).succeeded();
    assertThat(text.lines()).hasSize(1 + 2 * FILES + 1 + 3);
    assertThat(text.out()).contains("filter bytes", "1,048,594", "folding to 1 % saves");
    Map<String, Object> json = Cli.run("parquet", "info", events, "--json").json();
    assertThat((List<?>) json.get("files")).hasSize(FILES);
    assertThat(Cli.integer(json.get("bytes"))).isEqualTo(bytes(events));
    assertThat(Cli.integer(json.get("filterBytes"))).isEqualTo(2L * FILES * 1_048_594);
    Map<?, ?> file = (Map<?, ?>) ((List<?>) json.get("files")).get(0);
    assertThat(file.get("file")).isEqualTo(part(0).toString());
    Map<?, ?> filter = (Map<?, ?>) ((List<?>) file.get("filters")).get(1);
    assertThat(filter.get("column")).isEqualTo("user");
    assertThat(filter.get("blocks")).isEqualTo(32_768);
    assertThat(filter.get("rows")).isEqualTo(ROWS);
    assertThat(Cli.real(filter.get("expectedFpp"))).isLessThan(1e-9);
    // the prediction matches the folding, except for shorter numbers in headers and footers
    Path small = folder.resolve("small");
    Cli.run("parquet", "fold", events, "--to-fpp", "1%", "-o", small).succeeded();
    assertThat(bytes(events) - bytes(small) - Cli.integer(json.get("savedAtOnePercent")))
        .isBetween(0L, 40L * FILES);
  }

  @Test
  void foldWritesSmallerFilesOrOnlyReportsThem() throws IOException {
    Path small = folder.resolve("small.parquet");
    Map<String, Object> planned =
        Cli.run("parquet", "fold", part(0), "--to-fpp", "1%", "--dry-run", "-o", small, "--json")
            .json();
    assertThat(small).doesNotExist();
    Map<String, Object> done =
        Cli.run("parquet", "fold", part(0), "--to-fpp", "1%", "-o", small, "--json").json();
    assertThat(done)
        .containsEntry("filters", 2)
        .containsEntry("folded", 2)
        .containsEntry("bytesBefore", planned.get("bytesBefore"))
        .containsEntry("bytesAfter", planned.get("bytesAfter"));
    assertThat(Cli.integer(done.get("bytesAfter"))).isEqualTo(Files.size(small));
    assertThat(Files.size(small)).isLessThan(Files.size(part(0)) / 10);
    assertThat(Cli.real(done.get("highestFpp"))).isLessThanOrEqualTo(0.01);
    Cli.run("parquet", "fold", part(0), "--to-size", "64KiB", "--columns", "id", "-o", small)
        .succeeded();
    Map<String, Object> sized = Cli.run("parquet", "info", small, "--json").json();
    assertThat(sized.toString()).contains("column=id", "blocks=2048", "blocks=32768");
    Map<?, ?> file = (Map<?, ?>) ((List<?>) done.get("files")).get(0);
    Map<?, ?> change = (Map<?, ?>) ((List<?>) file.get("changes")).get(0);
    assertThat(change.get("column")).isEqualTo("id");
    assertThat(Cli.real(change.get("fppBefore"))).isLessThan(Cli.real(change.get("fppAfter")));
  }

  @Test
  void aFolderIsFoldedFileByFileAndARunCanBeRepeated() throws IOException {
    Path small = folder.resolve("small");
    Map<String, Object> first =
        Cli.run("parquet", "fold", events, "--to-fpp", "1%", "-o", small, "--json").json();
    assertThat(first).containsEntry("written", FILES).containsEntry("folded", 2 * FILES);
    Files.delete(small.resolve("part-3.parquet"));
    FileTime old = Files.getLastModifiedTime(small.resolve("part-4.parquet"));
    Map<String, Object> again =
        Cli.run("parquet", "fold", events, "--to-fpp", "1%", "-o", small, "--json").json();
    assertThat(again).containsEntry("written", 1);
    assertThat(Files.getLastModifiedTime(small.resolve("part-4.parquet"))).isEqualTo(old);
    Map<String, Object> other =
        Cli.run("parquet", "fold", events, "--to-fpp", "10%", "-o", small, "--json").json();
    assertThat(other).containsEntry("written", FILES);
    Map<String, Object> inPlace =
        Cli.run("parquet", "fold", small, "--to-fpp", "10%", "--in-place", "--json").json();
    assertThat(inPlace).containsEntry("written", 0).containsEntry("folded", 0);
  }

  @Test
  void oddSizesAreNamed() throws IOException {
    Path odd = folder.resolve("odd.parquet");
    Path even = folder.resolve("even.parquet");
    assertThat(Cli.run("parquet", "info", part(0)).succeeded().out()).doesNotContain("odd sizes");
    // twenty ids with a filter of six blocks
    Files.copy(Cli.ROOT.resolve("cli/src/test/resources/odd.parquet"), odd);
    assertThat(Cli.run("parquet", "info", odd).succeeded().out()).contains("odd sizes");
    Cli.run("parquet", "fold", odd, "--to-size", "64", "-o", even).succeeded();
    assertThat(Cli.run("parquet", "info", even).succeeded().out()).doesNotContain("odd sizes");
  }

  @Test
  void dropAndAddAreOpposites() throws IOException {
    Path bare = folder.resolve("bare.parquet");
    Map<String, Object> dropped = Cli.run("parquet", "drop", part(0), "-o", bare, "--json").json();
    assertThat(dropped).containsEntry("dropped", 2);
    assertThat(ParquetFilters.read(bare).filters()).isEmpty();
    Path added = folder.resolve("added.parquet");
    Map<String, Object> json =
        Cli.run("parquet", "add", bare, "--columns", "id,user", "-o", added, "--json").json();
    assertThat(json).containsEntry("added", 2);
    Path folded = folder.resolve("folded.parquet");
    Cli.run("parquet", "fold", part(0), "--to-fpp", "1%", "-o", folded).succeeded();
    assertThat(added).hasSameBinaryContentAs(folded);
  }

  /** The jar of Hadoop is on the class path of the tests, the connectors of clouds are not. */
  @Test
  void addressesOfStoresWithoutConnectorSayWhatToDo() {
    for (String address : List.of("s3a://bucket/f.parquet", "gs://b/f", "abfs://c@a/f")) {
      String[] wayOut = {"bellows: " + address, "on the class path", "BELLOWS_JARS"};
      Cli.run("parquet", "info", address).refused(wayOut);
      Cli.run("parquet", "fold", address, "--to-fpp", "1%", "-o", "x").refused(wayOut);
      Cli.run("parquet", "drop", part(0), "-o", address).refused(wayOut);
      Cli.run("parquet", "index", address, "--column", "id", "-o", "x").refused(wayOut);
      Cli.run("parquet", "find", address, "1").refused(wayOut);
    }
    Cli.run("parquet", "info", "file://" + events + "/missing")
        .refused("no such file: file://" + events + "/missing");
  }

  @Test
  void addressesGiveWhatPathsGive() throws IOException {
    String there = "file://" + events;
    Map<String, Object> byPath = Cli.run("parquet", "info", events, "--json").succeeded().json();
    Map<String, Object> byAddress = Cli.run("parquet", "info", there, "--json").succeeded().json();
    assertThat(byAddress.get("filterBytes")).isEqualTo(byPath.get("filterBytes"));
    assertThat(byAddress.toString()).contains(there + "/part-0.parquet");
    Path small = folder.resolve("small");
    Cli.run("parquet", "fold", events, "--to-fpp", "1%", "-o", small).succeeded();
    String far = "file://" + folder.resolve("far");
    Cli.run("parquet", "fold", there, "--to-fpp", "1%", "-o", far).succeeded();
    assertThat(Cli.run("parquet", "fold", there, "--to-fpp", "1%", "-o", far, "--json").json())
        .containsEntry("written", 0);
    for (int i = 0; i < FILES; i++) {
      assertThat(folder.resolve("far/part-" + i + ".parquet"))
          .hasSameBinaryContentAs(small.resolve("part-" + i + ".parquet"));
    }
    String index = "file://" + folder.resolve("far.index");
    Cli.run("parquet", "index", far, "--column", "id", "-o", index).succeeded();
    assertThat(Cli.run("parquet", "find", index, 1_000_003L * 17).succeeded().lines())
        .contains(far + "/part-0.parquet");
    Cli.run("parquet", "index", far, "--column", "id", "-o", folder.resolve("x.index"))
        .refused("different stores");
    Cli.run("parquet", "drop", far, "--in-place").succeeded();
    assertThat(ParquetFilters.read(folder.resolve("far/part-0.parquet")).filters()).isEmpty();
    String one = far + "/part-0.parquet";
    Cli.run("parquet", "add", one, "--columns", "id", "-o", far + "/added.parquet").succeeded();
    assertThat(ParquetFilters.read(folder.resolve("far/added.parquet")).filters()).isNotEmpty();
  }

  @Test
  void aFileWithoutRowGroupsIsEmpty() throws IOException {
    Path none = events.resolve("none.parquet");
    ExampleParquetWriter.builder(new LocalOutputFile(none))
        .withConf((ParquetConfiguration) new PlainParquetConfiguration())
        .withType(MessageTypeParser.parseMessageType("message event { required int64 id; }"))
        .build()
        .close();
    Path index = folder.resolve("ids.index");
    Map<String, Object> made =
        Cli.run("parquet", "index", events, "--column", "id", "-o", index, "--json")
            .succeeded()
            .json();
    assertThat(made).containsEntry("empty", 1).containsEntry("withoutFilter", 0);
    Cli.Result found = Cli.run("parquet", "find", index, 1_000_003L * 17).succeeded();
    assertThat(found.lines()).contains(part(0).toString()).doesNotContain(none.toString());
    assertThat(found.err()).contains("empty").contains(none.toString());
    assertThat(Cli.run("parquet", "find", index, 1_000_003L * 17, "--json").json())
        .containsEntry("empty", List.of(none.toString()));
  }

  @Test
  void findNamesTheFilesOfAnIndex() throws IOException {
    Path index = folder.resolve("ids.index");
    Map<String, Object> made =
        Cli.run("parquet", "index", events, "--column", "id", "-o", index, "--json").json();
    assertThat(made).containsEntry("files", FILES).containsEntry("withoutFilter", 0);
    assertThat(Cli.integer(made.get("bytes"))).isEqualTo(Files.size(index)).isLessThan(200_000);
    for (int file = 0; file < FILES; file++) {
      long id = 1_000_003L * (file * ROWS + 17);
      assertThat(Cli.run("parquet", "find", index, id).succeeded().lines())
          .contains(part(file).toString());
    }
    Cli.Result none = Cli.run("parquet", "find", index, "5", "--json");
    assertThat(none.code()).isLessThanOrEqualTo(1);
    assertThat(none.json()).containsEntry("column", "id").containsEntry("asked", 0);
    Files.copy(part(0), events.resolve("part-0-again.parquet"));
    Cli.Result found = Cli.run("parquet", "find", index, 1_000_003L * 17).succeeded();
    assertThat(found.lines()).contains(events.resolve("part-0-again.parquet").toString());
    assertThat(found.err()).contains("or are new: 1, queried directly");
    Cli.run("parquet", "find", index, "seventeen").refused("seventeen", "write a whole number");
    Cli.run("parquet", "find", part(0), "1").refused("not an index of Parquet files");
  }

  @Test
  void senselessRequestsAreRefusedWithTheWayOut() throws IOException {
    Cli.run("parquet").refused("one of info, fold, drop, add, index, find");
    Cli.run("parquet", "info", folder.resolve("nothing")).refused("no such file");
    Cli.run("parquet", "info", Files.createDirectory(folder.resolve("empty")))
        .refused("no Parquet file in");
    Path text = Files.writeString(folder.resolve("text"), "this is not a Parquet file");
    Cli.run("parquet", "info", text).refused(text + ": ", "not PAR1");
    Cli.run("parquet", "fold", part(0), "--to-fpp", "1%").refused("-o OUT", "--in-place");
    Cli.run("parquet", "fold", part(0), "--to-fpp", "1%", "-o", "-").refused("name a file");
    Cli.run("parquet", "fold", part(0), "--to-fpp", "1%", "-o", part(0)).refused("--in-place");
    Cli.run("parquet", "fold", events, "--to-fpp", "1%", "-o", events.resolve("in"))
        .refused("lies in the input");
    Cli.run("parquet", "fold", part(0), "--to-size", "32", "-o", text)
        .refused("bytes must be at least 64: 32");
    Cli.run("parquet", "drop", part(0), "--columns", "day", "-o", folder.resolve("out"))
        .refused("no filter of column day", "id, user");
    Files.createDirectory(events.resolve("_delta_log"));
    Cli.run("parquet", "fold", events, "--to-fpp", "1%", "--in-place")
        .refused("a Delta table", "write to a folder outside of it");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  /**
   * A repeated run processes only the remaining files; outputs of another request or input are
   * replaced.
   */
  @Test
  void anUnrelatedOutputOfTheSameLengthIsNotMistakenForItsOwn() throws IOException {
    Path bare = folder.resolve("bare");
    Cli.run("parquet", "drop", events, "--columns", "id", "-o", bare).succeeded();
    assertThat(Cli.run("parquet", "drop", events, "--columns", "id", "-o", bare, "--json").json())
        .containsEntry("written", 0);
    Cli.run("parquet", "drop", events, "--columns", "user", "-o", bare).succeeded();
    assertThat(ParquetFilters.read(bare.resolve("part-0.parquet")).filters())
        .allMatch(filter -> filter.column().equals("id"));
  }

  @Test
  void linksDoNotBypassChecks() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), events);
    byte[] before = Files.readAllBytes(part(0));
    Cli.run("parquet", "fold", events, "--to-fpp", "1%", "-o", link).refused("lies in the input");
    Cli.run("parquet", "index", events, "--column", "id", "-o", part(0))
        .refused("is one of the inputs");
    Files.createDirectory(events.resolve("_delta_log"));
    Path one = Files.createSymbolicLink(folder.resolve("one.parquet"), part(0));
    Cli.run("parquet", "fold", one, "--to-fpp", "1%", "--in-place").refused("a Delta table");
    Cli.run("parquet", "fold", link.resolve("part-0.parquet"), "--to-fpp", "1%", "--in-place")
        .refused("a Delta table");
    assertThat(part(0)).hasBinaryContent(before);
    assertThat(Cli.run("parquet", "info", link, "--json").json().get("files"))
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
        .hasSize(FILES);
  }

  @Test
  void aDamagedFileDoesNotStopOthers() throws IOException {
    Files.writeString(part(3), "PAR1 and nothing that follows");
    Path small = folder.resolve("small");
    Cli.Result fold = Cli.run("parquet", "fold", events, "--to-fpp", "1%", "-o", small, "--json");
    assertThat(fold.code()).isEqualTo(2);
    assertThat(fold.out()).contains("\"written\":9", "\"failed\":[{", "part-3.parquet");
    assertThat(fold.err()).contains("part-3.parquet", "not PAR1", "1 of 10 files failed");
    assertThat(small.resolve("part-9.parquet")).exists();
    assertThat(small.resolve("part-3.parquet")).doesNotExist();
    Path memory =
        Files.createSymbolicLink(events.resolve("part-4-memory"), Path.of("/proc/self/mem"));
    Cli.Result info = Cli.run("parquet", "info", events);
    assertThat(info.code()).isEqualTo(2);
    assertThat(info.err()).contains("part-4-memory: ");
    assertThat(info.out()).contains("part-9.parquet");
    assertThat(info.err()).contains("part-3.parquet", "2 of 11 files could not be read");
    Cli.Result index =
        Cli.run(
            "parquet",
            "index",
            events,
            "--column",
            "id",
            "-o",
            folder.resolve("ids.index"),
            "--json");
    assertThat(index.code()).isEqualTo(2);
    assertThat(index.out()).contains("\"withoutFilter\":2", "\"damaged\":2");
    assertThat(index.err())
        .contains("part-3.parquet", "part-4-memory: ", "; it is always a candidate");
    Files.delete(memory);
  }

  /** By its name it is a Parquet file, though its content does not say so. */
  @Test
  void emptyAndShortFilesAreNamedByEveryVerb() throws IOException {
    Files.write(part(3), new byte[0]);
    Files.writeString(part(4), "hello world");
    Path out = folder.resolve("out");
    List<List<Object>> verbs =
        List.of(
            List.of("info", events),
            List.of("fold", events, "--to-fpp", "1%", "-o", out),
            List.of("drop", events, "--columns", "id", "-o", out.resolve("bare")),
            List.of("add", events, "--columns", "day", "-o", out.resolve("added")),
            List.of("drop", events, "--columns", "user", "--in-place"),
            List.of("index", events, "--column", "id", "-o", folder.resolve("ids.index")),
            List.of("find", folder.resolve("ids.index"), 17_000_051L));
    for (List<Object> verb : verbs) {
      List<Object> line = new ArrayList<>(List.of("parquet"));
      line.addAll(verb);
      Cli.Result result = Cli.run(line.toArray());
      assertThat(result.code()).as("%s", line).isEqualTo(2);
      assertThat(result.err()).as("%s", line).contains(part(3).toString(), part(4).toString());
      assertThat(result.out()).as("%s", line).isNotEmpty();
    }
    for (Path folder : List.of(out, out.resolve("bare"), out.resolve("added"))) {
      assertThat(folder.resolve("part-9.parquet")).exists();
      assertThat(folder.resolve("part-3.parquet")).doesNotExist();
    }
    assertThat(ParquetFilters.read(part(9)).filters()).hasSize(1);
    assertThat(Cli.run("parquet", "find", folder.resolve("ids.index"), 17_000_051L).lines())
        .contains(part(0).toString(), part(3).toString(), part(4).toString());
  }

  @Test
  void linksAreFollowedInPlaceOnlyOnRequest() throws IOException {
    Path outside = Files.createDirectory(folder.resolve("outside"));
    Path file = Files.copy(part(0), outside.resolve("part.parquet"));
    byte[] before = Files.readAllBytes(file);
    Path toFile = Files.createSymbolicLink(events.resolve("link.parquet"), file);
    Path toFolder = Files.createSymbolicLink(events.resolve("more"), outside);
    List<Object> line = List.of("parquet", "fold", events, "--to-fpp", "1%", "--json");
    // files that are only read are found through links
    assertThat(Cli.run(with(line, "--dry-run")).json()).containsEntry("folded", 2 * FILES + 4);
    Cli.Result skipped = Cli.run(with(line, "--in-place"));
    assertThat(skipped.json())
        .containsEntry("written", FILES)
        .containsEntry("skippedLinks", List.of(toFile.toString(), toFolder.toString()));
    assertThat(skipped.err()).contains(toFile.toString(), toFolder.toString(), "--follow-links");
    assertThat(file).hasBinaryContent(before);
    assertThat(Cli.run(with(line, "--in-place", "--follow-links")).json())
        .containsEntry("written", 1)
        .containsEntry("skippedLinks", List.of());
    assertThat(Files.size(file)).isLessThan(before.length / 10);
    assertThat(toFile).isSymbolicLink();
    // a link that the user names is followed
    Path alone = Files.createDirectory(folder.resolve("alone"));
    Path named = Files.createSymbolicLink(alone.resolve("link.parquet"), file);
    Cli.run("parquet", "drop", alone, "--in-place").refused("--follow-links");
    Cli.run("parquet", "drop", named, "--columns", "id", "--in-place").succeeded();
    assertThat(ParquetFilters.read(file).filters()).hasSize(1);
    Path folderLink = Files.createSymbolicLink(folder.resolve("named"), outside);
    Cli.run("parquet", "drop", folderLink, "--in-place").succeeded();
    assertThat(ParquetFilters.read(file).filters()).isEmpty();
  }

  private static Object[] with(List<Object> line, Object... more) {
    return Stream.concat(line.stream(), Stream.of(more)).toArray();
  }

  /** Any change to an index leads to an answer or to a one-line error. */
  @Test
  void findCopesWithAnyIndex() throws IOException {
    Path made = folder.resolve("ids.index");
    Cli.run("parquet", "index", part(0), part(1), "--column", "id", "-o", made).succeeded();
    byte[] bytes = Files.readAllBytes(made);
    SplittableRandom random = new SplittableRandom(34);
    for (int round = 0; round < 100; round++) {
      byte[] changed = bytes.clone();
      changed[random.nextInt(150)] = (byte) random.nextInt();
      CRC32C checksum = new CRC32C();
      checksum.update(changed, 0, changed.length - 4);
      ByteBuffer.wrap(changed)
          .order(ByteOrder.LITTLE_ENDIAN)
          .putInt(changed.length - 4, (int) checksum.getValue());
      Path index = Files.write(folder.resolve(round + ".index"), changed);
      Cli.Result found = Cli.run("parquet", "find", index, 17_000_051L);
      assertThat(found.code()).isBetween(0, 2);
      assertThat(found.err()).doesNotContain("internal error");
      assertThat(found.code() == 0).isEqualTo(!found.out().isEmpty());
    }
  }

  @Test
  void runsInPlaceCanBeRepeated() throws IOException {
    Cli.run("parquet", "drop", part(0), "--columns", "user", "--in-place").succeeded();
    assertThat(
            Cli.run("parquet", "drop", events, "--columns", "user", "--in-place", "--json").json())
        .containsEntry("written", FILES - 1)
        .containsEntry("dropped", FILES - 1);
    Cli.run("parquet", "add", part(0), "--columns", "user", "--in-place").succeeded();
    assertThat(
            Cli.run("parquet", "add", events, "--columns", "user", "--in-place", "--json").json())
        .containsEntry("written", FILES - 1)
        .containsEntry("added", FILES - 1);
    Cli.Result typo = Cli.run("parquet", "drop", events, "--columns", "usr", "--in-place");
    assertThat(typo.code()).isEqualTo(2);
    assertThat(typo.err()).contains("no column usr: the file has");
  }

  @Test
  void outputsKeepTheModeOfTheirInput() throws IOException {
    Files.setPosixFilePermissions(part(0), PosixFilePermissions.fromString("rw-------"));
    Path small = folder.resolve("small.parquet");
    Cli.run("parquet", "fold", part(0), "--to-fpp", "1%", "-o", small).succeeded();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(small)))
        .isEqualTo("rw-------");
  }

  @Test
  void messagesNameTheWayOut() throws IOException {
    Path text = Files.writeString(folder.resolve("text"), "a file");
    Cli.run("parquet", "fold", events, "--to-fpp", "1%", "-o", text)
        .refused("is a folder", "name a folder");
    Cli.run("parquet", "find", part(0), "1").refused("parquet index FOLDER");
    Path index = folder.resolve("ids.index");
    Cli.run("parquet", "index", events, "--column", "id", "-o", index).succeeded();
    Cli.run("parquet", "info", index).refused("is an index of Parquet files", "parquet find");
    Cli.run("info", index).refused("is an index of Parquet files", "parquet find");
    assertThat(Cli.run("parquet", "add", "--help").out()).contains("C[,").doesNotContain("(?<!");
    assertThat(Cli.run("parquet", "drop", events, "--dry-run").succeeded().out())
        .contains("would drop", "nothing is written")
        .doesNotContain("dropped");
    Cli.run("parquet", "drop", part(0), "--columns", "a\\,b", "-o", folder.resolve("out"))
        .refused("no filter of column a,b");
    Path odd = Files.copy(part(0), folder.resolve("a\u001b[2Jb.parquet"));
    assertThat(Cli.run("parquet", "info", odd).succeeded().out())
        .contains("a?[2Jb.parquet")
        .doesNotContain("\u001b");
  }

  /**
   * Six blocks whose rate is above the target become a power of two anyway, with the new rate
   * reported.
   */
  @Test
  void oddSizesThatDoNotFoldAreRepaired() throws IOException {
    Path odd = folder.resolve("odd.parquet");
    Path even = folder.resolve("even.parquet");
    Files.copy(Cli.ROOT.resolve("cli/src/test/resources/odd.parquet"), odd);
    assertThat(Cli.run("parquet", "fold", odd, "--to-fpp", "1e-12", "-o", even).succeeded().out())
        .contains("resized", "mean rate");
    assertThat(ParquetFilters.read(even).filters())
        .allMatch(filter -> Long.bitCount(filter.blocks()) == 1);
  }
}
