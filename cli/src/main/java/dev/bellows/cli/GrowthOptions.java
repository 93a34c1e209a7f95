package dev.bellows.cli;

import dev.bellows.PartitionMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What {@code build --kind partition} has to know. */
final class GrowthOptions {
  @Option(
      names = "--universe",
      paramLabel = "U",
      converter = Numbers.Universe.class,
      description = "Kind partition: ids lie in [0, U), as 1G or 2^30, up to 2^63.")
  @Nullable Long universe;

  @Option(
      names = "--depth",
      paramLabel = "D",
      converter = Numbers.SmallCount.class,
      description = "Kind partition: 2^D units (default: units of at most 1024 ids).")
  @Nullable Integer depth;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      converter = ModeWord.class,
      completionCandidates = ModeWord.Words.class,
      description =
          "Kind partition: keep the ids (exact, default) or unit filters (published) beside the"
              + " tree.")
  @Nullable PartitionMode mode;

  @Option(names = "--view", description = "Kind partition: write only the tree that is asked.")
  boolean view;

  /** The first option that was given, or null. */
  @Nullable String given() {
    if (universe != null) {
      return "--universe";
    }
    if (depth != null) {
      return "--depth";
    }
    return mode != null ? "--mode" : view ? "--view" : null;
  }

  /** Modes by their word. */
  static final class ModeWord implements ITypeConverter<PartitionMode> {
    @Override
    public PartitionMode convert(String text) {
      return switch (text) {
        case "exact" -> PartitionMode.EXACT_LEAVES;
        case "published" -> PartitionMode.PUBLISHED;
        default ->
            throw new TypeConversionException(
                Text.quote(text) + " is no mode: take exact or published");
      };
    }

    static String of(PartitionMode mode) {
      return mode == PartitionMode.PUBLISHED ? "published" : "exact";
    }

    /** The words, for completion. */
    static final class Words extends ArrayList<String> {
      private static final long serialVersionUID = 1L;

      Words() {
        super(List.of("exact", "published"));
      }
    }
  }
}
