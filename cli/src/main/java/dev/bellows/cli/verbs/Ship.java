package dev.bellows.cli.verbs;

import dev.bellows.BloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldedFilters;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.WritingVerb;
import dev.bellows.cli.kinds.DurableFolders;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.PrefixCut;
import dev.bellows.cli.kinds.RateLimit;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.frozen.FrozenPart;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.AtomicFile;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows ship}: the next part of an elastic filter for a receiver of the parts before. */
@Command(
    name = "ship",
    description = {
      "Writes the next folding to send of the elastic filter in FILE, or the next columns of the"
          + " frozen one, and remembers in it what was sent.",
      "For a fingerprint filter, it writes the filter with its prefixes cut to a rate or a size,"
          + " most significant bits first, so that a receiver can use what has arrived. Nothing is"
          + " remembered.",
      "Each part of an elastic filter is chosen for a receiver that has all parts of the same"
          + " content and queries them together (see receive). When keys are added or removed, a"
          + " new sequence of parts begins. Without --budget and --to-fpp, the part is the view"
          + " that answers queries here, the whole fingerprint filter, or all remaining columns."
    },
    footer = {
      "  bellows build --kind elastic --keys 100k --fpp 1%% --id 7 -o users.elastic \\",
      "    users.txt",
      "  bellows ship users.elastic --budget 8KiB -o part1",
      "  bellows ship users.elastic --to-fpp 0.1%% -o part2",
      "  bellows ship old.elastic --id 8 -o part1",
      "  bellows ship leaked.frozen --to-fpp 5%% -o leaked.part1",
      "  bellows ship keys.fingerprint --to-fpp 1%% -o keys.part"
    })
public final class Ship extends WritingVerb {
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The elastic, frozen or fingerprint filter.")
  String file;

  @Option(
      names = "--id",
      paramLabel = "N",
      converter = Numbers.Id.class,
      description =
          "The id of an elastic filter that was built without one, remembered in FILE; not 0.")
  @Nullable Long id;

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  Amount amount = new Amount();

  /** How much to send; at most one of them. */
  static final class Amount {
    @Option(
        names = "--budget",
        paramLabel = "BYTES",
        converter = Numbers.Size.class,
        description =
            "The most informative part in a file of at most this many bytes, e.g. 600, 8KiB.")
    @Nullable Long budget;

    @Option(
        names = "--to-fpp",
        paramLabel = "P",
        description =
            "The smallest part after which a receiver of all parts has at most this rate.")
    @Nullable Double fpp;
  }

  @Override
  public Integer call() throws IOException {
    if (file.equals("-")) {
      throw misuse("the filter remembers what was sent: name its file");
    }
    requireOutput(output, List.of(file));
    if (DurableFolders.isDurable(file)) {
      throw new CommandFailure(
          "%s is the folder of a durable filter: bellows follow %s -o DELTA writes what to send"
              .formatted(file, file));
    }
    try (AtomicFile target = NamedFiles.lock(console(), file)) {
      ship(target);
    }
    return OK;
  }

  private void ship(AtomicFile target) throws IOException {
    Filter filter = FilterFiles.read(console(), file, null);
    if (id != null) {
      String why = ", whose parts carry no id: leave out --id";
      FilterFiles.require(ElasticBloomFilter.class, filter, file, why);
    }
    if (filter instanceof FingerprintFilter prefixes) {
      ship(prefixes);
      return;
    }
    if (filter instanceof FrozenFilter frozen) {
      ship(frozen, target);
      return;
    }
    ElasticBloomFilter elastic =
        FilterFiles.require(
            ElasticBloomFilter.class,
            filter,
            file,
            ", which is not sent in parts: build it with --kind elastic and --id, or with --kind"
                + " fingerprint or frozen");
    NamedFiles.requireOneName(file);
    ElasticBloomFilter named = named(elastic);
    BloomFilter folding = part(named);
    FoldedFilters part = FoldedFilters.of(folding, named.version());
    // in this order: if the second write fails, the part is sent again, which does no harm
    NamedFiles.write(console(), output, part::writeTo);
    target.replace(named::writeTo);
    warn(named.sentFpp(), Objects.requireNonNull(named.stats().targetFpp()));
    named
        .finerCapacity()
        .ifPresent(
            bits ->
                say(
                    "policy entropy has no choice: one size of %s is in its band, so its parts"
                        + " are those that --budget plans; --capacity %d has several",
                    file, bits));
    report(named, folding, part);
  }

