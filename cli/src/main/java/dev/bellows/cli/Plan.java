package dev.bellows.cli;

import picocli.CommandLine.Command;

/** {@code bellows plan}: the mathematics, without any filter. */
@Command(
    name = "plan",
    synopsisSubcommandLabel = "WHAT",
    commandListHeading = "%nWhat to plan:%n",
    description = "Computes sizes and rates; needs no filter.",
    footerHeading = "%nExample:%n",
    footer = "  bellows plan bloom --keys 1M --fpp 1%%",
    subcommands = {
      PlanBloom.class,
      PlanFold.class,
      PlanCapacity.class,
      PlanTransmission.class,
      PlanAutoscale.class,
      PlanRange.class,
      PlanPartition.class,
      PlanGrow.class
    })
final class Plan extends VerbGroup {
  @Override
  String missing() {
    return "what to plan";
  }
}
