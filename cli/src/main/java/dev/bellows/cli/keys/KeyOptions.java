package dev.bellows.cli.keys;

import dev.bellows.HashScheme.KeyType;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.Misuse;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.OptionGroups;
import dev.bellows.cli.console.Progress;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.PathInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/**
 * How lines become keys. A key is the line's bytes without its end, or one column of it; an empty
 * line is the empty key.
 */
public final class KeyOptions {
  @ArgGroup(validate = false, heading = "%nLines and keys:%n", order = OptionGroups.KEYS)
  private Group group = new Group();

  private boolean hasOtherColumns;
  private boolean skipsBad;

  /** The options. */
  static final class Group {
    @Option(names = "--longs", description = "Keys are decimal longs, hashed as 8 bytes.")
    boolean longs;

    @Option(
        names = "--field",
        paramLabel = "N|NAME",
        description =
            "The key is column N of the line, counted from 1, or the one of that name in the"
                + " header.")
    @Nullable String field;

    @Option(
        names = "--delimiter",
        paramLabel = "C",
        description = "The separator of columns (default: a tab; with --csv, a comma).")
    @Nullable String delimiter;

    @Option(
        names = "--csv",
        description =
            "Lines are CSV by RFC 4180: columns may be quoted, and contain delimiters and line"
                + " ends. Needs --field.")
    boolean csv;

    @Option(
        names = "--header",
        description = "The first line of every input names the columns and is not a key.")
    boolean header;

    @Option(
        names = "--max-line",
        paramLabel = "SIZE",
        converter = Numbers.Size.class,
        defaultValue = "1MiB",
        description =
            "Refuse longer lines, in bytes, so that a file that is not text does not fill the"
                + " memory (default: ${DEFAULT-VALUE}; at most 1GiB).")
    long maxLine = 1 << 20;
  }

  /** Processes the lines, a group at a time. */
  @FunctionalInterface
  public interface Visitor {
    /**
     * Takes the lines, which are valid until it returns.
     *
     * @throws Lines.Refused if one of them is refused; the user is told its place
     */
    void visit(Lines lines) throws IOException;
  }

  public boolean isLongs() {
    return group.longs;
  }

  /** Allows columns although no column is the key. */
  public void useColumns() {
    hasOtherColumns = true;
  }

  /** Skips lines without a key, which {@link Lines#skipped} counts, instead of refusing them. */
  public void skipBad() {
    skipsBad = true;
  }

  /** Returns whether a key is a column of its line. */
  public boolean hasField() {
    return group.field != null;
  }

  /**
   * Reads keys as those of a filter were read: its file says what they are. An option that
   * contradicts the file is refused.
   */
  public void follow(KeyType type, String file) {
    boolean longs = type == KeyType.LONGS || type == KeyType.IDS;
    if (group.longs && !longs && type != KeyType.UNKNOWN) {
      throw new Misuse(
          "the keys of " + file + " are " + type.word() + ", not longs: leave out --longs");
    }
    group.longs |= longs;
  }

  /**
   * Returns the type of keys that are read with these options; ids if the filter takes numbers
   * directly.
   */
  public KeyType type(boolean ids) {
    return !group.longs ? KeyType.TEXT : ids ? KeyType.IDS : KeyType.LONGS;
  }

  /** Refuses {@code --longs} if lines are texts. */
  public void requireTexts() {
    if (group.longs) {
      throw new Misuse("--longs reads keys that are numbers: lines about attributes are texts");
    }
  }

