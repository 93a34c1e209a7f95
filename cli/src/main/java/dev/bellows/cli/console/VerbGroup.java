package dev.bellows.cli.console;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A verb that consists of other verbs; without one of them, it lists them. */
@Command(footerHeading = "%nExample:%n")
public abstract class VerbGroup implements Runnable {
  @Spec CommandSpec spec;

  @Override
  public void run() {
    throw new Misuse("a verb is missing: one of " + String.join(", ", spec.subcommands().keySet()));
  }
}
