package dev.bellows.cli.console;

import java.io.IOException;
import picocli.CommandLine.Option;

/** A verb whose result is a file. */
public abstract class WritingVerb extends Verb {
  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      converter = OutputName.class,
      required = true,
      description = "The file to write; - is standard output.")
  protected String output;

  /** Reports what was written, unless the file itself is on standard output. */
  protected final void reportWritten(Report report) throws IOException {
    if (!output.equals("-")) {
      reportSummary(report);
    }
  }

  /** The same, but then the text goes to standard error. */
  protected final void reportOrNote(Report report) throws IOException {
    if (output.equals("-")) {
      console().notePage(report);
    } else {
      reportSummary(report);
    }
  }
}
