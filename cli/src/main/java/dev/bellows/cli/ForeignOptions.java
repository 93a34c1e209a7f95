package dev.bellows.cli;

import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadLimits;
import dev.bellows.io.foreign.ForeignFilter;
import dev.bellows.io.foreign.ForeignFormat;
import dev.bellows.io.foreign.ForeignKeyType;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;
import picocli.CommandLine.TypeConversionException;

/** Whose filter a file holds, if it is not ours, and what its keys are. */
final class ForeignOptions {
  @Spec(Target.MIXEE)
  @SuppressWarnings("NullAway.Init")
  CommandSpec spec;

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

  /** The foreign filter, or null if the file is to be one of ours. */
  @Nullable ForeignFilter read(Console console, String file) throws IOException {
    if (format == null) {
      if (keyType != null) {
        throw misuse("--key-type speaks of filters of other libraries: it needs --format");
      }
      return null;
    }
    requireKeyType();
    try {
      if (file.equals("-")) {
        return ForeignFilter.readFrom(
            new BufferedInputStream(console.in()), format, ReadLimits.NONE);
      }
      if (Files.isDirectory(Path.of(file))) {
        throw new CommandFailure(file + " is a directory, not a filter");
      }
      return ForeignFilter.readFrom(Path.of(file), format);
    } catch (FilterFormatException e) {
      throw new CommandFailure(
          "%s, read as %s: %s".formatted(FilterFiles.name(file), format.library(), e.getMessage()),
          e);
    }
  }

  /** Refuses options that speak of our own files. */
  void refuseOurs(SchemeOptions schemeOptions) {
    if (format != null && schemeOptions.keyFile != null) {
      throw misuse("--key-file opens Bellows filters: those of other libraries have no secret key");
    }
  }

  /** How lines become keys of the filter, which the caller must have said. */
  ForeignKeys keys(ForeignFilter filter, KeyOptions keyOptions) {
    if (keyOptions.longs && keyType != null && keyType != ForeignKeyType.LONG) {
      throw misuse("--longs and --key-type " + keyType.word() + " exclude each other");
    }
    ForeignKeyType type = keyOptions.longs ? ForeignKeyType.LONG : keyType;
    if (type == null) {
      throw misuse(
          "a filter of %s does not say what its keys are: add --key-type %s"
              .formatted(filter.format().library(), words(filter.format().keyTypes(), " or ")));
    }
    return new ForeignKeys(filter, type);
  }

  private void requireKeyType() {
    if (format != null && keyType != null && !format.keyTypes().contains(keyType)) {
      throw misuse(
          "%s has no keys of type %s: take %s"
              .formatted(format.library(), keyType.word(), words(format.keyTypes(), " or ")));
    }
  }

  private static String words(List<ForeignKeyType> types, String last) {
    String all = types.stream().map(ForeignKeyType::word).collect(Collectors.joining(", "));
    int comma = all.lastIndexOf(", ");
    return all.substring(0, comma) + last + all.substring(comma + 2);
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
                      Text.quote(text)
                          + " is no format of another library; known are "
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
                      Text.quote(text)
                          + " is no type of keys; known are "
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
