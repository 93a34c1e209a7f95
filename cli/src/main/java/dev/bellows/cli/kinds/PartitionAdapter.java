package dev.bellows.cli.kinds;

import dev.bellows.Filter;
import dev.bellows.Layout;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.keys.CodedKeys;
import dev.bellows.cli.keys.KeyCode;
import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterKind;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Kind partition: keys are ids of a universe. */
public final class PartitionAdapter extends KindAdapter<DynamicPartitionBloomFilter> {
  PartitionAdapter(DynamicPartitionBloomFilter filter) {
    super(filter, FROM_FILL, true);
  }

  public static Built build(BuildRequest request, Options own) throws IOException {
    Size size = request.size();
    request.refuse(size.keys() != null, "--keys", "it takes any number of them");
    request.refuse(size.bits() != null, "--bits", "units follow from --depth and --fpp");
    request.refuse(size.pattern() != null, "--pattern", "it is classic");
    request.refuse(size.capacity() != null, "--capacity", "it grows");
    request.requireLayout(Layout.Family.CLASSIC);
    DynamicPartitionBloomFilter.Builder builder =
        DynamicPartitionBloomFilter.builder()
            .universe(own.requiredUniverse())
            .fpp(size.fppOrDefault())
            .hashScheme(request.scheme());
    Optional.ofNullable(own.depth).ifPresent(builder::depth);
    Optional.ofNullable(size.hashes()).ifPresent(builder::hashes);
    Optional.ofNullable(own.mode).ifPresent(builder::mode);
    DynamicPartitionBloomFilter filter = builder.build();
    long lines = new PartitionAdapter(filter).put(request.keys(), null).lines();
    if (!request.keys().isLongs()) {
      requireIdsApart(filter, size.fppOrDefault());
    }
    // texts may share an id
    boolean isCounted = filter.mode() == Mode.EXACT_LEAVES && request.keys().isLongs();
    return Built.of(
        own.output(filter),
        lines,
        filter.approximateElementCount(),
        isCounted ? Built.Known.COUNTED : Built.Known.NEW_ONES);
  }

  /** Refuses a rate that the ids of this many texts do not have, whatever the size of the units. */
  private static void requireIdsApart(DynamicPartitionBloomFilter filter, double fpp) {
    double keys = filter.approximateElementCount();
    long universe = filter.plan().universe();
    if (fpp <= keys / universe) {
      throw new CommandFailure(
          "fpp %s cannot be reached: a text becomes one of %s ids, and %s of them "
              + "alone give %.2g; use a higher fpp or a larger --universe",
          fpp, Prose.count(universe), Prose.count(Math.round(keys)), keys / universe);
    }
  }

  @Override
  public CodedKeys keys(boolean longs) {
    return longs
        ? new CodedKeys(
            new IdCode(),
            CodedKeys.Query.each(IdCode.overIds(filter::mightContainId)),
            CodedKeys.Change.each(IdCode.overIds(filter::putId)),
            CodedKeys.Change.each(IdCode.overIds(filter::removeId)))
        : new CodedKeys(
            KeyCode.hashes(filter.hashScheme()),
            CodedKeys.Query.each(filter::mightContainHash),
            CodedKeys.Change.each(filter::putHash),
            CodedKeys.Change.each(filter::removeHash));
  }

  @Override
  @Nullable String refusal(Ability ability, String name) {
    return ability == Ability.REMOVE && filter.mode() != Mode.EXACT_LEAVES
        ? "a filter of mode %s cannot remove keys: build it with --mode %s"
            .formatted(filter.mode().word(), Mode.EXACT_LEAVES.word())
        : null;
  }

  /** Exact leaves know every id. */
  @Override
  public double removalFpp() {
    return 0;
  }

  /** A full filter and a view merge as views. */
  @Override
  public KindAdapter<?> toMergeWith(FilterKind other) {
    return switch (other) {
      case PARTITION_VIEW, PARTITION_COMPACT -> new PartitionViewAdapter(filter.view());
      default -> this;
    };
  }

  /** Units that were OR-ed count keys of both sides twice. */
  @Override
  public boolean keysAreBound() {
    return filter.mode() == Mode.PUBLISHED;
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    PartitionViewAdapter.addPlan(fields, filter.plan(), filter.approximateElementCount());
    fields.put("mode", filter.mode().word());
    fields.put("populatedUnits", filter.populatedUnits());
    fields.put("innerNodes", filter.innerNodes());
    PartitionViewAdapter.addTree(fields, filter.view());
  }

  /** What {@code build --kind partition} adds. */
  public static final class Options {
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

    /** Returns the part of a filled filter that is written. */
    Filter output(DynamicPartitionBloomFilter filter) {
      if (merges == null) {
        return view ? filter.view() : filter;
      }
      if (!view) {
        throw new CommandFailure("--merges %d needs --view: full filters merge anyway", merges);
      }
      if (merges < 1) {
        throw new CommandFailure("--merges %d is not positive: give the number of unions", merges);
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
}
