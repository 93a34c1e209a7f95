package dev.bellows.cli.parquet;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Json;
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
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
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
        failed.add(Json.fields("file", path.toString(), "error", ParquetPaths.message(path, e)));
      }
    }
    Report totals = totals(entries).field("failed", failed);
    report(totals.fields(), table(entries) + totals);
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

  private static Report totals(List<Entry> entries) {
    long bytes = total(entries, entry -> entry.filters.fileBytes());
    long filters = total(entries, entry -> entry.filters.filters().size());
    long filterBytes = total(entries, entry -> entry.filters.filterBytes());
    long saved = total(entries, Entry::saved);
    Report totals =
        new Report()
            .field("files", entries.stream().map(ParquetInfo::fields).toList())
            .field("bytes", bytes)
            .add("files", entries.size(), Prose.bytes(bytes))
            .field("filterBytes", filterBytes)
            .add("filters", filters, Prose.bytes(filterBytes))
            .field("savedAtOnePercent", saved)
            .add("folding to 1 % saves", Prose.bytes(saved), share(saved, bytes) + " of the files");
    long odd = total(entries, Entry::oddSizes);
    if (odd > 0) {
      totals.add(
          "odd sizes",
          odd,
          "not powers of two: Arrow C++ and Velox refuse them, and folding fixes that");
    }
    return totals;
  }

  private static Map<String, @Nullable Object> fields(Entry entry) {
    return new Report()
        .field("file", entry.path.toString())
        .field("bytes", entry.filters.fileBytes())
        .field("rows", entry.filters.rows())
        .field("filterBytes", entry.filters.filterBytes())
        .field("savedAtOnePercent", entry.saved())
        .field("filters", entry.filters.filters().stream().map(ParquetInfo::fields).toList())
        .fields();
  }

  private static Map<String, @Nullable Object> fields(ParquetFilter filter) {
    return new Report()
        .field("rowGroup", filter.rowGroup())
        .field("column", filter.column())
        .field("type", filter.type().toString())
        .field("rows", filter.rows())
        .field("blocks", filter.blocks())
        .field("expectedFpp", filter.expectedFpp())
        .field("fill", filter.fill())
        .field("bytes", filter.bytes())
        .field("offset", filter.offset())
        .field("sizes", filter.sizes().stream().map(ParquetInfo::fields).toList())
        .fields();
  }

  private static Map<String, @Nullable Object> fields(ParquetFilter.Size size) {
    double fpp = size.expectedFpp();
    return Json.fields("bits", size.bits(), "exact", size.isExact(), "expectedFpp", fpp);
  }

  /** Returns the table of all filters and an empty line after it; nothing if there are none. */
  private static String table(List<Entry> entries) {
    if (entries.stream().allMatch(entry -> entry.filters.filters().isEmpty())) {
      return "";
    }
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
      for (ParquetFilter filter : entry.filters.filters()) {
        table.row(
            ParquetPaths.shown(entry.path),
            String.valueOf(filter.rowGroup()),
            Prose.escape(filter.column()),
            filter.rows(),
            filter.bytes(),
            share(filter.bytes(), entry.filters.fileBytes()),
            Prose.shortRate(filter.expectedFpp()),
            saved(filter));
      }
    }
    return table + "\n";
  }

  private static String share(long part, long whole) {
    return whole == 0 ? "0.0 %" : Prose.format("%.1f %%", 100.0 * part / whole);
  }
}
