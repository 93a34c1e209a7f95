package dev.bellows.cli.verbs;

import dev.bellows.Durable;
import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.FoldableFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Output;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.kinds.DurableFolders;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.RateLimit;
import dev.bellows.cli.kinds.ReceivedPart;
import dev.bellows.durable.Delta;
import dev.bellows.durable.DurableFilter;
import dev.bellows.durable.Replica.Outcome;
import dev.bellows.durable.Sync;
import dev.bellows.frozen.FrozenPart;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.growth.FingerprintFilter.PrefixStream;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.layout.RateRule;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows receive}: collects the parts that ship wrote. */
@Command(
    name = "receive",
    description = {
      "Adds parts written by ship to the filter in STORE, which is created with the first part.",
      "A fingerprint filter is one part, which may be truncated: STORE becomes the filter of the"
          + " complete planes that arrived.",
      "Parts of a frozen filter are columns, to be received in their order: STORE can be queried"
          + " after the first one, and each column halves its rate.",
      "If STORE is a folder, or new and the first part is a delta, it becomes a replica: it applies"
          + " what follow wrote, whether deltas come late, twice or not at all, and is durable"
          + " itself.",
      "query tests all parts: a key passes only if it passes every part. All parts must come from"
          + " the same filter and the same content. Parts carry the version of their content, so"
          + " that a part of other content is refused with the word newer or older: give --restart"
          + " to start over with a newer one, or --newest, which does so automatically and leaves older"
          + " parts out."
    },
    footer = {
      "  bellows receive users.parts part1 part2",
      "  bellows receive --restart users.parts part3",
      "  bellows receive --newest users.parts part1 part4 part3",
      "  bellows receive leaked.store leaked.part1",
      "  head -c 90000 keys.part | bellows receive keys.fingerprint -",
      "  bellows receive replica/ monday.delta tuesday.delta",
      "  bellows query users.parts alice bob"
    })
public final class Receive extends Verb {
  @Parameters(
      index = "0",
      paramLabel = "STORE",
      description = "The parts that arrived; created if missing.")
  String store;

  @Parameters(
      index = "1..*",
      arity = "1..*",
      paramLabel = "PART",
      description = "What ship wrote; one of them may be - for standard input.")
  List<String> parts = List.of();

  @Option(
      names = "--restart",
      description = "Forget the parts in STORE and begin again with the given ones.")
  boolean restart;

  @Option(
      names = "--newest",
      description =
          "Keep the newest content: a newer part replaces older ones, and older parts are left"
              + " out.")
  boolean newest;

  /** Parts that were left out because they are older. */
  private int older;

  @Override
  public Integer call() throws IOException {
    check();
    if (DurableFolders.isFolder(store)) {
      return receiveDeltas(FilterFiles.read(console(), parts.get(0), null));
    }
    NamedFiles.requireOneName(store);
    ReceivedPart first = ReceivedPart.read(console(), parts.get(0));
    if (first.filter() instanceof Delta && !Files.exists(Path.of(store))) {
      return receiveDeltas(first.filter());
    }
    try (Output target = Output.open(console(), store)) {
      if (first.prefixes() != null) {
        receive(first.prefixes(), target);
        return OK;
      }
      if (first.filter() instanceof FrozenPart part) {
        receive(part, target);
        return OK;
      }
      FoldedFilters part = part(first.filter(), parts.get(0));
      FoldedFilters before =
          read(
              FoldedFilters.class,
              " and not a store of parts: name another file, which will be created");
      FoldedFilters now = add(restart ? null : before, part, parts.get(0));
      for (String file : parts.subList(1, parts.size())) {
        now = add(now, FilterFiles.read(console(), file, null), file);
      }
      target.write(now::writeTo);
      boolean anew = restart || before == null || before.state() != now.state();
      report(anew ? 0 : before.sizes().size(), now);
    }
    return OK;
  }

