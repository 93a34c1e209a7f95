package dev.bellows.cli.verbs;

import dev.bellows.Filter;
import dev.bellows.Foldable;
import dev.bellows.Foldable.FoldSize;
import dev.bellows.FoldableFilter;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Output;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.WritingVerb;
import dev.bellows.cli.kinds.Ability;
import dev.bellows.cli.kinds.Adapters;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.FoldTarget;
import dev.bellows.cli.kinds.ForeignOptions;
import dev.bellows.cli.kinds.FrozenAdapter;
import dev.bellows.cli.kinds.PrefixCut;
import dev.bellows.cli.kinds.RateLimit;
import dev.bellows.foreign.ForeignFilter;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.frozen.FrozenPart;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.layout.RateRule;
import dev.bellows.window.WindowFilter;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows fold}: a smaller filter with the same keys. */
@Command(
    name = "fold",
    description = {
      "Folds a filter to a size on its ladder: smaller, with the same keys and a higher rate.",
      "The result is bit for bit the filter that would have been built at that size.",
      "For kind fingerprint, prefixes are cut, to a rate or a file size: each doubling of the rate"
          + " saves one bit per key. For kind frozen, columns are left out, with the same effect,"
          + " and the result is the filter that would have been built for that rate."
    },
    footer = {
      "  bellows fold words.bloom --to-fpp 5%% -o small.bloom",
      "  bellows fold words.bloom --to-size 4KiB -o small.bloom",
      "  bellows fold keys.growing --to-fpp 2%% -o small.growing",
      "  bellows fold leaked.frozen --to-fpp 1%% -o small.frozen",
      "  bellows fold users.guava --format guava --to-fpp 3%% -o small.guava"
    })
public final class Fold extends WritingVerb {
  @Parameters(index = "0", paramLabel = "FILE", description = "The filter; - is standard input.")
  String file;

  @ArgGroup(exclusive = true, multiplicity = "1")
  Target goal;

  @Mixin ForeignOptions foreignOptions = new ForeignOptions();
  @Mixin RateLimit limit = new RateLimit();

  /** The filter, if it is of another library. */
  private @Nullable ForeignFilter foreign;

  /** How small; one of them. */
  static final class Target extends FoldTarget {
    @Option(
        names = "--to-size",
        paramLabel = "BYTES",
        converter = Numbers.Size.class,
        description =
            "To the largest size whose file has at most this many bytes, e.g. 600, 64KiB.")
    @Nullable Long bytes;
  }

  @Override
  public Integer call() throws IOException {
    requireOutput(output, List.of());
    try (Output target = Output.open(console(), output)) {
      foreign = foreignOptions.read(console(), file);
      if (foreign != null) {
        fold(foreign, target);
        return OK;
      }
      Filter filter = FilterFiles.map(console(), file, null);
      if (filter instanceof FingerprintFilter prefixes) {
        cut(prefixes, target);
      } else if (filter instanceof FrozenFilter frozen) {
        dropColumns(frozen, target);
      } else if (filter instanceof FrozenPart part) {
        dropColumns(part.filter(), target);
      } else {
        Ability.FOLD.require(Adapters.of(filter), file);
        fold((Foldable<?>) filter, target);
      }
    }
    return OK;
  }

  private void cut(FingerprintFilter filter, Output target) throws IOException {
    refuseSizes("fingerprint, whose prefixes");
    FingerprintFilter cut = PrefixCut.to(filter, goal.fpp, goal.bytes);
    double fpp = filter.plan().fpp();
    check("the cut filter", cut.expectedFpp(), fpp, () -> "cut less (--to-fpp %s)".formatted(fpp));
    if (cut == filter) {
      note(
          "nothing was cut: the file of %s already has %d bytes",
          NamedFiles.name(file), filter.sizeInBytes());
    }
    target.write(cut::writeTo);
    String cheaper = goal.fpp == null ? null : PrefixCut.cheaper(cut);
    if (cheaper != null) {
      note(cheaper);
    }
    reportWritten(PrefixCut.report(output, cut, filter));
  }

  private void dropColumns(FrozenFilter filter, Output target) throws IOException {
    refuseSizes("frozen, whose columns");
    FrozenFilter folded =
        goal.fpp != null
            ? FrozenAdapter.foldToFpp(filter, goal.fpp)
            : filter.foldToBytes(Objects.requireNonNull(goal.bytes));
    String advice = "keep more columns (--to-fpp %s)".formatted(filter.expectedFpp());
    check("the folded filter", folded.expectedFpp(), null, () -> advice);
    if (folded.columns() == filter.columns()) {
      note("the filter stays as it is: its file already has %d bytes", filter.sizeInBytes());
    }
    target.write(folded::writeTo);
    reportWritten(FrozenAdapter.report(output, folded, filter));
  }

