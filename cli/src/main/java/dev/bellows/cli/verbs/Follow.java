package dev.bellows.cli.verbs;

import dev.bellows.Durable;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.OutputName;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.kinds.DurableFolders;
import dev.bellows.durable.Delta;
import dev.bellows.durable.DurableFilter;
import dev.bellows.internal.files.AtomicFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows follow}: what changed in a durable filter. */
@Command(
    name = "follow",
    description = {
      "Writes what changed in the durable filter in DIR since the last follow, for receive to apply"
          + " to replicas: the hashes that were put, or the whole content where that is smaller."
          + " DIR may be in use.",
      "DIR remembers up to which version it was followed. If a delta was lost, give --since with"
          + " the version that info of the replica shows as sourceVersion. A delta that arrives"
          + " twice or late does no harm."
    },
    footer = {
      "  bellows follow seen/ -o monday.delta",
      "  bellows follow seen/ --since 0 -o all.delta",
      "  bellows follow seen/ -o - | ssh replica bellows receive seen/ -"
    })
public final class Follow extends Verb {
  /** The version up to which the folder was followed, as text. */
  private static final String FOLLOWED = "followed";

  @Parameters(index = "0", paramLabel = "DIR", description = "The folder of a durable filter.")
  String folder;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DELTA",
      required = true,
      converter = OutputName.class,
      description = "Where the delta goes; - is standard output.")
  String output;

  @Option(
      names = "--since",
      paramLabel = "VERSION",
      description = "Write what changed since this version; what DIR remembers stays as it is.")
  @Nullable Long since;

  @Override
  public Integer call() throws IOException {
    requireOutput(output, List.of());
    if (since != null && since < 0) {
      throw misuse("--since %d: a version is 0 or more", since);
    }
    try (DurableFilter<Durable> filter = DurableFolders.read(folder, null)) {
      Path state = Path.of(folder).resolve(FOLLOWED);
      long from = since != null ? since : followed(state);
      if (from > filter.version()) {
        throw new CommandFailure(
            "%s is at version %d and has not reached %d: it was restored, or "
                + "another filter was followed; start the replicas over with --since 0",
            folder, filter.version(), from);
      }
      Delta delta = filter.since(from);
      NamedFiles.write(console(), output, delta::writeTo);
      if (since == null) {
        byte[] text = (delta.to() + "\n").getBytes(StandardCharsets.US_ASCII);
        AtomicFile.write(state, out -> out.write(text));
      }
      Report report =
          new Report()
              .file(output, delta.sizeInBytes())
              .both("from", "from version", delta.from())
              .both("to", "to version", delta.to())
              .both("changes", delta.to() - from)
              .field("whole", delta.hasContent())
              .add("content", delta.hasContent() ? "everything" : "the hashes that were put");
      if (output.equals("-")) {
        console().out().flush();
        console().notePage(report);
      } else {
        report(report);
      }
    }
    return OK;
  }

  private static long followed(Path state) throws IOException {
    if (!Files.exists(state)) {
      return 0;
    }
    String text = Files.readString(state, StandardCharsets.ISO_8859_1).strip();
    if (!text.matches("\\d{1,18}")) {
      throw new CommandFailure(
          state + " does not hold a version: delete it, or give --since VERSION");
    }
    return Long.parseLong(text);
  }
}