  /**
   * Reads every key of the inputs ({@code -} or none: standard input) and returns how many. A
   * second thread reads and splits lines while this one visits earlier ones; results are flushed
   * whenever the visitor has to wait.
   */
  public long scan(Console console, List<String> inputs, Visitor visitor) throws IOException {
    LineFormat format = format();
    boolean isWarned = group.csv || format.delimiter()[0] == '\t';
    List<String> files = inputs.isEmpty() ? List.of("-") : inputs;
    if (files.stream().filter("-"::equals).count() > 1) {
      throw new Misuse("standard input (-) can be read only once");
    }
    long count = 0;
    try (Progress progress = Progress.reading(console, files.stream().map(Path::of).toList(), 1);
        LineFeed feed = LineFeed.start(to -> read(console, files, format, to))) {
      for (Lines lines; (lines = feed.next(console.out())) != null; ) {
        progress.step(lines.bytes());
        if (skipsBad && group.longs) {
          lines.skipAllButLongs();
        }
        count += lines.count();
        String quoted = lines.quotedPlace();
        if (!isWarned && quoted != null) {
          isWarned = true;
          console.say(
              "warning: %s: the column begins with a quote, which is read as part of the key: --csv"
                  + " reads quoted columns",
              quoted);
        }
        try {
          visitor.visit(lines);
        } catch (Lines.Refused e) {
          throw new Lines.Bad(lines.place(e.index()), String.valueOf(e.getMessage()), e);
        }
      }
    }
    return count;
  }

  private void read(Console console, List<String> files, LineFormat format, LineFeed feed)
      throws IOException, InterruptedException {
    for (String file : files) {
      try (InputStream in = open(console, file)) {
        String name = NamedFiles.name(file);
        feed.read(
            group.csv ? new CsvRecords(in, name, format) : new Lines.Reader(in, name, format));
      }
    }
  }

  /**
   * Another column of the line of a key, as text.
   *
   * @throws IllegalArgumentException if the line has too few columns
   */
  String column(Lines lines, int index, int column) {
    if (column < 1) {
      throw new Misuse("--time-field counts from 1, not " + column);
    }
    return group.csv
        ? CsvRecords.column(lines.wholeText(index), separator(), column)
        : lines.columnText(index, separator().getBytes(StandardCharsets.UTF_8), column);
  }

  /** Returns the bytes of a key that is an argument, not a line. */
  public byte[] bytes(String key) {
    if (group.field != null || group.delimiter != null || group.csv || group.header) {
      throw new Misuse(
          "--field, --delimiter, --csv and --header are about lines: keys as arguments are taken"
              + " as they are");
    }
    return key.getBytes(StandardCharsets.UTF_8);
  }

  /** Returns where keys are in lines; refuses options that do not fit together. */
  private LineFormat format() {
    String field = group.field;
    if (group.delimiter != null && field == null && !hasOtherColumns) {
      throw new Misuse("--delimiter needs --field");
    }
    if (group.csv && field == null) {
      throw new Misuse("--csv reads columns: say which one is the key, with --field N or NAME");
    }
    if (field != null && (field.isEmpty() || field.matches("-\\d+|0+"))) {
      throw new Misuse("--field counts from 1, not " + Prose.quote(field));
    }
    String separator = separator();
    if (group.csv && (separator.contains("\"") || separator.matches("(?s).*[\r\n].*"))) {
      throw new Misuse("--delimiter of --csv must not contain a quote or a line end");
    }
    if (separator.isEmpty()) {
      throw new Misuse("--delimiter must not be empty");
    }
    if (group.maxLine < 1 || group.maxLine > Lines.MAX_LENGTH) {
      throw new Misuse("--max-line takes 1 byte to 1GiB, not %d bytes", group.maxLine);
    }
    return new LineFormat(
        separator.getBytes(StandardCharsets.UTF_8),
        field,
        group.header || field != null && !LineFormat.isNumber(field),
        (int) group.maxLine,
        skipsBad);
  }

  private String separator() {
    String delimiter = group.delimiter;
    String usual = group.csv ? "," : "\t";
    return delimiter == null ? usual : delimiter.equals("\\t") ? "\t" : delimiter;
  }

  private static InputStream open(Console console, String file) throws IOException {
    if (file.equals("-")) {
      if (console.inTerminal()) {
        console.note("reading keys from the terminal, one per line; end with Ctrl-D");
      }
      return TextInput.of(console.unclosedIn(), "standard input");
    }
    Path path = Path.of(file);
    if (Files.isDirectory(path)) {
      throw new CommandFailure(file + " is a directory, not a file of keys");
    }
    return TextInput.of(PathInput.open(path), file);
  }
}
