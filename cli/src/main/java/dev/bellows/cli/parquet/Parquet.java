package dev.bellows.cli.parquet;

import dev.bellows.cli.console.VerbGroup;
import picocli.CommandLine.Command;

/** {@code bellows parquet}: the filters inside Parquet files. */
@Command(
    name = "parquet",
    synopsisSubcommandLabel = "WHAT",
    commandListHeading = "%nWhat to do:%n",
    description = {
      "The Bloom filters inside Parquet files: shrinks them, drops them, adds them, and finds files with them.",
      "No data page is decoded; only add reads the values of a column."
    },
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
public final class Parquet extends VerbGroup {}
