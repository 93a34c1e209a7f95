package dev.bellows.cli;

import dev.bellows.cli.console.Console;
import java.io.BufferedReader;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * Runs {@code bellows} commands of shell scripts in one JVM, whose working directory is theirs.
 *
 * <p>The script {@link #CLIENT} stands in for the launcher. It creates a directory with the
 * arguments and three named pipes for the standard streams, writes the name of the directory to the
 * server's own pipe, and exits with the code that the server leaves there.
 */
final class CommandServer {
  /** What {@code ./bellows} is in a directory whose commands go to the server. */
  static final String CLIENT =
      """
      #!/bin/bash
      call=$(mktemp -d "$BELLOWS_CALLS/XXXXXX")
      mkfifo "$call/in" "$call/out" "$call/err"
      printf '%s\\0' "$@" > "$call/arguments"
      exec 3<&0
      cat <&3 > "$call/in" & input=$!
      cat "$call/out" & output=$!
      cat "$call/err" >&2 & errors=$!
      echo "$call" > "$BELLOWS_CALLS/requests"
      wait "$output" "$errors"
      kill "$input" 2>/dev/null
      exit "$(cat "$call/code")"
      """;

  private CommandServer() {}

  /** Serves the directory {@code args[0]} until the process is ended. */
  public static void main(String[] args) throws IOException {
    Path requests = Path.of(args[0]).resolve("requests");
    // opened for writing too, so that the pipe does not end with its first client
    try (RandomAccessFile pipe = new RandomAccessFile(requests.toFile(), "rw");
        InputStream stream = Channels.newInputStream(pipe.getChannel());
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      System.out.println("ready");
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Path call = Path.of(line);
        new Thread(() -> serve(call)).start();
      }
    }
  }

  private static void serve(Path call) {
    try (InputStream in = new FileInputStream(call.resolve("in").toFile());
        OutputStream out = Files.newOutputStream(call.resolve("out"));
        PrintStream err =
            new PrintStream(
                Files.newOutputStream(call.resolve("err")), true, StandardCharsets.UTF_8)) {
      String words = Files.readString(call.resolve("arguments"));
      String[] arguments = Arrays.stream(words.split("\0", -1)).toArray(String[]::new);
      Console console = new Console(in, out, err, false, false, false);
      int code = Main.run(console, Arrays.copyOf(arguments, arguments.length - 1));
      Files.writeString(call.resolve("code"), Integer.toString(code));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
