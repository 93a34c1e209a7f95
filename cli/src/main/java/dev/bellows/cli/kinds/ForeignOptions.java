package dev.bellows.cli.kinds;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.Groups;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.keys.ForeignKeys;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.foreign.ForeignFilter;
import dev.bellows.foreign.ForeignFormat;
import dev.bellows.foreign.ForeignKeyType;
import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadOptions;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import picocli.CommandLine.TypeConversionException;

/** Whose filter a file holds, if it is not ours, and what its keys are. */
public final class ForeignOptions {
  @Spec(Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  CommandSpec spec;

  @ArgGroup(validate = false, heading = "%nFilters of other libraries:%n", order = Groups.FOREIGN)
  private Group group = new Group();

  /** The options. */
  static final class Group {
    @Option(
        names = "--format",
        paramLabel = "FORMAT",
        converter = FormatWord.class,
        completionCandidates = FormatWord.Words.class,
        description = "FILE is a filter of another library: ${COMPLETION-CANDIDATES}.")
    @Nullable ForeignFormat format;

    @Option(
        names = "--key-type",
        paramLabel = "TYPE",
        converter = KeyTypeWord.class,
        completionCandidates = KeyTypeWord.Words.class,
        description =
            "What its keys were, which no such file says: ${COMPLETION-CANDIDATES}; bytes are those"
                + " of the line.")
    @Nullable ForeignKeyType keyType;
  }

  /** The foreign filter, or null if the file is to be one of ours. */
  public @Nullable ForeignFilter read(Console console, String file) throws IOException {
    if (group.format == null) {
      if (group.keyType != null) {
        throw misuse("--key-type is only valid for filters of other libraries: it needs --format");
      }
      return null;
    }
    requireKeyType();
    try {
      if (file.equals("-")) {
        return ForeignFilter.readFrom(
            new BufferedInputStream(console.in()), group.format, ReadOptions.UNLIMITED);
      }
      Path path = Path.of(file);
      if (Files.isDirectory(path)) {
        throw new CommandFailure(file + " is a directory, not a filter");
      }
      return group.format != ForeignFormat.HADOOP && Files.isRegularFile(path)
          ? ForeignFilter.map(path, group.format)
          : ForeignFilter.readFrom(path, group.format, ReadOptions.UNLIMITED);
    } catch (FilterFormatException e) {
      throw new CommandFailure(
          "%s, read as %s: %s"
              .formatted(NamedFiles.name(file), group.format.library(), e.getMessage()),
          e);
    }
  }

  /** Refuses options that are only for our own files. */
  public void refuseOurs(SchemeOptions schemeOptions) {
    if (group.format != null && schemeOptions.keyFile != null) {
      throw misuse(
          "--key-file is only valid for Bellows filters: those of other libraries have no secret key");
    }
  }

  /** Refuses thresholds, which those of other libraries do not have. */
  public void refuseOurs(RetuneOptions retune) {
    if (group.format != null && retune.given() != null) {
      throw misuse(
          retune.given() + " is only valid with a filter of kind autoscale, not with --format");
    }
  }

  /** How lines become keys of the filter, which the caller must have said. */
  public ForeignKeys keys(ForeignFilter filter, KeyOptions keyOptions) {
    if (keyOptions.isLongs() && group.keyType != null && group.keyType != ForeignKeyType.LONG) {
      throw misuse("--longs and --key-type " + group.keyType.word() + " exclude each other");
    }
    ForeignKeyType type = keyOptions.isLongs() ? ForeignKeyType.LONG : group.keyType;
    if (type == null) {
      throw misuse(
          "a filter of %s does not say what its keys are: add --key-type %s"
              .formatted(filter.format().library(), words(filter.format().keyTypes())));
    }
    return new ForeignKeys(filter, type);
  }

  private void requireKeyType() {
    if (group.format != null
        && group.keyType != null
        && !group.format.keyTypes().contains(group.keyType)) {
      throw misuse(
          "%s has no keys of type %s: take %s"
              .formatted(
                  group.format.library(), group.keyType.word(), words(group.format.keyTypes())));
    }
  }

  private static String words(List<ForeignKeyType> types) {
    return dev.bellows.cli.console.Words.list(
        types.stream().map(ForeignKeyType::word).toList(), "or");
  }

  private ParameterException misuse(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /** Formats by their word. */
  static final class FormatWord implements ITypeConverter<ForeignFormat> {
    @Override
    public ForeignFormat convert(String text) {
      return Arrays.stream(ForeignFormat.values())
          .filter(format -> format.word().equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      Prose.quote(text)
                          + " is not a format of another library; known are "
                          + String.join(", ", new Words())));
    }

    /** The words, for completion. */
    static final class Words extends ArrayList<String> {
      private static final long serialVersionUID = 1L;

      Words() {
        super(Arrays.stream(ForeignFormat.values()).map(ForeignFormat::word).toList());
      }
    }
  }

  /** Key types by their word. */
  static final class KeyTypeWord implements ITypeConverter<ForeignKeyType> {
    @Override
    public ForeignKeyType convert(String text) {
      return Arrays.stream(ForeignKeyType.values())
          .filter(type -> type.word().equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      Prose.quote(text)
                          + " is not a type of keys; known are "
                          + String.join(", ", new Words())));
    }

    /** The words, for completion. */
    static final class Words extends ArrayList<String> {
      private static final long serialVersionUID = 1L;

      Words() {
        super(Arrays.stream(ForeignKeyType.values()).map(ForeignKeyType::word).toList());
      }
    }
  }
}
