package dev.bellows.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
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

  @ArgGroup(validate = false, heading = "%nLines and keys:%n", order = Groups.KEYS)
  private Group group = new Group();

  /** The options. */
  static final class Group {
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
  }

  /** What is done with each key: its bytes, valid until the next. */
  @FunctionalInterface
  interface Visitor {
    void visit(byte[] buffer, int from, int length) throws IOException;
  }

  boolean isLongs() {
    return group.longs;
  }

  /** Refuses {@code --longs} where lines are texts. */
  void requireTexts() {
    if (group.longs) {
      throw misuse("--longs reads keys that are numbers: lines about attributes are texts");
    }
  }

  /** The code of the key that the bytes write. */
  long code(KeyCode code, byte[] buffer, int from, int length) {
    return group.longs
        ? code.of(Longs.parse(buffer, from, from + length))
        : code.of(buffer, from, length);
  }

  /** Reads every key of the inputs ({@code -} or none: standard input) and returns how many. */
  long scan(Console console, List<String> inputs, Visitor visitor) throws IOException {
    Columns columns = columns();
    List<String> files = inputs.isEmpty() ? List.of("-") : inputs;
    if (files.stream().filter("-"::equals).count() > 1) {
      throw misuse("standard input (-) can be read only once");
    }
    long lines = 0;
    try (Progress progress = Progress.reading(console, files)) {
      for (String file : files) {
        try (InputStream in = open(console, file)) {
          lines += scan(in, file, console, progress, columns, visitor);
        }
      }
    }
    return lines;
  }

  private long scan(
      InputStream in,
      String file,
      Console console,
      Progress progress,
      Columns columns,
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
      if (group.field != null) {
        if (!columns.find(buffer, from, to)) {
          throw new CommandFailure(
              "%s:%d: the line has %d columns, not %d: check --field and --delimiter"
                  .formatted(FilterFiles.name(file), number, columns.found(), group.field));
        }
        from = columns.from();
        to = columns.to();
      }
      try {
        visitor.visit(buffer, from, to - from);
      } catch (IllegalArgumentException e) {
        throw new CommandFailure(FilterFiles.name(file) + ":" + number + ": " + e.getMessage(), e);
      }
    }
    return number;
  }

  /** The bytes of a key that is an argument, not a line. */
  byte[] bytes(String key) {
    if (group.field != null || group.delimiter != null) {
      throw misuse("--field and --delimiter pick columns of lines: keys as arguments have none");
    }
    return key.getBytes(StandardCharsets.UTF_8);
  }

  private Columns columns() {
    String delimiter = group.delimiter;
    Integer field = group.field;
    if (delimiter != null && field == null) {
      throw misuse("--delimiter needs --field");
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

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
