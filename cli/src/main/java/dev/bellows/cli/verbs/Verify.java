package dev.bellows.cli.verbs;

import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.keys.CodedKeys;
import dev.bellows.cli.keys.HashSpill;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.KindAdapter;
import dev.bellows.cli.kinds.RetuneOptions;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.BinomialInterval;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows verify}: measures a filter and says whether its rates are as expected. */
@Command(
    name = "verify",
    description = {
      "Measures the false positive rate with keys that are known to be absent, checks keys that are"
          + " known to be present, or both.",
      "It must agree with the rate that follows from the filter's fill: the Clopper-Pearson"
          + " interval (alpha 1e-9, two-sided) around the measured count contains the expected"
          + " rate, or, for kinds that state a bound, is not above it. Exit code 1 if it does not"
          + " agree, or if a present key is missing; for kinds autoscale and binarized, if the"
          + " share of present keys found does not agree with the expected one."
    },
    footer = {
      "  bellows verify words.bloom --absent other.txt --present examples/words.txt",
      "  bellows verify words.bloom --present examples/words.txt",
      "  bellows verify keys.auto --theta 4 --decision 65 --absent other.txt \\",
      "    --present keys.txt"
    })
public final class Verify extends Verb {
  private static final double ALPHA = 1e-9;

  @Parameters(index = "0", paramLabel = "FILE", description = "The filter.")
  String file;

  @Option(
      names = "--absent",
      paramLabel = "FILE",
      description = "Keys that are not in it; repeated ones and those in --present do not count.")
  @Nullable String absentFile;

  @Option(names = "--present", paramLabel = "FILE", description = "Keys that are in it.")
  @Nullable String presentFile;

  @Mixin SchemeOptions schemeOptions = new SchemeOptions();
  @Mixin KeyOptions keyOptions = new KeyOptions();
  @Mixin RetuneOptions retune = new RetuneOptions();

  private long absent;
  private long falsePositives;
  private long present;
  private long missing;

  @Override
  public Integer call() throws IOException {
    if (absentFile == null && presentFile == null) {
      throw misuse("give --absent to measure the rate, --present to look for stored keys, or both");
    }
    List<@Nullable String> all = Arrays.asList(file, absentFile, presentFile);
    if (all.stream().filter("-"::equals).count() > 1) {
      throw misuse("standard input (-) can be only one of the filter, --absent and --present");
    }
    KindAdapter<?> adapter = FilterFiles.openMapped(console(), file, schemeOptions);
    if (!adapter.holdsKeys()) {
      throw new CommandFailure(
          "%s is of kind %s, which has no single keys to verify: use query NAME=VALUE",
          NamedFiles.name(file), adapter.filter.kind().word());
    }
    adapter = retune.read(adapter, file);
    keyOptions.follow(adapter.filter.hashScheme().keyType(), NamedFiles.name(file));
    measure(adapter.keys(keyOptions.isLongs()));
    if (absentFile != null && absent == 0) {
      throw new CommandFailure(
          "no absent key is left to measure with: "
              + absentFile
              + " contains none that is not present");
    }
    if (absentFile == null && present == 0) {
      throw new CommandFailure("no key to look for: " + presentFile + " contains none");
    }
    double expected = adapter.filter.expectedFpp();
    BinomialInterval interval =
        absentFile == null ? null : BinomialInterval.of(falsePositives, absent, ALPHA);
    boolean consistent =
        interval == null
            || (adapter.statesBound() ? interval.low() <= expected : interval.contains(expected));
    Finding finding = finding(adapter.rates());
    report(adapter, expected, interval, consistent, finding);
    String doubt = adapter.doubt(present);
    if (presentFile != null && doubt != null) {
      note(doubt);
    }
    return consistent && finding.consistent() ? OK : NOTHING;
  }

  /**
   * The result for present keys.
   *
   * @param tpr the share of them that the filter says it finds
   * @param measured the share that it found; NaN if none was queried
   * @param mayMiss whether it may miss some at all
   * @param consistent whether the shares agree; if it may miss none, whether none is missing
   */
  private record Finding(double tpr, double measured, boolean mayMiss, boolean consistent) {}

  private Finding finding(ThresholdPlan.@Nullable Rates rates) {
    double measured = present == 0 ? Double.NaN : (double) (present - missing) / present;
    if (rates == null) {
      return new Finding(1, measured, false, missing == 0);
    }
    boolean holds =
        present == 0
            || BinomialInterval.of(present - missing, present, ALPHA).contains(rates.tpr());
    return new Finding(rates.tpr(), measured, true, holds);
  }

