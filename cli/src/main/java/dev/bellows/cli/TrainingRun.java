package dev.bellows.cli;

import dev.bellows.cli.console.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs each verb once on a little data, so that a class-data archive dumped at exit holds the
 * classes that real runs will load.
 */
final class TrainingRun {
  private TrainingRun() {}

  /** Runs the verbs in a temporary folder and leaves nothing behind. */
  public static void main(String[] arguments) throws IOException {
    Path filter = Files.createTempFile("bellows", ".bloom");
    Path other = Files.createTempFile("bellows", ".bloom");
    Path absent = Files.createTempFile("bellows", ".txt");
    try {
      Files.writeString(absent, "three\nfour\n");
      run("plan", "bloom", "--keys", "1M", "--fpp", "1%");
      run("plan", "bloom", "--keys", "1M", "--fpp", "1%", "--layout", "blocked", "--json");
      run("build", "-o", filter.toString());
      run("build", "--keys", "1k", "-o", other.toString(), "--json");
      run("add", filter.toString());
      run("query", filter.toString());
      run("info", filter.toString());
      run("info", filter.toString(), "--json");
      run("union", filter.toString(), filter.toString(), "-o", other.toString());
      run("intersect", filter.toString(), filter.toString(), "-o", other.toString());
      run("verify", filter.toString(), "--absent", absent.toString());
      run("plan", "range", "--bits", "512", "--hashes", "8", "--domain", "10k", "--range", "1k");
      run("plan", "range", "--bits", "512", "--hashes", "8", "--attribute", "a:120:10", "--json");
      run("build", "--help");
      run("--help");
      run("--version");
      run("no-such-verb");
    } finally {
      Files.delete(filter);
      Files.delete(other);
      Files.delete(absent);
    }
  }

  private static void run(String... arguments) {
    byte[] keys = "one\ntwo\n".getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream sink = new ByteArrayOutputStream();
    Console console =
        new Console(
            new ByteArrayInputStream(keys),
            sink,
            new PrintStream(sink, true, StandardCharsets.UTF_8),
            false,
            false,
            false);
    Main.run(console, arguments);
  }
}
