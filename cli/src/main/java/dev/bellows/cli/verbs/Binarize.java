package dev.bellows.cli.verbs;

import dev.bellows.Filter;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.console.CommandFailure;
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

/** {@code bellows binarize}: the bits of an autoscaling filter, to ship. */
@Command(
    name = "binarize",
    description = {
      "Writes one bit for each counter of an autoscaling filter: whether it exceeds theta.",
      "The result is small, takes no more keys and answers as the filter does with these thresholds."
    },
    footer = {
      "  bellows binarize keys.auto -o keys.bits",
      "  bellows binarize keys.auto --theta 4 --decision 65 -o keys.bits"
    })
public final class Binarize extends WritingVerb {
  @Parameters(index = "0", paramLabel = "FILE", description = "The filter; - is standard input.")
  String file;

  @Mixin RetuneOptions retune = new RetuneOptions();

  @Override
  public Integer call() throws IOException {
    requireOutput(output, List.of(file));
    Filter filter = FilterFiles.read(console(), file, null);
    if (!(filter instanceof AutoscalingBloomFilter autoscaling)) {
      throw new CommandFailure(
          "%s is of kind %s, which has no counters to compare with thresholds: kind autoscale has"
              .formatted(NamedFiles.name(file), filter.kind().word()));
    }
    retune.apply(autoscaling, file);
    BinarizedFilter bits = autoscaling.binarize();
    String complaint = Adapters.of(bits).complaint();
    if (complaint != null) {
      console().say("warning: " + complaint);
    }
    NamedFiles.write(console(), output, bits::writeTo);
    ThresholdPlan.Rates rates = bits.rates();
    long bytes = bits.sizeInBytes();
    String counters = Prose.bytes(autoscaling.sizeInBytes());
    reportWritten(
        new Report()
            .field("file", output)
            .field("bytes", bytes)
            .add("file", output, Prose.bytes(bytes) + ", the counters: " + counters)
            .both("theta", "theta", bits.theta())
            .both("decision", "decision", bits.decision())
            .both("tpr", "tpr", rates.tpr())
            .both("fpr", "fpr", rates.fpr()));
    return OK;
  }
}
