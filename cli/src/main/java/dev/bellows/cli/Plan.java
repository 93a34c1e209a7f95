package dev.bellows.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
      PlanPartition.class
    })
final class Plan implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        "what to plan is missing: one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