  /** Applies deltas to the folder of a replica, in the order of their versions. */
  private Integer receiveDeltas(Filter first) throws IOException {
    if (restart || newest) {
      throw misuse(
          "--restart and --newest are for parts that ship wrote: name another folder for a new replica");
    }
    List<Delta> deltas = new ArrayList<>();
    deltas.add(delta(first, parts.get(0)));
    for (String file : parts.subList(1, parts.size())) {
      deltas.add(delta(FilterFiles.read(console(), file, null), file));
    }
    deltas.sort(Comparator.comparingLong(Delta::to));
    Delta oldest = deltas.get(0);
    // the settings of a few bytes must not make a filter of any size
    long most = Math.max(ReadOptions.DEFAULT.maxBytes(), oldest.sizeInBytes());
    ReadOptions options =
        DurableFolders.isDurable(store)
            ? ReadOptions.UNLIMITED
            : ReadOptions.DEFAULT.withMaxBytes(most);
    try (DurableFilter<Durable> replica =
        DurableFolders.open(
            DurableFilter.at(Path.of(store)).sync(Sync.NEVER),
            store,
            DurableFolders.empty(oldest.settings(), options))) {
      Map<Outcome, Integer> outcomes = new EnumMap<>(Outcome.class);
      for (Delta delta : deltas) {
        outcomes.merge(replica.apply(delta), 1, Integer::sum);
      }
      int missing =
          outcomes.getOrDefault(Outcome.MISSING, 0) + outcomes.getOrDefault(Outcome.AHEAD, 0);
      report(replica, outcomes, missing);
      if (missing > 0) {
        say(
            "changes from version %d on are missing: bellows follow DIR "
                + "--since %d -o DELTA writes them",
            replica.sourceVersion(), replica.sourceVersion());
        return NOTHING;
      }
      return OK;
    } catch (IllegalArgumentException | IllegalStateException e) {
      throw new CommandFailure(store + ": " + e.getMessage(), e);
    }
  }

  private Delta delta(Filter filter, String file) {
    String why = ", and the folder " + store + " receives deltas: give what follow wrote";
    return FilterFiles.require(Delta.class, filter, file, why);
  }

  private void report(DurableFilter<Durable> replica, Map<Outcome, Integer> outcomes, int missing)
      throws IOException {
    FilterStats stats = replica.stats();
    Report report =
        new Report()
            .field("file", store)
            .field("foldings", null)
            .both("applied", outcomes.getOrDefault(Outcome.APPLIED, 0), "deltas")
            .both("known", "known before", outcomes.getOrDefault(Outcome.KNOWN, 0), "deltas")
            .both("missing", "behind a gap", missing, "deltas")
            .both("sourceVersion", "follows up to", replica.sourceVersion(), "of the source");
    report(DurableFolders.addTo(report, store, replica), stats, "");
  }

  private void check() throws IOException {
    if (store.equals("-")) {
      throw misuse("the store is updated in place: name its file");
    }
    if (Collections.frequency(parts, "-") > 1) {
      throw misuse("standard input (-) can be only one of the parts");
    }
    if (!DurableFolders.isFolder(store)) {
      requireOutput(store, parts);
    }
  }

  /** Returns whether the store is restarted and cannot be read: a damaged one, or an empty file. */
  private boolean isLost() throws IOException {
    if (!restart) {
      return false;
    }
    if (Files.size(Path.of(store)) == 0) {
      return true;
    }
    try {
      FilterFiles.read(console(), store, null);
      return false;
    } catch (CommandFailure e) {
      // a file that is not a filter is not overwritten
      return e.getCause() instanceof FilterFormatException damage && FilterFiles.isOurs(damage);
    }
  }

  /** Returns what the store holds; null if there is none, or it is lost. */
  private <T> @Nullable T read(Class<T> type, String why) throws IOException {
    return Files.exists(Path.of(store)) && !isLost()
        ? FilterFiles.require(type, FilterFiles.read(console(), store, null), store, why)
        : null;
  }

  /** Columns follow those in the store. */
  private void receive(FrozenPart first, Output target) throws IOException {
    String other = " and not a store of columns: name another file, which will be created";
    FrozenPart before = read(FrozenPart.class, other);
    FrozenPart now = restart ? null : before;
    for (String file : parts) {
      Filter filter = file.equals(parts.get(0)) ? first : FilterFiles.read(console(), file, null);
      String why = " and not a part of a frozen filter: give what ship wrote";
      FrozenPart next = FilterFiles.require(FrozenPart.class, filter, file, why);
      now = add(now, next, NamedFiles.name(file));
    }
    FrozenPart all = Objects.requireNonNull(now);
    target.write(all::writeTo);
    report(
        new Report()
            .file(store, all.sizeInBytes())
            .field("foldings", null)
            .field("columns", all.toColumns())
            .field("isWhole", all.isLast())
            .add(
                "columns",
                Prose.format("%.4g", all.toColumns()),
                all.isLast() ? "all that there are" : "each further one halves the rate"),
        all.stats(),
        "with all columns that arrived");
  }

