package dev.bellows.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bellows parquet}: the filters inside Parquet files. */
@Command(
    name = "parquet",
    synopsisSubcommandLabel = "WHAT",
    commandListHeading = "%nWhat to do:%n",
    description = {
      "The Bloom filters inside Parquet files: shrinks them, drops them, adds them, and finds files with them.",
      "No data page is decoded; only add reads the values of a column."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  bellows parquet info data/",
      "  bellows parquet fold data/ --to-fpp 1%% -o small/"
    },
    subcommands = {
      ParquetInfo.class,
      ParquetFold.class,
      ParquetDrop.class,
      ParquetAdd.class,
      ParquetIndexing.class,
      ParquetFind.class
    })
final class Parquet implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "what to do is missing: one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
