package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Folding compared with a plain copy of the same file, in turns: docs/bench/parquet.md. Only {@code
 * mvn -pl engines/parquet -am test -Pparquet-bench} runs it.
 */
class ParquetBench {
  private static final int ROUNDS = Integer.getInteger("bench.rounds", 9);
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { required int64 id; required binary payload; }");

  private static final MessageType IDS =
      MessageTypeParser.parseMessageType("message m { required int64 id; }");

  @TempDir Path folder;

  /** Something that reads a file and writes another. */
  @FunctionalInterface
  private interface Work {
    void run(Path from, Path to) throws IOException;
  }

  @Test
  void foldsNearlyAsFastAsTheDiskCopies() throws IOException {
    StringBuilder page =
        new StringBuilder(
            """
            # Folding a Parquet file, compared with copying it

            Made by `mvn -B -pl engines/parquet -am test -Pparquet-bench`: %d rounds of both in turns, the least times seen, both synced to the disk. The copy is
            one `FileChannel.transferTo` and a sync; folding also plans, folds to 1 %%, renames and syncs the folder.

            | file | bytes | of them filters | bytes after | copy, MB/s | fold, MB/s | fold / copy |
            |---|---:|---:|---:|---:|---:|---:|
            """
                .formatted(ROUNDS));
    page.append(row("pages, few filters", file("pages", 30_000, 10_000, 64 << 20)));
    page.append(row("half filters", file("half", 15_000, 10_000, 1 << 20)));
    page.append(row("nearly only filters", file("filters", 30_000, 64, 1 << 12)));
    page.append(index());
    page.append(
        "%n%s, %d cores, Java %s.%n"
            .formatted(
                LocalDate.now(ZoneOffset.UTC),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature()));
    Path out = Path.of(System.getProperty("bellows.root"), "docs/bench/parquet.md");
    Files.writeString(out, page.toString());
    System.out.println(page);
  }

  /** An index over a thousand files. */
  private String index() throws IOException {
    int files = 1_000;
    int rows = 1_000;
    Path data = Files.createDirectories(folder.resolve("data"));
    for (int i = 0; i < files; i++) {
      long from = (long) i * rows;
      ParquetJava.write(
          folder.resolve("ids.parquet"),
          IDS,
          List.of("id"),
          rows,
          (group, row) -> group.append("id", from + row));
      Path part = data.resolve("part-" + i + ".parquet");
      ParquetFilters.fold(folder.resolve("ids.parquet"), part, FoldRequest.toFpp(0.01));
    }
    long begun = System.nanoTime();
    ParquetIndex index = ParquetIndex.of(List.of(data), "id", 0.01);
    double built = (System.nanoTime() - begun) / 1e6;
    List<Double> alone = new ArrayList<>();
    List<Double> looking = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      long value = 997L * i * rows;
      long start = System.nanoTime();
      index.indexedCandidates(value);
      long middle = System.nanoTime();
      index.candidates(value);
      alone.add((middle - start) / 1e3);
      looking.add((System.nanoTime() - middle) / 1e3);
    }
    return String.format(
        Locale.ROOT,
        """

        An index over %,d files of %,d ids at 1 %% takes %,d bytes and is made in %.0f ms. A question takes %.0f microseconds by the index
        alone, and %.0f with a look at the length and the time of every file (medians).
        """,
        files,
        rows,
        index.filterBytes(),
        built,
        median(alone),
        median(looking));
  }

  private Path file(String name, int rows, int payload, int groupBytes) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    ParquetJava.Shape shape =
        new ParquetJava.Shape(CompressionCodecName.UNCOMPRESSED, false, rows, groupBytes, 0);
    return ParquetJava.write(
        folder.resolve(name + ".parquet"),
        SCHEMA,
        List.of("id"),
        shape,
        (group, row) -> {
          byte[] bytes = new byte[payload];
          random.nextBytes(bytes);
          group.append("id", (long) row).append("payload", Binary.fromConstantByteArray(bytes));
        });
  }

  private String row(String what, Path file) throws IOException {
    List<Double> copies = new ArrayList<>();
    List<Double> folds = new ArrayList<>();
    Path out = folder.resolve("out.parquet");
    for (int round = 0; round <= ROUNDS; round++) {
      double copy = seconds(ParquetBench::copy, file, out);
      double fold = seconds(ParquetBench::fold, file, out);
      if (round > 0) { // the first one warms up
        copies.add(copy);
        folds.add(fold);
      }
    }
    double megabytes = Files.size(file) / 1e6;
    double copy = Collections.min(copies);
    double fold = Collections.min(folds);
    ParquetFilters filters = ParquetFilters.read(file);
    long after = ParquetFilters.planFold(file, FoldRequest.toFpp(0.01)).bytesAfter();
    assertThat(after).isLessThan(filters.fileBytes());
    Files.delete(file);
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %,d | %,d | %.0f | %.0f | %.2f |%n",
        what,
        filters.fileBytes(),
        filters.filterBytes(),
        after,
        megabytes / copy,
        megabytes / fold,
        copy / fold);
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private static double seconds(Work work, Path from, Path to) throws IOException {
    Files.deleteIfExists(to);
    long begun = System.nanoTime();
    work.run(from, to);
    return (System.nanoTime() - begun) / 1e9;
  }

  private static void fold(Path from, Path to) throws IOException {
    ParquetFilters.fold(from, to, FoldRequest.toFpp(0.01));
  }

  private static void copy(Path from, Path to) throws IOException {
    try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel out =
            FileChannel.open(to, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      long size = in.size();
      for (long at = 0; at < size; ) {
        at += in.transferTo(at, size - at, out);
      }
      out.force(true);
    }
  }
}
