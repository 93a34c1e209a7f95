package dev.bellows.cli.kinds;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.Messages;
import dev.bellows.cli.console.Misuse;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.OptionGroups;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.Lines;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.foreign.ForeignFilter;
import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadOptions;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** Whose filter a file holds, if it is not ours, and what its keys are. */
public final class ForeignOptions {
  @ArgGroup(
      validate = false,
      heading = "%nFilters of other libraries:%n",
      order = OptionGroups.FOREIGN)
  private Group group = new Group();

  /** The options. */
  static final class Group {
    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        converter = FormatWord.class,
        completionCandidates = FormatWord.class,
        description = "FILE is a filter of another library: ${COMPLETION-CANDIDATES}.")
    @Nullable Format format;

    @Option(
        names = "--key-type",
        paramLabel = "TYPE",
        converter = KeyTypeWord.class,
        completionCandidates = KeyTypeWord.class,
        description =
            "The type of its keys, which the file does not record: ${COMPLETION-CANDIDATES}; bytes"
                + " are those of the line.")
    Format.@Nullable KeyType keyType;
  }

  /** Returns the foreign filter, or null if the file is to be one of ours. */
  public @Nullable ForeignFilter read(Console console, String file) throws IOException {
    if (group.format == null) {
      if (group.keyType != null) {
        throw new Misuse(
            "--key-type is only valid for filters of other libraries: it needs --format");
      }
      return null;
    }
    if (group.keyType != null && !group.format.keyTypes().contains(group.keyType)) {
      throw new Misuse(
          "%s does not support keys of type %s: use %s",
          group.format.library(), group.keyType.word(), words(group.format.keyTypes()));
    }
    try {
      if (file.equals("-")) {
        return ForeignFilter.readFrom(
            new BufferedInputStream(console.in()), group.format, ReadOptions.UNLIMITED);
      }
      Path path = Path.of(file);
      if (Files.isDirectory(path)) {
        throw new CommandFailure(file + " is a directory, not a filter");
      }
      return group.format != Format.HADOOP && Files.isRegularFile(path)
          ? ForeignFilter.map(path, group.format).filter()
          : ForeignFilter.readFrom(path, group.format, ReadOptions.UNLIMITED);
    } catch (FilterFormatException e) {
      throw new CommandFailure(
          "%s, read as %s: %s"
              .formatted(
                  NamedFiles.name(file), group.format.library(), FilterFiles.problem(file, e)),
          e);
    }
  }

  /** Refuses options that are only for our own files: secret keys and thresholds. */
  public void refuseOurs(SchemeOptions schemeOptions, RetuneOptions retune) {
    if (group.format == null) {
      return;
    }
    if (schemeOptions.keyFile != null) {
      throw new Misuse(
          "--key-file is only valid for Bellows filters: those of other libraries have no secret"
              + " key");
    }
    if (retune.given() != null) {
      throw new Misuse(
          retune.given() + " is only valid with a filter of kind autoscale, not with --format");
    }
  }

  /** Returns what the keys of the filter are, which the user must have said. */
  public Format.KeyType keyType(ForeignFilter filter, KeyOptions keyOptions) {
    if (keyOptions.isLongs() && group.keyType != null && group.keyType != Format.KeyType.LONG) {
      throw new Misuse("--longs and --key-type " + group.keyType.word() + " exclude each other");
    }
    Format.KeyType type = keyOptions.isLongs() ? Format.KeyType.LONG : group.keyType;
    if (type == null) {
      throw new Misuse(
          "a filter of %s does not record the type of its keys: add --key-type %s",
          filter.format().library(), words(filter.format().keyTypes()));
    }
    return type;
  }

  /** Whether a foreign filter may contain a line as a key of the type. */
  public static Lines.Test test(ForeignFilter filter, Format.KeyType type) {
    return (buffer, from, length) ->
        switch (type) {
          case UTF8, BYTES -> filter.mightContain(Arrays.copyOfRange(buffer, from, from + length));
          case UTF16 ->
              filter.mightContain(new String(buffer, from, length, StandardCharsets.UTF_8), type);
          case LONG, INT -> filter.mightContain(number(buffer, from, length, type), type);
        };
  }

  private static long number(byte[] buffer, int from, int length, Format.KeyType type) {
    try {
      return Lines.parseLong(buffer, from, from + length);
    } catch (NumberFormatException e) {
      String text = new String(buffer, from, Math.min(length, 200), StandardCharsets.UTF_8);
      throw new IllegalArgumentException(Prose.quote(text) + " is not a decimal " + type.word(), e);
    }
  }

  private static String words(List<Format.KeyType> types) {
    return Messages.list(types.stream().map(Format.KeyType::word).toList(), "or");
  }

  /** Formats by their word. */
  static final class FormatWord extends Numbers.Word<Format> {
    FormatWord() {
      super("a format of another library", Format.values(), Format::word);
    }
  }

  /** Key types by their word. */
  static final class KeyTypeWord extends Numbers.Word<Format.KeyType> {
    KeyTypeWord() {
      super("a type of keys", Format.KeyType.values(), Format.KeyType::word);
    }
  }
}