  private void measure(CodedKeys keys) throws IOException {
    try (HashSpill absentKeys = new HashSpill();
        HashSpill presentKeys = new HashSpill()) {
      if (absentFile != null) {
        read(absentFile, keys, absentKeys);
      }
      if (presentFile != null) {
        read(presentFile, keys, presentKeys);
      }
      int bits = Math.max(absentKeys.sliceBits(), presentKeys.sliceBits());
      for (long slice = 0; slice < 1L << bits; slice++) {
        long at = slice;
        presentKeys.slice(
            bits,
            at,
            (inside, count) -> {
              countMissing(keys, inside, count);
              absentKeys.slice(
                  bits, at, (outside, size) -> countHits(keys, outside, size, inside, count));
            });
      }
    }
  }

  private void read(String from, CodedKeys keys, HashSpill into) throws IOException {
    new KeyInput(console(), List.of(from), keyOptions).forEach(keys.code(), into::add);
  }

  private void countMissing(CodedKeys keys, long[] codes, int count) {
    present += count;
    missing += count - keys.asks().ask(codes, 0, count, new boolean[count]);
  }

  /** Counts absent keys, without those that are present too; both lists are sorted. */
  private void countHits(
      CodedKeys keys, long[] outside, int outsideCount, long[] inside, int insideCount) {
    int kept = 0;
    for (int i = 0; i < outsideCount; i++) {
      if (Arrays.binarySearch(inside, 0, insideCount, outside[i]) < 0) {
        outside[kept++] = outside[i];
      }
    }
    absent += kept;
    falsePositives += keys.asks().ask(outside, 0, kept, new boolean[kept]);
  }

  private void report(
      KindAdapter<?> adapter,
      double expected,
      @Nullable BinomialInterval interval,
      boolean consistent,
      Finding finding)
      throws IOException {
    double measured = (double) falsePositives / absent;
    Report facts = new Report().field("absent", absent).field("measuredFpp", measured);
    if (interval == null) {
      facts.field("falsePositives", null).field("low", null).field("high", null);
      facts.field("consistent", null);
    } else {
      facts
          .add("absent keys", absent, "distinct, none of them present")
          .both("falsePositives", "false positives", falsePositives)
          .add("measured rate", measured)
          .field("low", interval.low())
          .field("high", interval.high())
          .add(
              "interval",
              Prose.shortRate(interval.low()) + " .. " + Prose.shortRate(interval.high()),
              "Clopper-Pearson, alpha 1e-9")
          .field("consistent", consistent);
    }
    facts
        .both("expectedFpp", "expected rate", expected, adapter.rateRemark())
        .field("missing", missing)
        .field("present", present);
    if (presentFile != null) {
      facts
          .add("present keys", present, "distinct")
          .add("missing", missing, missing == 0 && !finding.mayMiss() ? "as it must be" : "");
    }
    if (finding.mayMiss()) {
      facts
          .both("tpr", "expected tpr", finding.tpr(), "from its actual content")
          .both("measuredTpr", "measured tpr", finding.measured())
          .field("tprConsistent", presentFile == null ? null : finding.consistent());
    }
    report(facts.fields(), facts + "\n" + verdict(consistent, finding));
  }

  private String verdict(boolean consistent, Finding finding) {
    if (finding.mayMiss() && !finding.consistent()) {
      return "NOT consistent: the share of present keys that it finds does not agree with the"
          + " expected one. Are all of them in it, each put once?\n";
    }
    if (missing > 0 && !finding.mayMiss()) {
      return Prose.format("NOT a filter of the present keys: %,d of them are missing.\n", missing);
    }
    if (absentFile == null) {
      return "Every present key was found"
          + (finding.mayMiss() ? ", or as many as expected" : "")
          + ". Its false positive rate was not measured: give --absent.\n";
    }
    String unchecked =
        finding.mayMiss() && presentFile == null
            ? " Its tpr was not checked: give --present.\n"
            : "\n";
    return consistent
        ? "Consistent: the measured rate agrees with the expected one." + unchecked
        : "NOT consistent: the measured rate does not agree with the expected one. Are all of the"
            + " absent keys absent, and were keys hashed alike (--longs, --field)?\n";
  }
}
