package dev.bellows.cli;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What all verbs share: their streams and the two forms of a result. */
abstract class Verb implements Callable<Integer> {
  @Spec
  @SuppressWarnings("NullAway.Init")
  CommandSpec spec;

  @Option(names = "--json", order = 100, description = "Print one JSON object instead of text.")
  boolean json;

  final Console console() {
    return ((Main) spec.root().userObject()).console();
  }

  /** Prints the result: the fields as JSON, or the text. */
  final void report(Map<String, ?> fields, CharSequence text) throws IOException {
    console().print(json ? Json.object(fields) : text.toString());
  }

  /**
   * Refuses an output that cannot be written, that two results need, or that is one of the inputs.
   */
  final void requireOutput(String output, List<String> inputs) throws IOException {
    if (output.equals("-")) {
      if (json) {
        throw misuse("-o - and --json both need standard output: name a file");
      }
      return;
    }
    FilterFiles.requireWritable(output);
    for (String input : inputs) {
      if (FilterFiles.same(input, output)) {
        throw misuse("the output " + output + " is one of the inputs: name another file");
      }
    }
  }

  final ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  @Override
  public abstract Integer call() throws IOException;
}
