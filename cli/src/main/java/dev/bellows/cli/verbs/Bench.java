package dev.bellows.cli.verbs;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bellows bench}: this library and its peers, in one run. */
@Command(
    name = "bench",
    description = {
      "Measures this library and its peers in one run and prints ratios.",
      "Times vary on a shared machine; ratios within one run hardly vary."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  bellows bench --quick",
      "  bellows bench --only query-long",
      "  bellows bench --only durable-puts",
      "  bellows bench --out docs/bench"
    })
public final class Bench extends StudyVerb {
  @Option(names = "--quick", description = "End within three minutes; wider intervals.")
  boolean quick;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Also write the table, the JSON and the picture here.")
  @Nullable Path out;

  @Override
  public Integer call() throws IOException {
    return run(out, quick);
  }
}