  private void refuseSizes(String kind) {
    if (goal.factor != null || goal.bits != null) {
      throw new CommandFailure(
          "%s is of kind %s have no ladder of sizes: give --to-fpp or --to-size",
          NamedFiles.name(file), kind);
    }
  }

  /** Refuses a useless result, and warns of a poor one. */
  private void check(
      String subject, double rate, @Nullable Double target, Supplier<String> wayOut) {
    limit.check(console(), new RateLimit.Case(subject, rate, goal.fpp, target, wayOut));
  }

  private void fold(Foldable<?> filter, Output target) throws IOException {
    Foldable<?> folded = fold(filter);
    judge(filter, folded);
    target.write(folded::writeTo);
    report(filter, folded);
  }

  /** Refuses a useless folding, warns of a poor one, and says if nothing was folded. */
  private void judge(Foldable<?> filter, Foldable<?> folded) {
    double target =
        filter instanceof FoldableFilter<?> ours
            ? ours.layout().designFpp()
            : filter instanceof WindowFilter window
                ? window.targetFpp()
                : Objects.requireNonNull(foreign).designFpp();
    check(
        "%s folded to %d bits".formatted(NamedFiles.name(file), folded.bits()),
        folded.expectedFpp(),
        target,
        () -> largerFold(filter, folded, target));
    if (folded.bits() == filter.bits()) {
      note("the filter stays as it is: " + whyUnfolded(filter));
    }
  }

  /** Returns the smallest folding with a good rate, or the smallest one that is useful. */
  private String largerFold(Foldable<?> filter, Foldable<?> folded, double target) {
    for (double rate : new double[] {RateRule.TOLERATED * target, RateRule.HIGHEST}) {
      for (FoldSize size : filter.ladder()) {
        if (size.factor() > 1 && size.bits() > folded.bits() && size.expectedFpp() <= rate) {
          return "fold less: --to-bits %d has %s, in a file of %d bytes"
              .formatted(
                  size.bits(),
                  Prose.rate(size.expectedFpp()),
                  filter.foldTo(size.bits()).sizeInBytes());
        }
      }
    }
    return folded.bits() == filter.bits()
        ? "it holds too many keys for its size"
        : "no folding is useful; %skeep its %d bits, which have %s"
            .formatted(divisors(), filter.bits(), Prose.rate(filter.expectedFpp()));
  }

  /** Why no smaller size is possible, and the rate of the nearest one. */
  private String whyUnfolded(Foldable<?> filter) {
    List<FoldSize> ladder = filter.ladder();
    if (ladder.size() < 2) {
      return "%d bits do not fold".formatted(filter.bits());
    }
    FoldSize next = ladder.get(ladder.size() - 2);
    String nearest =
        "the next smaller size is %d bits (--factor %d), with a false positive rate of %s"
            .formatted(next.bits(), next.factor(), Prose.rate(next.expectedFpp()));
    if (goal.fpp != null) {
      return "no smaller size keeps fpp %s; %s%s".formatted(goal.fpp, divisors(), nearest);
    }
    return goal.bytes != null
        ? "its file of %d bytes is small enough; %s".formatted(filter.sizeInBytes(), nearest)
        : nearest;
  }

  private String divisors() {
    return foreign == null ? "" : "it has " + foreign.describeDivisors() + "; ";
  }

  private Foldable<?> fold(Foldable<?> filter) {
    if (goal.factor != null) {
      return filter.foldBy(goal.factor);
    }
    if (goal.bits != null) {
      return filter.foldTo(goal.bits);
    }
    return goal.fpp != null ? filter.foldToFpp(goal.fpp) : foldToBytes(filter, goal.bytes);
  }

  private Foldable<?> foldToBytes(Foldable<?> filter, long bytes) {
    List<FoldSize> ladder = filter.ladder();
    Foldable<?> smallest = filter.foldTo(ladder.get(0).bits());
    Foldable<?> best = null;
    // file bytes grow with bits, so the last size that fits is the largest
    int low = 0;
    int high = ladder.size() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      Foldable<?> folded = filter.foldTo(ladder.get(middle).bits());
      if (folded.sizeInBytes() <= bytes) {
        best = folded;
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    if (best == null) {
      throw new CommandFailure(
          "%s cannot fold to a file of %d bytes: its smallest folding, %d bits, takes %d",
          NamedFiles.name(file), bytes, smallest.bits(), smallest.sizeInBytes());
    }
    return best;
  }

  private void report(Foldable<?> filter, Foldable<?> folded) throws IOException {
    long factor = folded.bits() == 0 ? 1 : filter.bits() / folded.bits(); // 0 bits: no prefixes
    Report report = new Report().file(output, folded.sizeInBytes());
    if (foreign != null) {
      report.field("format", foreign.format().word());
    }
    reportWritten(
        report
            .both("bits", folded.bits(), Prose.format("folded by %,d", factor))
            .field("factor", factor)
            .fpp(folded.expectedFpp(), "before: " + Prose.rate(filter.expectedFpp())));
  }
}
