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
      throw FilterFiles.ofKind(
          adapter.filter, file, ", which has no single keys to verify: use query NAME=VALUE");
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
    ThresholdPlan.Rates rates = adapter.rates();
    boolean finds = rates == null ? missing == 0 : findsAsExpected(rates, adapter.leastTpr());
    report(adapter, expected, interval, consistent, finds);
    String doubt = adapter.doubt(present);
    if (presentFile != null && doubt != null) {
      note(doubt);
    }
    return consistent && finds ? OK : NOTHING;
  }

  /** Whether the measured share of present keys agrees with the expected one. */
  private boolean findsAsExpected(ThresholdPlan.Rates rates, double leastTpr) {
    if (present == 0) {
      return true;
    }
    BinomialInterval interval = BinomialInterval.of(present - missing, present, ALPHA);
    // an unknown rate has at most a lower bound
    return Double.isNaN(rates.tpr())
        ? !(interval.high() < leastTpr)
        : interval.contains(rates.tpr());
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
              present += count;
              missing += count - keys.asks().ask(inside, 0, count, new boolean[count]);
              absentKeys.slice(
                  bits, at, (outside, size) -> countHits(keys, outside, size, inside, count));
            });
      }
    }
  }

  private void read(String from, CodedKeys keys, HashSpill into) throws IOException {
    new KeyInput(console(), List.of(from), keyOptions).forEach(keys.code(), into::add);
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
      boolean finds)
      throws IOException {
    ThresholdPlan.Rates rates = adapter.rates();
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
          .add("missing", missing, missing == 0 && rates == null ? "as it must be" : "");
    }
    if (rates != null) {
      facts
          .both("tpr", "expected tpr", rates.tpr(), tprRemark(rates, adapter.leastTpr()))
          .both("measuredTpr", "measured tpr", (double) (present - missing) / present)
          .field("tprConsistent", presentFile == null ? null : finds);
    }
    report(facts.fields(), facts + "\n" + verdict(consistent, finds, rates != null));
  }

  private static String tprRemark(ThresholdPlan.Rates rates, double leastTpr) {
    return Double.isNaN(rates.tpr()) && !Double.isNaN(leastTpr)
        ? "at least " + Prose.shortRate(leastTpr) + ": keys were put repeatedly"
        : "from its actual content";
  }

  private String verdict(boolean consistent, boolean finds, boolean mayMiss) {
    if (mayMiss && !finds) {
      return "NOT consistent: the share of present keys that it finds does not agree with the"
          + " expected one. Are all of them in it, each put once?\n";
    }
    if (!finds) {
      return Prose.format("NOT a filter of the present keys: %,d of them are missing.\n", missing);
    }
    if (absentFile == null) {
      return "Every present key was found"
          + (mayMiss ? ", or as many as expected" : "")
          + ". Its false positive rate was not measured: give --absent.\n";
    }
    String unchecked =
        mayMiss && presentFile == null ? " Its tpr was not checked: give --present.\n" : "\n";
    return consistent
        ? "Consistent: the measured rate agrees with the expected one." + unchecked
        : "NOT consistent: the measured rate does not agree with the expected one. Are all of the"
            + " absent keys absent, and were keys hashed alike (--longs, --field)?\n";
  }
}
