package dev.bellows.cli;

import dev.bellows.AutoscalingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.Membership;
import dev.bellows.plan.BinomialInterval;
import dev.bellows.plan.DetectionRates;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows verify}: measures a filter and says whether it keeps its promise. */
@Command(
    name = "verify",
    description = {
      "Measures the rate of false positives with keys that are known to be absent, and says whether it agrees with the rate that follows from the filter's fill.",
      "Agreement: the Clopper-Pearson interval (alpha 1e-9, two-sided) around the measured count holds the expected rate. Exit code 1 if it does not, or if a present key is missing; of kind autoscale, if the share of present keys found does not agree with its counters."
    },
    footerHeading = "%nExample:%n",
    footer = "  bellows verify words.bloom --absent other.txt --present examples/words.txt")
final class Verify extends Verb {
  private static final double ALPHA = 1e-9;

  @Parameters(index = "0", paramLabel = "FILE", description = "The filter.")
  @SuppressWarnings("NullAway.Init")
  String file;

  @Option(
      names = "--absent",
      paramLabel = "FILE",
      required = true,
      description = "Keys that are not in it; repeated ones and those in --present do not count.")
  @SuppressWarnings("NullAway.Init")
  String absentFile;

  @Option(names = "--present", paramLabel = "FILE", description = "Keys that are in it.")
  @Nullable String presentFile;

  @Mixin SchemeOptions schemeOptions = new SchemeOptions();
  @Mixin KeyOptions keyOptions = new KeyOptions();

  private long absent;
  private long falsePositives;
  private long present;
  private long missing;

  @Override
  public Integer call() throws IOException {
    List<String> all = Arrays.asList(file, absentFile, presentFile);
    if (all.stream().filter("-"::equals).count() > 1) {
      throw misuse("standard input (-) can be only one of the filter, --absent and --present");
    }
    Filter filter = FilterFiles.readForKeys(console(), file, schemeOptions, keyOptions);
    measure(FilterFiles.asking(filter, file));
    if (absent == 0) {
      throw new CommandFailure(
          "no absent key is left to measure with: "
              + absentFile
              + " holds none that is not present");
    }
    double expected = filter.stats().expectedFpp();
    BinomialInterval interval = BinomialInterval.of(falsePositives, absent, ALPHA);
    boolean bound = Growth.statesABound(filter.stats().kind());
    boolean consistent = bound ? interval.low() <= expected : interval.contains(expected);
    Finding finding = finding(filter);
    report(expected, interval, consistent, finding);
    noteRepetitions(filter);
    return consistent && finding.consistent() ? Main.OK : Main.NOTHING;
  }

  /** An autoscaling filter cannot tell a key that was put twice from two keys. */
  private void noteRepetitions(Filter filter) {
    if (presentFile != null
        && filter instanceof AutoscalingBloomFilter counted
        && counted.keys() > present) {
      console()
          .say(
              "it believes in %d keys and %d were given: a key put twice weighs double and raises its rate"
                  .formatted(counted.keys(), present));
    }
  }

  /**
   * How present keys fared.
   *
   * @param tpr the share of them that the filter says it finds
   * @param measured the share that it found; NaN if none was asked for
   * @param graded whether it may miss some at all
   * @param consistent whether the shares agree; without grades, whether none is missing
   */
  private record Finding(double tpr, double measured, boolean graded, boolean consistent) {}

  private Finding finding(Filter filter) {
    DetectionRates rates = ThresholdFacts.rates(filter);
    double measured = present == 0 ? Double.NaN : (double) (present - missing) / present;
    if (rates == null) {
      return new Finding(1, measured, false, missing == 0);
    }
    boolean holds =
        present == 0
            || BinomialInterval.of(present - missing, present, ALPHA).contains(rates.tpr());
    return new Finding(rates.tpr(), measured, true, holds);
  }

