package dev.bellows.cli.plan;

import dev.bellows.cli.console.VerbGroup;
import picocli.CommandLine.Command;

/** {@code bellows plan}: the mathematics, without any filter. */
@Command(
    name = "plan",
    synopsisSubcommandLabel = "WHAT",
    commandListHeading = "%nWhat to plan:%n",
    description = "Computes sizes and rates; needs no filter.",
    footer = "  bellows plan bloom --keys 1M --fpp 1%%",
    subcommands = {
      PlanBloom.class,
      PlanFold.class,
      PlanCapacity.class,
      PlanTransmission.class,
      PlanAutoscale.class,
      PlanRange.class,
      PlanPartition.class,
      PlanGrow.class,
      PlanFrozen.class,
      PlanWindow.class
    })
public final class Plan extends VerbGroup {}
