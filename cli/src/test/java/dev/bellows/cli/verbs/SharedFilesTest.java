package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.KeyHasher;
import dev.bellows.cli.Cli;
import dev.bellows.cli.Processes;
import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.files.PathLock;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that several processes use, and inputs that are not plain text. */
class SharedFilesTest {
  @TempDir Path folder;

  private static ProcessBuilder bellows(Object... arguments) {
    return Processes.bellows(arguments);
  }

  /** Without a lock, the last process to write would keep its own keys only. */
  @Test
  void processesThatAddAtOnceLoseNoKey() throws Exception {
    Path filter = folder.resolve("shared.bloom");
    Cli.with("", "build", "--keys", "10k", "--longs", "-o", filter).succeeded();
    List<Process> processes = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Path keys = folder.resolve("keys" + i);
      Files.writeString(keys, Cli.numbers(1000 * i, 1000 * i + 1000));
      File log = folder.resolve("log" + i).toFile();
      processes.add(bellows("add", filter, keys).redirectOutput(log).start());
    }
    for (int i = 0; i < processes.size(); i++) {
      Process process = processes.get(i);
      assertThat(process.waitFor()).as(Files.readString(folder.resolve("log" + i))).isZero();
    }
    assertThat(Cli.with(Cli.numbers(0, 4000), "query", "--count", filter).out())
        .isEqualTo("4000\n");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.endsWith(".part") || name.endsWith(".lock"));
    }
  }

  /**
   * A result that replaces one of its inputs keeps what was added to that input in the meantime.
   */
  @Test
  void mergesAndFoldsOntoTheirInputLoseNoKey() throws Exception {
    Path sum = folder.resolve("sum.bloom");
    Path part = folder.resolve("part.bloom");
    Cli.with("p\n", "build", "--keys", "2M", "--fpp", "0.1%", "-o", sum).succeeded();
    Cli.with("q\n", "build", "--like", sum, "-o", part).succeeded();
    StringBuilder keys = new StringBuilder();
    for (int round = 0; round < 4; round++) {
      keys.append("key").append(round).append('\n');
      Path key = Files.writeString(folder.resolve("key" + round), "key" + round + "\n");
      Process add = bellows("add", sum, key).redirectOutput(new File("/dev/null")).start();
      (round % 2 == 0
              ? Cli.run("union", sum, part, "-o", sum)
              : Cli.run("fold", sum, "--factor", "1", "-o", sum))
          .succeeded();
      assertThat(add.waitFor()).isZero();
    }
    assertThat(Cli.with(keys + "p\nq\n", "query", "--count", sum).out()).isEqualTo("6\n");
  }

  @Test
  void noWaitRefusesAFileThatIsBeingUpdated() throws IOException {
    Path filter = folder.resolve("shared.bloom");
    Cli.with("a\n", "build", "-o", filter).succeeded();
    try (AtomicFile held = AtomicFile.open(filter, PathLock.Waiting.SILENT)) {
      Cli.with("b\n", "--no-wait", "add", filter).refused("being updated", "--no-wait");
      Cli.with("b\n", "add", "--no-wait", filter).refused("being updated");
      Cli.with("b\n", "build", "--no-wait", "-o", filter).refused("being updated");
      assertThat(Cli.run("query", filter, "a").code()).isZero();
    }
    Cli.with("b\n", "add", "--no-wait", filter).succeeded();
  }

  @Test
  void theLibraryUpdatesFilesTheSameWay() throws IOException {
    Path filter = folder.resolve("shared.bloom");
    Cli.with("a\n", "build", "-o", filter).succeeded();
    Filters.update(
        filter,
        ReadOptions.DEFAULT,
        read -> {
          Cli.with("b\n", "--no-wait", "add", filter).refused("being updated");
          ((dev.bellows.BloomFilter) read).put("c");
          return read;
        });
    assertThat(Cli.run("query", filter, "a", "b", "c").lines()).containsExactly("a", "c");
  }

  /** With a heap of half its size, the file is the one that a large heap writes. */
  @Test
  void aFilterLargerThanTheHeapIsFilledInItsFile() throws Exception {
    Path keys = Files.writeString(folder.resolve("keys"), Cli.numbers(0, 10_000));
    long bits = 512L << 20;
    Path expected = folder.resolve("expected");
    Path built = folder.resolve("built");
    Cli.run("build", "--bits", bits, "--hashes", 6, "-o", expected, keys).succeeded();
    Process build =
        Processes.withHeap("32m", "build", "--bits", bits, "--hashes", 6, "-o", built, keys)
            .start();
    String out = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(build.waitFor()).as(out).isZero();
    assertThat(out).contains("filled in its file", "10,0");
    assertThat(Files.mismatch(built, expected)).isEqualTo(-1);
    assertThat(Processes.parts(folder)).isEmpty();
    // folding reads it once and holds only the result in memory
    Path folded = folder.resolve("folded");
    Cli.run("fold", expected, "--factor", 16, "-o", folded).succeeded();
    Process fold =
        Processes.withHeap("32m", "fold", built, "--factor", 16, "-o", folder.resolve("small"))
            .redirectOutput(new File("/dev/null"))
            .start();
    assertThat(fold.waitFor()).isZero();
    assertThat(Files.mismatch(folder.resolve("small"), folded)).isEqualTo(-1);
    // a line that is not a key ends the run, and the old file stays
    Path broken = Files.writeString(folder.resolve("broken"), "1\nx\n");
    Process failing =
        Processes.withHeap(
                "32m", "build", "--longs", "--bits", bits, "--hashes", 6, "-o", built, broken)
            .redirectOutput(new File("/dev/null"))
            .start();
    assertThat(failing.waitFor()).isEqualTo(2);
    assertThat(Files.mismatch(built, expected)).isEqualTo(-1);
    assertThat(Processes.parts(folder)).isEmpty();
  }

  @Test
  void aFilterCannotBeItsOwnInput() {
    Path filter = folder.resolve("w.bloom");
    Cli.with("a\n", "build", "--kind", "counting", "-o", filter).succeeded();
    Cli.run("add", filter, filter).refused("is the filter itself");
    Cli.run("remove", filter, filter).refused("is the filter itself");
  }

  @Test
  void aPipeIsReadAsAnyFile() throws Exception {
    Path filter = folder.resolve("w.bloom");
    Cli.with("a\n", "build", "-o", filter).succeeded();
    Process info = bellows("info", "--json", "/dev/stdin").start();
    try (OutputStream in = info.getOutputStream()) {
      Files.copy(filter, in);
    }
    String out = new String(info.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(info.waitFor()).isZero();
    assertThat(out).startsWith("{\"kind\":\"bloom\"");
    Process build = bellows("build", "-o", folder.resolve("piped"), "/dev/stdin").start();
    try (OutputStream in = build.getOutputStream()) {
      in.write("a\nb\n".getBytes(StandardCharsets.UTF_8));
    }
    assertThat(build.waitFor()).isZero();
    assertThat(Cli.run("query", folder.resolve("piped"), "a", "b").lines()).hasSize(2);
  }

  @Test
  void theFileRecordsItsKeyType() {
    Path longs = folder.resolve("longs.bloom");
    Cli.with(Cli.numbers(0, 100), "build", "--longs", "-o", longs).succeeded();
    assertThat(Cli.with(Cli.numbers(0, 100), "query", "--count", longs).out()).isEqualTo("100\n");
    assertThat(Cli.run("query", longs, "42", "007").lines()).containsExactly("42", "007");
    assertThat(Cli.run("info", "--json", longs).json()).containsEntry("keyType", "longs");
    Cli.with("100\n", "add", longs).succeeded();
    assertThat(Cli.run("query", "--longs", longs, "100").code()).isZero();
    Cli.run("query", longs, "x").refused("x");
    Path texts = folder.resolve("texts.bloom");
    Cli.with("1\n2\n", "build", "-o", texts).succeeded();
    Cli.run("query", "--longs", texts, "1").refused("are text", "leave out --longs");
    assertThat(Cli.run("info", texts).out()).contains("keys are           text");
    Path like = folder.resolve("like.bloom");
    Cli.with("7\n", "build", "--like", longs, "-o", like).succeeded();
    assertThat(Cli.run("info", "--json", like).json()).containsEntry("keyType", "longs");
    Path ids = folder.resolve("ids.bellows");
    Cli.with("5\n9\n", "build", "--kind", "partition", "--universe", "1000", "--longs", "-o", ids)
        .succeeded();
    assertThat(Cli.run("query", ids, "5").code()).isZero();
    assertThat(Cli.run("info", "--json", ids).json()).containsEntry("keyType", "ids");
  }

  /** Numbers in a file of text are texts; a program that takes them for numbers is told so. */
  @Test
  void programsCannotTakeTextsForNumbers() throws IOException {
    Path bloom = folder.resolve("numbers.bloom");
    Path ids = folder.resolve("numbers.ids");
    Cli.with(Cli.numbers(100_000, 200_001), "build", "--fpp", "1%", "-o", bloom).succeeded();
    Cli.with(Cli.numbers(0, 90), "build", "--kind", "partition", "--universe", "2^40", "-o", ids)
        .succeeded();
    BloomFilter filter = BloomFilter.readFrom(bloom);
    assertThat(filter.mightContain("150000")).isTrue();
    assertThatThrownBy(() -> filter.mightContain(150_000L))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> filter.put(5L)).isInstanceOf(IllegalArgumentException.class);
    DynamicPartitionBloomFilter partition = DynamicPartitionBloomFilter.readFrom(ids);
    assertThat(partition.mightContain("7", KeyHasher.TEXT)).isTrue();
    assertThatThrownBy(() -> partition.mightContainId(7))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(Cli.run("query", ids, "7").code()).isZero();
  }

  @Test
  void compressedAndMarkedInputsAreReadAsTheirText() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (String part : List.of("a\nb\n", "c\n")) {
      try (OutputStream gzip = new GZIPOutputStream(bytes)) {
        gzip.write(part.getBytes(StandardCharsets.UTF_8));
      }
    }
    Path compressed = Files.write(folder.resolve("keys.txt.gz"), bytes.toByteArray());
    Path marked = Files.writeString(folder.resolve("marked"), "\ufeffd\ne\n");
    Path filter = folder.resolve("w.bloom");
    Cli.run("build", "--fpp", "1e-9", "-o", filter, compressed, marked).succeeded();
    assertThat(Cli.run("query", filter, "a", "b", "c", "d", "e").lines()).hasSize(5);
    assertThat(Cli.with("\ufeffd\n", "query", filter).lines()).containsExactly("d");
    Path wide =
        Files.write(folder.resolve("wide"), "\ufeffd\n".getBytes(StandardCharsets.UTF_16LE));
    Cli.run("build", "-o", folder.resolve("x"), wide).refused("UTF-16", "iconv");
    Path zstd =
        Files.write(folder.resolve("zstd"), new byte[] {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd, 0});
    Cli.run("build", "-o", folder.resolve("x"), zstd).refused("zstd");
    byte[] torn = java.util.Arrays.copyOf(bytes.toByteArray(), bytes.size() - 3);
    Path broken = Files.write(folder.resolve("torn.gz"), torn);
    assertThat(Cli.run("build", "-o", folder.resolve("x"), broken).code()).isEqualTo(2);
    assertThat(folder.resolve("x")).doesNotExist();
    // incomplete byte order marks are keys
    Path begun = Files.write(folder.resolve("begun"), new byte[] {(byte) 0xef, '\n', 0x1f, '\n'});
    assertThat(
            Cli.integer(
                Cli.run("build", "--json", "-o", folder.resolve("y"), begun).json().get("lines")))
        .isEqualTo(2);
  }

  /** 64 MiB without a line end are 64 KiB of gzip, and would not fit into the heap. */
  @Test
  void anEndlessLineIsRefusedBeforeItFillsTheHeap() throws Exception {
    Path endless = folder.resolve("endless.gz");
    try (OutputStream gzip = new GZIPOutputStream(Files.newOutputStream(endless))) {
      gzip.write("a\nb\n".getBytes(StandardCharsets.UTF_8));
      byte[] block = new byte[1 << 20];
      java.util.Arrays.fill(block, (byte) 'x');
      for (int i = 0; i < 64; i++) {
        gzip.write(block);
      }
    }
    Path filter = folder.resolve("w.bloom");
    Process build = Processes.withHeap("24m", "build", "-o", filter, endless).start();
    String said = new String(build.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(build.waitFor()).as(said).isEqualTo(2);
    assertThat(said).contains(endless + ":3: ", "--max-line");
    assertThat(filter).doesNotExist();
    Cli.run("build", "-o", filter, endless).refused(":3: ", "--max-line");
    Cli.run("build", "--max-line", "64MiB", "-o", filter, endless).succeeded();
    Cli.with("abc\n", "query", "--max-line", "2", filter).refused("standard input:1: ");
    assertThat(Cli.with("a\r\nb", "query", "--max-line", "1", filter).lines()).hasSize(2);
    Cli.with("", "query", "--max-line", "0", filter).refused("--max-line");
    Cli.with("", "query", "--max-line", "2GiB", filter).refused("--max-line");
  }

  @Test
  void updatesOfAFileWithFurtherNamesAreRefused() throws IOException {
    Path filter = folder.resolve("w.counting");
    Cli.with("a\n", "build", "--kind", "counting", "--keys", "100", "-o", filter).succeeded();
    Path other = Files.createLink(folder.resolve("other"), filter);
    Path link = Files.createSymbolicLink(folder.resolve("link"), other);
    Path state = folder.resolve("seen");
    Cli.with("a\n", "uniq", "--state", state).succeeded();
    Files.createLink(folder.resolve("also-seen"), state);
    byte[] before = Files.readAllBytes(filter);
    for (Path name : List.of(filter, other, link)) {
      Cli.with("b\n", "add", name).refused(name.toString(), "2 names", "hard links");
      Cli.with("a\n", "remove", name).refused("hard links");
    }
    Cli.with("b\n", "uniq", "--state", state).refused("hard links");
    assertThat(filter).hasBinaryContent(before);
    assertThat(Files.isSameFile(filter, other)).isTrue();
    // a result replaces the name that was given, as mv does
    Cli.with("c\n", "build", "--kind", "counting", "--keys", "100", "-o", other).succeeded();
    assertThat(filter).hasBinaryContent(before);
    Cli.with("b\n", "add", filter).succeeded();
    assertThat(Cli.run("query", filter, "a", "b", "c").lines()).containsExactly("a", "b");
  }

  @Test
  void aLoopOfSymbolicLinksIsNamedAndExplained() throws IOException {
    Path loop = Files.createSymbolicLink(folder.resolve("loop"), Path.of("back"));
    Files.createSymbolicLink(folder.resolve("back"), Path.of("loop"));
    Path filter = folder.resolve("w.bloom");
    Cli.with("a\n", "build", "-o", filter).succeeded();
    for (Object[] command :
        new Object[][] {
          {"add", loop},
          {"query", loop, "a"},
          {"info", loop},
          {"uniq", "--state", loop},
          {"build", "-o", loop},
          {"build", "-o", folder.resolve("new"), loop},
          {"fold", filter, "--factor", 1, "-o", loop},
          {"union", filter, loop, "-o", folder.resolve("new")},
        }) {
      Cli.with("a\n", command).refused(loop + ": ", "symbolic links");
    }
    assertThat(folder.resolve("new")).doesNotExist();
  }

  @Test
  void randomSeedsMakeFiltersDiffer() {
    Path one = folder.resolve("one");
    Path other = folder.resolve("other");
    Cli.with("a\n", "build", "--random-seed", "-o", one).succeeded();
    Cli.with("a\n", "build", "--random-seed", "-o", other).succeeded();
    assertThat(Cli.run("info", "--json", one).json().get("seed"))
        .isNotEqualTo(Cli.run("info", "--json", other).json().get("seed"));
    assertThat(Cli.run("query", one, "a").code()).isZero();
    Cli.with("a\n", "build", "--random-seed", "--seed", "3", "-o", one).refused("--random-seed");
  }
}
