package dev.bellows.cli.verbs;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.Progress;
import dev.bellows.cli.console.Verb;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A verb whose work is a {@link Study} of another module. */
abstract class StudyVerb extends Verb {
  @Option(
      names = "--only",
      paramLabel = "NAME",
      description = "Only results whose name is NAME or begins with it.")
  @Nullable String only;

  /** Runs the study of this verb; exit code 1 if one of its checks failed. */
  final int run(@Nullable Path out, boolean quick) throws IOException {
    if (out != null) {
      requireFolder(out.toAbsolutePath());
    }
    Study.Report report;
    try (Bar bar = new Bar(console())) {
      report = Study.of(spec.name()).run(new Study.Request(out, only, quick), bar);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), e);
    }
    report(report.fields(), report.text());
    return report.success() ? OK : NOTHING;
  }

  /** Refuses a missing folder before half an hour of work, not after it. */
  private static void requireFolder(Path folder) {
    Path nearest = folder;
    while (!Files.exists(nearest) && nearest.getParent() != null) {
      nearest = nearest.getParent();
    }
    if (!Files.isDirectory(nearest)) {
      throw new CommandFailure(nearest + " is not a folder: --out needs one");
    }
    if (!Files.isWritable(nearest)) {
      throw new CommandFailure("no permission: " + nearest);
    }
  }

  /** The progress of a study, from any of its threads. */
  private static final class Bar implements Study.Steps, AutoCloseable {
    private final Console console;
    private @Nullable Progress progress;

    Bar(Console console) {
      this.console = console;
    }

    @Override
    public synchronized void total(int steps) {
      progress = Progress.of(console, "working", steps);
    }

    @Override
    public synchronized void done(String step) {
      if (progress != null) {
        progress.step(step);
      }
    }

    @Override
    public synchronized void close() {
      if (progress != null) {
        progress.close();
      }
    }
  }
}
