package dev.bellows.cli.parquet;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.kinds.Size;
import dev.bellows.parquet.ParquetFilterAdder;
import dev.bellows.parquet.ParquetRewrite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.LongConsumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bellows parquet add}: the same files with filters of some columns. */
@Command(
    name = "add",
    description = {
      "Writes Parquet files with new filters of some columns, of the size that their values need.",
      "Reads the values of these columns through parquet-java, for which the launcher builds a jar of its own on first use."
    },
    footer = "  bellows parquet add plain.parquet --columns id --fpp 1%% -o filtered.parquet")
final class ParquetAdd extends ParquetRewriting {
  @Option(
      names = "--columns",
      split = ParquetPaths.COMMA,
      splitSynopsisLabel = ",",
      required = true,
      paramLabel = "C",
      description = "The columns, by their paths with dots; a comma in a name is \\,.")
  Set<String> columns;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      description = "The highest false positive rate; default: 1 %%.")
  double fpp = Size.DEFAULT_FPP;

  @Override
  ParquetRewrite plan(Path path, LongConsumer progress) throws IOException {
    try {
      return ParquetFilterAdder.plan(path, ParquetPaths.columns(columns), fpp, missing(), progress);
    } catch (IllegalStateException e) {
      throw new CommandFailure(
          "parquet add reads values through parquet-java, which is not on the class path: run it"
              + " with ./bellows in a checkout",
          e);
    }
  }

  /** The values are read before the file is written. */
  @Override
  int passes() {
    return dryRun ? 1 : 2;
  }

  @Override
  String changedName() {
    return "added";
  }
}