  private FrozenPart add(@Nullable FrozenPart kept, FrozenPart next, String file) {
    if (kept == null) {
      if (!next.isFirst()) {
        throw new CommandFailure(
            "%s begins with column %.4g: a store begins with the first part",
            file, next.fromColumns());
      }
      return next;
    }
    try {
      return kept.with(next);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          "%s: %s%s"
              .formatted(
                  file,
                  e.getMessage(),
                  kept.sourceState() == next.sourceState()
                      ? ""
                      : " (give --restart to forget the parts in " + store + ")"),
          e);
    }
  }

  /** Prefixes that end early are still a complete filter, with fewer bits of each key. */
  private void receive(PrefixStream arrived, Output target) throws IOException {
    String file = NamedFiles.name(parts.get(0));
    if (parts.size() > 1) {
      throw new CommandFailure(
          "%s is of kind fingerprint, which is received in one part: give it alone", file);
    }
    if (!restart && Files.exists(Path.of(store))) {
      throw new CommandFailure(
          "%s is there, and the fingerprint filter in %s would replace it: give "
              + "--restart, or name another store",
          store, file);
    }
    // a restart replaces a filter of prefixes, never another file
    read(
        FingerprintFilter.class,
        " and not a fingerprint filter: name another file, which will be created");
    target.write(arrived.filter()::writeTo);
    report(
        new Report()
            .file(store, arrived.filter().sizeInBytes())
            .field("foldings", null)
            .field("planes", arrived.planes())
            .field("allPlanes", arrived.allPlanes())
            .add(
                "planes",
                Prose.format("%,d of %,d", arrived.planes(), arrived.allPlanes()),
                arrived.isWhole() ? "all that was sent" : "each further one halves the rate"),
        arrived.filter().stats(),
        "");
  }

  private FoldedFilters add(@Nullable FoldedFilters kept, Filter filter, String file) {
    FoldedFilters part = part(filter, file);
    boolean isOther = newest && kept != null && kept.state() != part.state();
    if (isOther && part.isNewerThan(kept)) {
      say("%s is newer than the parts before it, which are forgotten", NamedFiles.name(file));
      return part;
    }
    if (isOther && kept.isNewerThan(part)) {
      say("%s is older and left out", NamedFiles.name(file));
      older++;
      return kept;
    }
    try {
      return kept == null ? part : kept.with(part);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          NamedFiles.name(file) + ": " + e.getMessage() + wayOut(kept, part), e);
    }
  }

  private FoldedFilters part(Filter filter, String file) {
    if (filter instanceof FoldedFilters part) {
      return part;
    }
    if (filter instanceof Delta) {
      throw new CommandFailure(
          "%s is a delta, which is applied to a folder, and %s is a file: name a folder as the store",
          NamedFiles.name(file), store);
    }
    FoldableFilter<?> foldable =
        FilterFiles.require(
            FoldableFilter.class, filter, file, " and not a part: give what ship wrote");
    try {
      return FoldedFilters.of(foldable.toBloomFilter());
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(NamedFiles.name(file) + ": " + e.getMessage(), e);
    }
  }

  /** What to do about parts of two filters or of two states, by their order if they have one. */
  private String wayOut(@Nullable FoldedFilters kept, FoldedFilters part) {
    if (kept == null || (part.filterId() == kept.filterId() && part.state() == kept.state())) {
      return "";
    }
    String begin = "give --restart to forget the parts in " + store;
    if (part.filterId() != kept.filterId()) {
      return restart
          ? " (give only parts of one filter)"
          : " (" + begin + ", or name another store)";
    }
    if (part.isNewerThan(kept)) {
      return restart
          ? " (give only parts of one state, or --newest)"
          : " (" + begin + ", or --newest)";
    }
    if (kept.isNewerThan(part)) {
      return " (leave it out, or give --newest)";
    }
    if (restart) {
      return " (give only parts of one state)";
    }
    return part.version().isPresent() && kept.version().isPresent()
        ? " (no key came or went between them, so both answer alike: leave it out, or "
            + begin
            + ")"
        : " (a part of a plain filter does not say which state is newer: if this one is, "
            + begin
            + "; if it is older, leave it out)";
  }

  private void report(int before, FoldedFilters now) throws IOException {
    int foldings = now.sizes().size();
    report(
        new Report()
            .file(store, now.sizeInBytes())
            .both("foldings", foldings, Prose.count(foldings - before) + " new")
            .field("new", foldings - before)
            .field("version", now.version().isPresent() ? now.version().getAsLong() : null)
            .field("older", older)
            .field("sizes", now.sizes())
            .add(
                "bits",
                now.sizes().stream().map(Prose::count).collect(Collectors.joining(" ")),
                now.informativeSizes().size() < foldings
                    ? "a size that divides another adds nothing"
                    : ""),
        now.stats(),
        "all foldings together");
  }

  /** Reports the content of the store, after the parts that arrived. */
  private void report(Report report, FilterStats stats, String rateRemark) throws IOException {
    RateLimit.warnOnly(
        console(),
        new RateLimit.Case(
            NamedFiles.name(store),
            stats.expectedFpp(),
            null,
            RateRule.target(stats),
            () -> "receive more parts (ship)"));
    report(report.keys(stats).both("jointFpp", "false positives", stats.expectedFpp(), rateRemark));
  }
}
