package dev.bellows.cli.verbs;

import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.autoscale.CountingReading;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.WritingVerb;
import dev.bellows.cli.kinds.Adapters;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.RetuneOptions;
import dev.bellows.internal.base.Prose;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bellows binarize}: the bits of an autoscaling or counting filter, to ship. */
@Command(
    name = "binarize",
    description = {
      "Writes one bit for each counter of a filter of kind autoscale or counting: whether it"
          + " exceeds theta.",
      "The result is small, accepts no more keys and gives the same answers as the filter with"
          + " these thresholds."
    },
    footer = {
      "  bellows binarize keys.auto -o keys.bits",
      "  bellows binarize keys.auto --theta 4 --decision 65 -o keys.bits",
      "  bellows binarize keys.counting --min-tpr 0.95 -o keys.bits"
    })
public final class Binarize extends WritingVerb {
  @Parameters(index = "0", paramLabel = "FILE", description = "The filter; - is standard input.")
  String file;

  @Mixin RetuneOptions retune = new RetuneOptions();

  @Override
  public Integer call() throws IOException {
    requireOutput(output, List.of(file));
    Filter filter = FilterFiles.read(console(), file, null);
    write(filter, bits(filter, retune.read(filter, file)));
    return OK;
  }

  /** Returns the bits of a filter of counters that was read with the requested thresholds. */
  private BinarizedFilter bits(Filter filter, Filter read) {
    if (read instanceof AutoscalingBloomFilter autoscaling) {
      return autoscaling.binarize();
    }
    if (filter instanceof CountingBloomFilter counting) {
      return read instanceof BinarizedFilter asked
          ? asked
          : CountingReading.of(counting, new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0))
              .binarize();
    }
    throw FilterFiles.ofKind(
        filter,
        file,
        ", which has no counters to compare with thresholds: kinds autoscale and counting have");
  }

  private void write(Filter counted, BinarizedFilter bits) throws IOException {
    ThresholdPlan.Rates rates = bits.rates();
    String complaint = Adapters.of(bits).complaint();
    if (complaint != null) {
      say("warning: " + complaint);
    }
    NamedFiles.write(console(), output, bits::writeTo);
    long bytes = bits.sizeInBytes();
    String counters = Prose.bytes(counted.sizeInBytes());
    reportWritten(
        new Report()
            .field("file", output)
            .field("bytes", bytes)
            .add("file", output, Prose.bytes(bytes) + ", the counters: " + counters)
            .both("theta", bits.theta())
            .both("decision", bits.decision())
            .both("tpr", rates.tpr())
            .both("fpr", rates.fpr()));
  }
}
