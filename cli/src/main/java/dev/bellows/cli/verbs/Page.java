package dev.bellows.cli.verbs;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Json;
import dev.bellows.cli.console.Verb;
import dev.bellows.internal.files.AtomicFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bellows page}: the planners as a page for a browser. */
@Command(
    name = "page",
    description = {
      "Writes the planner page: sizes, folds, growth, ranges and thresholds with pictures that"
          + " follow a slider.",
      "The page is a single file, computes in the browser and needs no network."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  bellows page --open", "  bellows page -o public"})
public final class Page extends Verb {
  private static final String NAME = "index.html";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "DIR",
      defaultValue = "bellows-page",
      description = "The folder to write it into (default: ${DEFAULT-VALUE}).")
  Path folder;

  @Option(names = "--open", description = "Open the page in a browser.")
  boolean open;

  @Override
  public Integer call() throws IOException {
    byte[] page = content();
    if (Files.exists(folder) && !Files.isDirectory(folder)) {
      throw new CommandFailure(folder + " is a file: name a folder for the page");
    }
    Files.createDirectories(folder);
    Path file = folder.resolve(NAME);
    AtomicFile.write(file, out -> out.write(page));
    report(Json.fields("file", file.toString(), "bytes", page.length), file + "\n");
    if (open) {
      show(file);
    }
    return OK;
  }

  private static byte[] content() throws IOException {
    try (InputStream in = Page.class.getResourceAsStream(NAME)) {
      if (in == null) {
        throw new IllegalStateException("the page is missing in this jar: build it again");
      }
      return in.readAllBytes();
    }
  }

  /** Asks the desktop to open the file, or says that there is none. */
  private static void show(Path file) {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String address = file.toAbsolutePath().toUri().toString();
    List<String> command =
        system.contains("mac")
            ? List.of("open", address)
            : system.contains("win")
                ? List.of("rundll32", "url.dll,FileProtocolHandler", address)
                : List.of("xdg-open", address);
    try {
      new ProcessBuilder(command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new CommandFailure(
          "no browser can be opened from here (" + command.get(0) + " is missing): open " + file);
    }
  }
}
