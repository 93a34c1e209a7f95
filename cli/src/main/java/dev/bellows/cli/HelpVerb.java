package dev.bellows.cli;

import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.Misuse;
import dev.bellows.cli.console.Verb;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code bellows help}: the help of a verb. */
@Command(
    name = "help",
    description = "Prints the help of a command, or the list of commands.",
    footerHeading = "%nExample:%n",
    footer = {
      "  bellows help build",
      "  bellows help plan bloom",
      "  bellows help --man build | man -l -"
    })
final class HelpVerb implements Callable<Integer> {
  @Spec CommandSpec spec;

  @Option(names = "--man", description = "Print the manual page, as roff.")
  boolean man;

  @Parameters(paramLabel = "VERB", description = "The command, e.g. build or plan bloom.")
  List<String> words = List.of();

  @Override
  public Integer call() throws IOException {
    CommandLine line = spec.root().commandLine();
    for (String word : words) {
      CommandLine next = line.getSubcommands().get(word);
      if (next == null) {
        throw unknown(line, word);
      }
      line = next;
    }
    CommandLine root = spec.root().commandLine();
    ((Console.Owner) spec.root().userObject())
        .console()
        .print(
            man
                ? ManPage.of(line, new Main.Version().getVersion()[0])
                : line.getUsageMessage(root.getColorScheme()));
    return Verb.OK;
  }

  private static Misuse unknown(CommandLine line, String word) {
    List<String> known = List.copyOf(line.getSubcommands().keySet());
    String verb = line.getCommandSpec().qualifiedName(" ");
    return new Misuse(
        known.isEmpty()
            ? "'%s' is not a %s command, which has none".formatted(word, verb)
            : "'%s' is not a %s command: use one of %s"
                .formatted(word, verb, String.join(", ", known)));
  }
}