  /** Returns the filter with the id that was given, or with its own. */
  private ElasticBloomFilter named(ElasticBloomFilter filter) {
    if (id == null && filter.filterId() == 0) {
      throw new CommandFailure(
          file
              + " has no id, so a receiver could not tell which filter a part comes from:"
              + " give it one with --id N");
    }
    if (id == null || id == filter.filterId()) {
      return filter;
    }
    if (filter.filterId() != 0) {
      throw new CommandFailure(
          "%s has the id %d, which parts that were sent carry: leave out --id %d",
          file, filter.filterId(), id);
    }
    return filter.withId(id);
  }

  private void ship(FingerprintFilter filter) throws IOException {
    FingerprintFilter part = PrefixCut.to(filter, amount.fpp, amount.budget);
    NamedFiles.write(console(), output, part::writeTo);
    warn(part.expectedFpp(), filter.plan().fpp());
    String cheaper = amount.fpp == null ? null : PrefixCut.cheaper(part);
    if (cheaper != null) {
      note(cheaper);
    }
    reportWritten(
        PrefixCut.report(output, part, filter)
            .field("jointFpp", part.expectedFpp())
            .field("sent", null));
  }

  /** A part may be poor while all parts together are good, so that none is refused. */
  private void warn(double jointFpp, double target) {
    RateLimit.warnOnly(
        console(),
        new RateLimit.Case(
            "a receiver of all parts so far",
            jointFpp,
            amount.fpp,
            target,
            () ->
                "send more (--to-fpp %s names the smallest part that suffices)".formatted(target)));
  }

  /** The columns that follow those sent before. */
  private void ship(FrozenFilter filter, AtomicFile target) throws IOException {
    NamedFiles.requireOneName(file);
    double from = filter.sentFpp();
    if (from <= filter.expectedFpp()) {
      throw new CommandFailure(
          "nothing new is left to send: all columns of " + file + " were sent");
    }
    double to = nextFpp(filter, from);
    FrozenPart part = filter.part(from, to);
    NamedFiles.write(console(), output, part::writeTo);
    FrozenFilter after = filter.withSentFpp(to);
    target.replace(after::writeTo);
    // without keys there are no columns to send, and no false positives
    double joint = filter.isEmpty() ? 0 : after.sentFpp();
    warn(joint, filter.expectedFpp());
    reportWritten(
        new Report()
            .file(output, part.sizeInBytes())
            .both("bits", part.stats().bits())
            .field("factor", null)
            .add(
                "columns",
                Prose.format("%.4g to %.4g", part.fromColumns(), part.toColumns()),
                Prose.format("of %.4g", filter.columns()))
            .field("columns", part.toColumns())
            .field("expectedFpp", joint)
            .both("jointFpp", "with all parts", joint, "at a receiver that has them")
            .field("sent", part.toColumns()));
  }

