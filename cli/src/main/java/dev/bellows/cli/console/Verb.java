package dev.bellows.cli.console;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What all verbs share: their streams and the two forms of a result. */
@Command(footerHeading = "%nExample:%n")
public abstract class Verb implements Callable<Integer> {
  /** Exit code: success; for a query, a key was found. */
  public static final int OK = 0;

  /** Exit code: nothing was found, or a check failed. */
  public static final int NOTHING = 1;

  /** Exit code: bad usage or bad input. */
  public static final int BAD = 2;

  @Spec protected CommandSpec spec;

  @Option(names = "--json", order = 100, description = "Print one JSON object instead of text.")
  protected boolean json;

  protected final Console console() {
    return ((Console.Owner) spec.root().userObject()).console();
  }

  /** Prints the result, the fields as JSON or the text, and returns the exit code of success. */
  protected final int report(Map<String, ?> fields, CharSequence text) throws IOException {
    console().print(json ? Json.object(fields) : text.toString());
    return OK;
  }

  /** Prints the result in the requested form and returns the exit code of success. */
  protected final int report(Report report) throws IOException {
    return report(report.fields(), report.toString());
  }

  /** Like {@link #report}, for a summary of what was written: a quiet command prints only JSON. */
  protected final int reportSummary(Report report) throws IOException {
    return console().isQuiet() && !json ? OK : report(report);
  }

  /**
   * Refuses an output that cannot be written, that two results need, or that is one of the inputs.
   */
  protected final void requireOutput(String output, List<String> inputs) throws IOException {
    if (output.equals("-")) {
      if (json) {
        throw misuse("-o - and --json both need standard output: name a file");
      }
      return;
    }
    NamedFiles.requireWritable(output);
    for (String input : inputs) {
      if (NamedFiles.same(input, output)) {
        throw misuse("the output " + output + " is one of the inputs: name another file");
      }
    }
  }

  /** Prints a warning or an error, on one line. */
  protected final void say(String message, @Nullable Object... values) {
    console().say(message, values);
  }

  /** Prints a line that is not part of the result, unless it is quiet. */
  protected final void note(String message, @Nullable Object... values) {
    console().note(message, values);
  }

  protected final Misuse misuse(String message, @Nullable Object... values) {
    return new Misuse(message, values);
  }

  @Override
  public abstract Integer call() throws IOException;
}
