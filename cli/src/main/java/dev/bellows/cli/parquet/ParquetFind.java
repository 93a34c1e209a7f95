package dev.bellows.cli.parquet;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Json;
import dev.bellows.cli.console.Verb;
import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterFormatException;
import dev.bellows.parquet.ParquetFolder;
import dev.bellows.parquet.ParquetIndex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows parquet find}: the files that may have a value. */
@Command(
    name = "find",
    description = {
      "Prints the files of an index that may have one of the values.",
      "Files that changed since, and new ones, are queried directly. Exit code 1 if there is none.",
      "A file without row groups has no value: it is not printed, but named as empty on standard error.",
      "A file that cannot be read may have any value: it is printed, and the exit code is 2."
    },
    footer = "  bellows parquet find data.index 4711 2026-01-31")
final class ParquetFind extends Verb {
  @Parameters(
      index = "0",
      paramLabel = "INDEX",
      converter = ParquetPaths.Place.class,
      description = "What parquet index wrote.")
  Path file;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "VALUE",
      description = {
        "Values of the column: text, numbers, 2026-01-31, 2026-01-31T12:00:00Z, 12.50, a UUID."
      })
  List<String> values;

  @Option(names = "--bytes", description = "Values are plain-encoded bytes in hexadecimal.")
  boolean bytes;

  @Override
  public Integer call() throws IOException {
    ParquetIndex index;
    try {
      index = ParquetIndex.readFrom(file);
    } catch (FilterFormatException e) {
      String hint =
          ParquetFolder.isParquet(file)
              ? "; it is a Parquet file: make an index with parquet index FOLDER --column C -o FILE"
              : "";
      throw new CommandFailure(file + ": " + e.getMessage() + hint, e);
    }
    ParquetIndex.Changes changes = index.refresh();
    List<Path> asked = changes.read();
    Set<String> found = new LinkedHashSet<>();
    List<Object> answers = new ArrayList<>();
    for (String value : values) {
      List<String> files =
          index.indexedCandidates(bytes ? hex(value) : value).stream().map(Path::toString).toList();
      found.addAll(files);
      answers.add(Json.fields("value", value, "files", files));
    }
    if (!asked.isEmpty()) {
      note(
          "files that changed since %s was made, or are new: %d, queried directly",
          file, asked.size());
    }
    List<Path> empty = index.emptyFiles();
    if (!empty.isEmpty()) {
      note("empty, without row groups: " + ParquetPaths.some(empty));
    }
    for (Path unreadable : changes.unreadable()) {
      say(unreadable + " cannot be read and may have any value");
    }
    ParquetPaths.warnOfRates(console(), index);
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("expectedFiles", index.expectedFiles());
    fields.put("highestFpp", index.highestFpp());
    fields.put("unreadable", changes.unreadable().size());
    fields.put("empty", empty.stream().map(Path::toString).toList());
    fields.put("column", index.column());
    fields.put("indexed", index.files().size());
    fields.put("asked", asked.size());
    fields.put("values", answers);
    fields.put("files", new ArrayList<>(found));
    StringBuilder text = new StringBuilder();
    boolean isRead = console().outTerminal();
    found.forEach(path -> text.append(isRead ? Prose.visible(path) : path).append('\n'));
    report(fields, text);
    if (!changes.unreadable().isEmpty()) {
      return BAD;
    }
    return found.isEmpty() ? NOTHING : OK;
  }

  private static byte[] hex(String value) {
    try {
      return HexFormat.of().parseHex(value);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(value + " is not hexadecimal: write two digits for each byte", e);
    }
  }
}