  private double nextFpp(FrozenFilter filter, double from) {
    if (amount.fpp != null) {
      if (from <= amount.fpp) {
        throw new CommandFailure(
            "nothing needs to be sent: a receiver of the parts before has fpp %s, "
                + "at most --to-fpp %s",
            Prose.fpp(from), amount.fpp);
      }
      if (amount.fpp < filter.expectedFpp()) {
        throw new CommandFailure(
            "no part takes a receiver to fpp %s: the whole filter has %s; give "
                + "--to-fpp %s or more",
            amount.fpp, Prose.fpp(filter.expectedFpp()), Prose.fpp(filter.expectedFpp()));
      }
      return amount.fpp;
    }
    if (amount.budget == null) {
      return filter.expectedFpp();
    }
    double to = filter.fppWithin(from, amount.budget);
    if (to >= from) {
      throw new CommandFailure(
          "no column fits into %d bytes: the whole rest takes --budget %d",
          amount.budget, filter.part(from, filter.expectedFpp()).sizeInBytes());
    }
    return to;
  }

  private BloomFilter part(ElasticBloomFilter filter) {
    if (amount.budget != null) {
      return next(filter, amount.budget);
    }
    return amount.fpp != null ? toFpp(filter, amount.fpp) : view(filter);
  }

  /** Returns the most informative part in a file of at most this many bytes. */
  private static BloomFilter next(ElasticBloomFilter filter, long budget) {
    long header = filter.partHeaderBytes();
    OptionalLong least = filter.smallestBudget();
    if (least.isEmpty()) {
      throw new CommandFailure(
          "nothing new is left to send: the whole filter was sent, and its content has not"
              + " changed");
    }
    if (budget < least.getAsLong() + header) {
      throw new CommandFailure(
          "no folding of at most %d bytes tells a receiver of %s anything new: "
              + "the smallest that does needs --budget %d",
          budget, sizes(filter.sentSizes()), least.getAsLong() + header);
    }
    return filter.ship(filter.nextTransmission(budget - header).orElseThrow().bits());
  }

  /** Returns the smallest part after which a receiver of all parts has the rate. */
  private static BloomFilter toFpp(ElasticBloomFilter filter, double fpp) {
    String sent = sizes(filter.sentSizes());
    if (filter.sentFpp() <= fpp) {
      throw new CommandFailure(
          "nothing needs to be sent: a receiver of %s has fpp %s, at most --to-fpp %s",
          sent, Prose.fpp(filter.sentFpp()), fpp);
    }
    return filter
        .transmissionToFpp(fpp)
        .map(next -> filter.ship(next.bits()))
        .orElseThrow(
            () ->
                new CommandFailure(
                    "no folding takes a receiver of %s to fpp %s: the whole "
                        + "filter has too many keys for it; give a higher --to-fpp",
                    sent, fpp));
  }

  /** Returns the view as it is, or under the policy entropy another size of its band. */
  private static BloomFilter view(ElasticBloomFilter filter) {
    List<Long> before = filter.sentSizes();
    BloomFilter part = filter.snapshot();
    if (before.stream().anyMatch(size -> size % part.bits() == 0)) {
      throw new CommandFailure(
          "a receiver of %s learns nothing from the view of %d bits: give "
              + "--budget or --to-fpp",
          sizes(before), part.bits());
    }
    return part;
  }

  private static String sizes(List<Long> sizes) {
    return sizes.isEmpty()
        ? "no parts"
        : sizes.stream().map(Prose::count).collect(Collectors.joining(" and ")) + " bits";
  }

  private void report(ElasticBloomFilter filter, BloomFilter part, FoldedFilters written)
      throws IOException {
    long factor = filter.capacity() / part.bits();
    reportWritten(
        new Report()
            .file(output, written.sizeInBytes())
            .both("bits", part.bits(), Prose.format("folded by %,d", factor))
            .field("factor", factor)
            .fpp(part.expectedFpp(), "of this part alone")
            .both("jointFpp", "with all parts", filter.sentFpp(), "at a receiver that has them")
            .field("sent", filter.sentSizes())
            .add(
                "sent",
                filter.sentSizes().stream().map(Prose::count).collect(Collectors.joining(" ")),
                "bits, since the content changed")
            .field("filterId", filter.filterId())
            .both("version", filter.version(), "of the content: keys that came or went"));
  }
}