  private void measure(Membership filter) throws IOException {
    try (HashSpill absentKeys = new HashSpill();
        HashSpill presentKeys = new HashSpill()) {
      read(absentFile, filter, absentKeys);
      if (presentFile != null) {
        read(presentFile, filter, presentKeys);
      }
      int bits = Math.max(absentKeys.sliceBits(), presentKeys.sliceBits());
      for (long slice = 0; slice < 1L << bits; slice++) {
        long at = slice;
        presentKeys.slice(
            bits,
            at,
            (inside, count) -> {
              countMissing(filter, inside, count);
              absentKeys.slice(
                  bits, at, (outside, size) -> countHits(filter, outside, size, inside, count));
            });
      }
    }
  }

  private void read(String keys, Membership filter, HashSpill into) throws IOException {
    keyOptions.scan(
        console(),
        List.of(keys),
        filter.hashScheme(),
        (buffer, from, length, hash) -> into.add(hash));
  }

  private void countMissing(Membership filter, long[] hashes, int count) {
    present += count;
    for (int i = 0; i < count; i++) {
      missing += filter.mightContainHash(hashes[i]) ? 0 : 1;
    }
  }

  /** Counts outsiders, those that are inside too left out; both lists are sorted. */
  private void countHits(
      Membership filter, long[] outside, int outsideCount, long[] inside, int insideCount) {
    int next = 0;
    for (int i = 0; i < outsideCount; i++) {
      while (next < insideCount && inside[next] < outside[i]) {
        next++;
      }
      if (next < insideCount && inside[next] == outside[i]) {
        continue;
      }
      absent++;
      falsePositives += filter.mightContainHash(outside[i]) ? 1 : 0;
    }
  }

  private void report(
      double expected, BinomialInterval interval, boolean consistent, Finding finding)
      throws IOException {
    double measured = (double) falsePositives / absent;
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("absent", absent);
    fields.put("falsePositives", falsePositives);
    fields.put("measuredFpp", measured);
    fields.put("low", interval.low());
    fields.put("high", interval.high());
    fields.put("expectedFpp", expected);
    fields.put("consistent", consistent);
    fields.put("missing", missing);
    fields.put("present", present);
    if (finding.graded()) {
      fields.put("tpr", finding.tpr());
      fields.put("measuredTpr", finding.measured());
      fields.put("tprConsistent", presentFile == null ? null : finding.consistent());
    }
    Text.Facts facts =
        new Text.Facts()
            .add("absent keys", Text.count(absent), "distinct, none of them present")
            .add("false positives", Text.count(falsePositives))
            .add("measured rate", Text.rate(measured))
            .add(
                "interval",
                Text.format("%.4g %% .. %.4g %%", 100 * interval.low(), 100 * interval.high()),
                "Clopper-Pearson, alpha 1e-9")
            .add("expected rate", Text.rate(expected), "from its real fill");
    if (presentFile != null) {
      facts
          .add("present keys", Text.count(present), "distinct")
          .add(
              "missing",
              Text.count(missing),
              missing == 0 && !finding.graded() ? "as it must be" : "");
    }
    if (finding.graded()) {
      facts
          .add("expected tpr", Text.rate(finding.tpr()), "from its real counters")
          .add("measured tpr", Text.rate(finding.measured()));
    }
    report(fields, facts + "\n" + verdict(consistent, finding));
  }

  private String verdict(boolean consistent, Finding finding) {
    if (finding.graded() && !finding.consistent()) {
      return "NOT consistent: the share of present keys that it finds does not agree with its"
          + " counters. Are all of them in it, each put once?\n";
    }
    if (missing > 0 && !finding.graded()) {
      return "NOT a filter of the present keys: " + Text.count(missing) + " of them are missing.\n";
    }
    String unchecked =
        finding.graded() && presentFile == null
            ? " Its tpr was not checked: give --present.\n"
            : "\n";
    return consistent
        ? "Consistent: the filter keeps its promise." + unchecked
        : "NOT consistent: the measured rate does not agree with the filter's fill. Are all of the"
            + " absent keys absent, and were keys hashed alike (--longs, --field)?\n";
  }
}
