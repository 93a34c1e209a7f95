package dev.bellows.cli.parquet;

import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.kinds.Size;
import dev.bellows.internal.base.Prose;
import dev.bellows.parquet.ParquetFilters;
import dev.bellows.parquet.ParquetIndex;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows parquet index}: one small filter per file, all in one file. */
@Command(
    name = "index",
    description = {
      "Makes an index over Parquet files: the filters of a column, one for each file.",
      "A file without filters in every row group is always a candidate; add gives it some.",
      "So is a file that cannot be read: it is named, the index is written, and the exit code is 2."
    },
    footer = "  bellows parquet index data/ --column id -o data.index")
final class ParquetIndexing extends Verb {
  @Parameters(
      arity = "1..*",
      paramLabel = "FOLDER",
      converter = ParquetPaths.Place.class,
      description = "Folders, or Parquet files; also their addresses, e.g. hdfs://host/folder.")
  List<Path> paths;

  @Option(
      names = "--column",
      required = true,
      paramLabel = "C",
      description = "The column, by its path with dots.")
  String column;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      description = "The rate to which the filter of a file is folded; default: 1 %%.")
  double fpp = Size.DEFAULT_FPP;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      converter = ParquetPaths.Place.class,
      description = "The index; on the same store as the files.")
  Path output;

  @Override
  public Integer call() throws IOException {
    if (output.toString().equals("-")) {
      throw misuse("an index names files relative to its own place: name a file");
    }
    if (ParquetPaths.store(output) == null) {
      NamedFiles.requireWritable(output.toString());
    }
    for (Path file : ParquetPaths.files(paths)) {
      if (Files.exists(output) && Files.isSameFile(file, output)) {
        throw misuse("the output " + output + " is one of the inputs: name another file");
      }
    }
    ParquetIndex index = ParquetIndex.of(paths, column, fpp);
    index.writeTo(output);
    int damaged = damaged(index);
    ParquetPaths.warnOfRates(console(), index);
    if (index.types().size() > 1) {
      note(
          "column %s has %d types in these files: a value is looked up as each of them",
          column, index.types().size());
    }
    int without = index.filesWithoutFilter().size();
    int empty = index.emptyFiles().size();
    report(
        new Report()
            .file(output.toString(), Files.size(output))
            .field("column", column)
            .field("fpp", fpp)
            .both(
                "files",
                index.files().size(),
                Prose.count(without)
                    + " without filter"
                    + (empty == 0 ? "" : ", " + Prose.count(empty) + " empty"))
            .field("withoutFilter", without)
            .field("empty", empty)
            .field("damaged", damaged)
            .field("expectedFiles", index.expectedFiles())
            .add(
                "candidates",
                Prose.format("%.3g", index.expectedFiles()),
                "files, on average, for a value that is in none")
            .field("highestFpp", index.highestFpp())
            .field("types", index.types().stream().map(Object::toString).sorted().toList()));
    if (damaged == 0) {
      return OK;
    }
    say(
        "%d of %d files could not be read; the index is written, and find "
            + "names them for every value",
        damaged, index.files().size());
    return BAD;
  }

  /**
   * Returns how many files without a filter cannot be read at all, each of which is named to the
   * user.
   */
  private int damaged(ParquetIndex index) {
    int damaged = 0;
    for (Path file : index.filesWithoutFilter()) {
      try {
        ParquetFilters.read(file);
      } catch (IOException | IllegalArgumentException e) {
        say(ParquetPaths.message(file, e) + "; it is always a candidate");
        damaged++;
      }
    }
    return damaged;
  }
}
