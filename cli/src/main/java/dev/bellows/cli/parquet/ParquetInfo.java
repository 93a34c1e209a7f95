package dev.bellows.cli.parquet;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Table;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.internal.base.Prose;
import dev.bellows.parquet.ParquetFilter;
import dev.bellows.parquet.ParquetFilters;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code bellows parquet info}: the filters of files, and what folding would save. */
@Command(
    name = "info",
    description = {
      "Lists the Bloom filters of Parquet files with their rates, and what folding to 1 %% would"
          + " save.",
      "Rates are computed from the bits. A filter whose rate is above 1 %% stays as it is."
    },
    footer = "  bellows parquet info data/ other.parquet")
final class ParquetInfo extends Verb {
  /** The rate that the last columns are about. */
  private static final double USUAL_FPP = 0.01;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      converter = ParquetPaths.Place.class,
      description = "Parquet files, or folders; also their addresses, e.g. hdfs://host/folder.")
  List<Path> paths;

  /** The filters of one file. */
  private record Entry(Path path, ParquetFilters filters) {
    /** Returns the filters whose size is not a power of two. */
    long oddSizes() {
      return filters.filters().stream()
          .filter(filter -> Long.bitCount(filter.blocks()) > 1)
          .count();
    }

    long saved() {
      return filters.filters().stream().mapToLong(ParquetInfo::saved).sum();
    }
  }

  @Override
  public Integer call() throws IOException {
    List<Entry> entries = new ArrayList<>();
    List<Object> failed = new ArrayList<>();
    List<Path> files = ParquetPaths.files(paths);
    for (Path path : files) {
      try {
        entries.add(new Entry(path, ParquetPaths.named(path, ParquetFilters::read)));
      } catch (IOException | CommandFailure e) {
        if (FilterFiles.isParquetIndex(path)) {
          throw new CommandFailure(
              path + " is an index of Parquet files: query it with parquet find INDEX VALUE", e);
        }
        if (files.size() == 1) {
          throw e;
        }
        say(ParquetPaths.message(path, e));
        failed.add(Map.of("file", path.toString(), "error", ParquetPaths.message(path, e)));
      }
    }
    Map<String, Object> fields = fields(entries);
    fields.put("failed", failed);
    report(fields, text(entries));
    if (failed.isEmpty()) {
      return OK;
    }
    say("%d of %d files could not be read", failed.size(), files.size());
    return BAD;
  }

  /** Returns the bytes that folding to the usual rate would save. */
  private static long saved(ParquetFilter filter) {
    return (filter.bits() - filter.sizeFor(USUAL_FPP).bits()) / 8;
  }

  private static long total(List<Entry> entries, ToLongFunction<Entry> part) {
    return entries.stream().mapToLong(part).sum();
  }

  private static Map<String, Object> fields(List<Entry> entries) {
    Map<String, Object> fields = new LinkedHashMap<>();
    List<Object> files = new ArrayList<>();
    for (Entry entry : entries) {
      Map<String, Object> file = new LinkedHashMap<>();
      file.put("file", entry.path.toString());
      file.put("bytes", entry.filters.fileBytes());
      file.put("rows", entry.filters.rows());
      file.put("filterBytes", entry.filters.filterBytes());
      file.put("savedAtOnePercent", entry.saved());
      file.put("filters", entry.filters.filters().stream().map(ParquetInfo::fields).toList());
      files.add(file);
    }
    fields.put("files", files);
    fields.put("bytes", total(entries, entry -> entry.filters.fileBytes()));
    fields.put("filterBytes", total(entries, entry -> entry.filters.filterBytes()));
    fields.put("savedAtOnePercent", total(entries, Entry::saved));
    return fields;
  }

  private static Map<String, Object> fields(ParquetFilter filter) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("rowGroup", filter.rowGroup());
    fields.put("column", filter.column());
    fields.put("type", filter.type().toString());
    fields.put("rows", filter.rows());
    fields.put("blocks", filter.blocks());
    fields.put("expectedFpp", filter.expectedFpp());
    fields.put("fill", filter.fill());
    fields.put("bytes", filter.bytes());
    fields.put("offset", filter.offset());
    List<Object> sizes = new ArrayList<>();
    for (ParquetFilter.Size size : filter.sizes()) {
      Map<String, Object> step = new LinkedHashMap<>();
      step.put("bits", size.bits());
      step.put("exact", size.isExact());
      step.put("expectedFpp", size.expectedFpp());
      sizes.add(step);
    }
    fields.put("sizes", sizes);
    return fields;
  }

  private static String text(List<Entry> entries) {
    long filters = 0;
    Table table =
        new Table(
            "file",
            "row group",
            "column",
            "rows",
            "filter bytes",
            "of the file",
            "rate",
            "1 % saves");
    for (Entry entry : entries) {
      long fileBytes = entry.filters.fileBytes();
      for (ParquetFilter filter : entry.filters.filters()) {
        filters++;
        table.row(
            ParquetPaths.shown(entry.path),
            String.valueOf(filter.rowGroup()),
            Prose.escape(filter.column()),
            filter.rows(),
            filter.bytes(),
            share(filter.bytes(), fileBytes),
            Prose.shortRate(filter.expectedFpp()),
            saved(filter));
      }
    }
    long bytes = total(entries, entry -> entry.filters.fileBytes());
    long filterBytes = total(entries, entry -> entry.filters.filterBytes());
    long saved = total(entries, Entry::saved);
    Report facts =
        new Report()
            .add("files", entries.size(), Prose.bytes(bytes))
            .add("filters", filters, Prose.bytes(filterBytes))
            .add("folding to 1 % saves", Prose.bytes(saved), share(saved, bytes) + " of the files");
    long odd = total(entries, Entry::oddSizes);
    if (odd > 0) {
      facts.add(
          "odd sizes",
          odd,
          "not powers of two: Arrow C++ and Velox refuse them, and folding fixes that");
    }
    return filters == 0 ? facts.toString() : table + "\n" + facts;
  }

  private static String share(long part, long whole) {
    return whole == 0 ? "0.0 %" : Prose.format("%.1f %%", 100.0 * part / whole);
  }
}
