package dev.bellows.cli;

import dev.bellows.HashScheme;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/**
 * How lines become keys. A key is the line's bytes without its end, or one column of it; an empty
 * line is the empty key.
 */
final class KeyOptions {
  @Spec(Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  CommandSpec spec;

  @Option(names = "--longs", description = "Keys are decimal longs, hashed as 8 bytes.")
  boolean longs;

  @Option(
      names = "--field",
      paramLabel = "N",
      description = "The key is column N of the line, counted from 1.")
  @Nullable Integer field;

  @Option(
      names = "--delimiter",
      paramLabel = "C",
      description = "What separates columns (default: a tab).")
  @Nullable String delimiter;

  /** Whether {@code --longs} are ids that travel as they are, bits reversed, and not as hashes. */
  boolean ids;

  /** What is done with each key: its bytes, valid until the next, and its hash. */
  @FunctionalInterface
  interface Visitor {
    void visit(byte[] buffer, int from, int length, long hash) throws IOException;
  }

  /** Reads every key of the inputs ({@code -} or none: standard input) and returns how many. */
  long scan(Console console, List<String> inputs, HashScheme scheme, Visitor visitor)
      throws IOException {
    Columns columns = columns();
    List<String> files = inputs.isEmpty() ? List.of("-") : inputs;
    if (files.stream().filter("-"::equals).count() > 1) {
      throw misuse("standard input (-) can be read only once");
    }
    long lines = 0;
    try (Progress progress = Progress.reading(console, files)) {
      for (String file : files) {
        try (InputStream in = open(console, file)) {
          lines += scan(in, file, console, progress, columns, scheme, visitor);
        }
      }
    }
    return lines;
  }

  /** Reads every line, or its column, as text and returns how many there were. */
  long scanLines(Console console, List<String> inputs, HashScheme scheme, Consumer<String> consumer)
      throws IOException {
    if (longs) {
      throw misuse("--longs reads keys that are numbers: lines about attributes are texts");
    }
    return scan(
        console,
        inputs,
        scheme,
        (buffer, from, length, hash) ->
            consumer.accept(new String(buffer, from, length, StandardCharsets.UTF_8)));
  }

  private long scan(
      InputStream in,
      String file,
      Console console,
      Progress progress,
      Columns columns,
      HashScheme scheme,
      Visitor visitor)
      throws IOException {
    LineReader lines =
        new LineReader(
            in,
            bytes -> {
              console.out().flush();
              progress.step(bytes);
            });
    long number = 0;
    while (lines.next()) {
      number++;
      byte[] buffer = lines.buffer();
      int from = lines.from();
      int to = lines.to();
      if (field != null) {
        if (!columns.find(buffer, from, to)) {
          throw new CommandFailure(
              "%s:%d: the line has %d columns, not %d: check --field and --delimiter"
                  .formatted(name(file), number, columns.found(), field));
        }
        from = columns.from();
        to = columns.to();
      }
      long hash = hash(scheme, buffer, from, to, file, number);
      try {
        visitor.visit(buffer, from, to - from, hash);
      } catch (IllegalArgumentException e) {
        throw new CommandFailure(name(file) + ":" + number + ": " + e.getMessage(), e);
      }
    }
    return number;
  }

  private long hash(HashScheme scheme, byte[] buffer, int from, int to, String file, long line) {
    if (!longs) {
      return scheme.hash(buffer, from, to - from);
    }
    try {
      return hash(scheme, Longs.parse(buffer, from, to));
    } catch (NumberFormatException e) {
      throw new CommandFailure(name(file) + ":" + line + ": " + e.getMessage(), e);
    }
  }

  /** The hash of a key that is an argument, not a line. */
  long hash(HashScheme scheme, String key) {
    byte[] bytes = bytes(key);
    return longs ? hash(scheme, Longs.parse(bytes, 0, bytes.length)) : scheme.hash(bytes);
  }

  /** The bytes of a key that is an argument, not a line. */
  byte[] bytes(String key) {
    if (field != null || delimiter != null) {
      throw misuse("--field and --delimiter pick columns of lines: keys as arguments have none");
    }
    return key.getBytes(StandardCharsets.UTF_8);
  }

  private long hash(HashScheme scheme, long key) {
    return ids ? Long.reverse(key) : scheme.hash(key);
  }

  private Columns columns() {
    if (delimiter != null && field == null) {
      throw misuse("--delimiter needs --field beside it");
    }
    if (field != null && field < 1) {
      throw misuse("--field counts from 1, not " + field);
    }
    String separator = delimiter == null || delimiter.equals("\\t") ? "\t" : delimiter;
    if (separator.isEmpty()) {
      throw misuse("--delimiter must not be empty");
    }
    return new Columns(separator.getBytes(StandardCharsets.UTF_8), field == null ? 1 : field);
  }

  private static InputStream open(Console console, String file) throws IOException {
    if (file.equals("-")) {
      if (console.inTerminal()) {
        console.say("reading keys from the terminal, one per line; end with Ctrl-D");
      }
      return InputStreams.unclosed(console.in());
    }
    Path path = Path.of(file);
    if (Files.isDirectory(path)) {
      throw new CommandFailure(file + " is a directory, not a file of keys");
    }
    return Files.newInputStream(path);
  }

  private static String name(String file) {
    return file.equals("-") ? "standard input" : file;
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
