package dev.bellows.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A verb that only has further verbs: without one of them it says which there are. */
@Command
abstract class VerbGroup implements Runnable {
  @Spec
  @SuppressWarnings("NullAway.Init")
  CommandSpec spec;

  /** What the next word says, as "what to do". */
  abstract String missing();

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(),
        missing() + " is missing: one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
