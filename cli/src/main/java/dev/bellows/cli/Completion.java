package dev.bellows.cli;

import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.Verb;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code bellows completion}: a completion script for the shell. */
@Command(
    name = "completion",
    description = "Prints a completion script for bash and zsh.",
    footerHeading = "%nExample:%n",
    footer = "  source <(bellows completion)")
final class Completion implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    CommandSpec root = spec.root();
    ((Console.Owner) root.userObject())
        .console()
        .print(AutoComplete.bash(root.name(), root.commandLine()) + "\n");
    return Verb.OK;
  }
}
