package dev.bellows.cli.parquet;

import dev.bellows.cli.console.Numbers;
import dev.bellows.parquet.FoldRequest;
import dev.bellows.parquet.ParquetFilters;
import dev.bellows.parquet.ParquetRewrite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bellows parquet fold}: the same files with smaller filters. */
@Command(
    name = "fold",
    description = {
      "Writes Parquet files with folded filters; no key is lost, and pages are copied as they are.",
      "Sizes are powers of two, at least 64 bytes."
    },
    footer = {
      "  bellows parquet fold big.parquet --to-fpp 1%% --dry-run",
      "  bellows parquet fold big.parquet --to-fpp 1%% -o small.parquet",
      "  bellows parquet fold data/ --to-size 64KiB --columns id,user -o small/"
    })
final class ParquetFold extends ParquetRewriting {
  @ArgGroup(exclusive = true, multiplicity = "1")
  Target target;

  @Option(
      names = "--columns",
      split = ParquetPaths.COMMA,
      splitSynopsisLabel = ",",
      paramLabel = "C",
      description =
          "Only filters of these columns, by their paths with dots; a comma in a name is \\,.")
  @Nullable Set<String> columns;

  @Option(
      names = "--any-size",
      description = {
        "Also allow sizes that are not powers of two. parquet-java, DuckDB, Trino and hyparquet"
            + " read them; Arrow C++ and Velox refuse them, and Impala may lose keys."
      })
  boolean anySize;

  /** How small; one of them. */
  static final class Target {
    @Option(
        names = "--to-fpp",
        paramLabel = "P",
        description = "Each filter to the smallest size whose rate is at most P.")
    @Nullable Double fpp;

    @Option(
        names = "--to-size",
        paramLabel = "BYTES",
        converter = Numbers.Size.class,
        description = "Each filter to at most this many bytes of bits, e.g. 64KiB.")
    @Nullable Long bytes;
  }

  @Override
  ParquetRewrite plan(Path path, LongConsumer progress) throws IOException {
    FoldRequest request =
        target.fpp == null ? FoldRequest.toSize(target.bytes) : FoldRequest.toFpp(target.fpp);
    request =
        columns == null
            ? request
            : request.columns(ParquetPaths.columns(columns)).missing(missing());
    return ParquetFilters.planFold(path, anySize ? request.anySize() : request);
  }

  @Override
  String changedName() {
    return "folded";
  }
}
