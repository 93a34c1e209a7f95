package dev.bellows.cli.parquet;

import dev.bellows.parquet.ParquetFilters;
import dev.bellows.parquet.ParquetRewrite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bellows parquet drop}: the same files without filters. */
@Command(
    name = "drop",
    description = "Writes Parquet files without the filters of some columns, or without any.",
    footer = "  bellows parquet drop big.parquet --columns comment -o small.parquet")
final class ParquetDrop extends ParquetRewriting {
  @Option(
      names = "--columns",
      split = ParquetPaths.COMMA,
      splitSynopsisLabel = ",",
      paramLabel = "C",
      description =
          "Only filters of these columns, by their paths with dots; a comma in a name is \\,; default: all.")
  Set<String> columns = Set.of();

  @Override
  ParquetRewrite plan(Path path, LongConsumer progress) throws IOException {
    return ParquetFilters.planDrop(path, ParquetPaths.columns(columns), missing());
  }

  @Override
  String changedName() {
    return "dropped";
  }
}
