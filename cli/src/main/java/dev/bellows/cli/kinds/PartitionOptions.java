package dev.bellows.cli.kinds;

import dev.bellows.Filter;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Numbers;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code build --kind partition} adds. */
public final class PartitionOptions {
  @Option(
      names = "--universe",
      paramLabel = "U",
      converter = Numbers.Universe.class,
      description = "Ids are in [0, U), e.g. 1G or 2^30, up to 2^63. Required.")
  @Nullable Long universe;

  @Option(
      names = "--depth",
      paramLabel = "D",
      description = "2^D units (default: units of at most 1024 ids).")
  @Nullable Integer depth;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      converter = ModeWord.class,
      completionCandidates = ModeWord.class,
      description =
          "Keep the ids (exact, default) or unit filters (published) in addition to the tree.")
  @Nullable Mode mode;

  @Option(names = "--view", description = "Write only the tree that answers queries.")
  boolean view;

  @Option(
      names = "--merges",
      paramLabel = "N",
      description =
          "With --view: leave room for N unions. The rates of views add up; these keep --fpp and"
              + " take 1.44 log2(2N + 2) more bits per key.")
  @Nullable Integer merges;

  /** Returns what is written of a filter with its keys in. */
  Filter output(DynamicPartitionBloomFilter filter) {
    if (merges == null) {
      return view ? filter.view() : filter;
    }
    if (!view) {
      throw new CommandFailure(
          "--merges %d needs --view: full filters merge anyway".formatted(merges));
    }
    if (merges < 1) {
      throw new CommandFailure(
          "--merges %d is not positive: give the number of unions".formatted(merges));
    }
    return filter.view(filter.plan().viewFpp(merges));
  }

  long requiredUniverse() {
    if (universe == null) {
      throw new CommandFailure(
          "--kind partition needs --universe: the number of ids, e.g. 2^30 (without --longs, any"
              + " key is mapped to one of them)");
    }
    return universe;
  }

  /** Modes by their word. */
  static final class ModeWord extends Numbers.Word<Mode> {
    ModeWord() {
      super("a mode", Mode.values(), Mode::word);
    }
  }
}
