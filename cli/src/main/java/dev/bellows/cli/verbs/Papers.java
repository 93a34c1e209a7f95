package dev.bellows.cli.verbs;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bellows papers}: recomputes the tables and figures of the documents. */
@Command(
    name = "papers",
    description = {
      "Recomputes every table and figure of the five documents.",
      "Shows the printed value, the value of the formula, the value that a simulation with this"
          + " library measures, and whether they agree.",
      "Writes results.json, a CSV and a page for each, the pictures, and index.md."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellows papers",
      "  bellows papers --out docs/papers",
      "  bellows papers --only 003/table-4-1 --json"
    })
public final class Papers extends StudyVerb {
  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Where to write; default: ${DEFAULT-VALUE}.",
      defaultValue = "bellows-papers")
  @Nullable Path out;

  @Override
  public Integer call() throws IOException {
    return run(out, false);
  }
}
