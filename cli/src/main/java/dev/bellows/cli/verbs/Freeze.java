package dev.bellows.cli.verbs;

import dev.bellows.Filter;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.WritingVerb;
import dev.bellows.cli.kinds.Adapters;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.FrozenAdapter;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.frozen.FrozenPart;
import dev.bellows.frozen.FrozenPlan;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.base.Prose;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows freeze}: the smallest filter of a set that does not change anymore. */
@Command(
    name = "freeze",
    description = {
      "Converts a fingerprint filter to a frozen one, without its keys: the smallest filter with a"
          + " rate.",
      "The rate includes that of the fingerprint filter, which must be far below it; if its"
          + " prefixes do not allow the rate, the message names one that works. The result accepts"
          + " no more keys."
    },
    footer = {
      "  bellows build --kind fingerprint --fpp 0.01%% -o keys.growing keys.txt",
      "  bellows freeze keys.growing --fpp 1%% -o keys.frozen"
    })
public final class Freeze extends WritingVerb {
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The fingerprint filter; - is standard input.")
  String file;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      description =
          "Highest false positive rate, e.g. 0.01, 1%%, 1/100 (default: the rate for which the"
              + " filter was built for).")
  @Nullable Double fpp;

  @Override
  public Integer call() throws IOException {
    requireOutput(output, List.of());
    Filter filter = FilterFiles.read(console(), file, null);
    String why =
        filter instanceof FrozenFilter || filter instanceof FrozenPart
            ? ", which is already frozen"
            : ", and the hashes of its keys cannot be read from its bits or counters: build --kind"
                + " frozen from the keys, or keep them in a filter of kind fingerprint, which can"
                + " be frozen";
    FingerprintFilter source = FilterFiles.require(FingerprintFilter.class, filter, file, why);
    double rate = fpp == null ? source.plan().fpp() : fpp;
    FrozenFilter frozen;
    try {
      frozen = source.freeze(rate);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(NamedFiles.name(file) + ": " + e.getMessage(), e);
    }
    NamedFiles.write(console(), output, frozen::writeTo);
    int missing = frozen.missingPrefixBits();
    if (missing > 0) {
      say(
          "warning: its prefixes are short, so it takes %.2f bits per key, %.0f %% more than one of"
              + " the keys: build the fingerprint filters with --fpp %s to freeze them at %s",
          FrozenAdapter.bitsPerKey(frozen),
          100 * (FrozenAdapter.bitsPerKey(frozen) / bestBitsPerKey(frozen) - 1),
          Prose.shortRate(Math.scalb(source.plan().fpp(), -missing)),
          Prose.shortRate(rate));
    }
    report(source, frozen);
    return OK;
  }

  private static double bestBitsPerKey(FrozenFilter frozen) {
    return FrozenPlan.of(frozen.keys(), frozen.expectedFpp()).bitsPerKey();
  }

  private void report(FingerprintFilter source, FrozenFilter frozen) throws IOException {
    double perKey = FrozenAdapter.bitsPerKey(frozen);
    reportWritten(
        new Report()
            .file(output, frozen.sizeInBytes())
            .field("kind", frozen.kind().word())
            .field("layout", null)
            .both("keys", frozen.keys(), "at most; prefixes of " + frozen.hashBits() + " bits")
            .bits(frozen.bits(), perKey, "")
            .field("hashes", frozen.stats().hashes())
            .add("columns", Prose.format("%.4g", frozen.columns()))
            .field("columns", frozen.columns())
            .field("bitsPerKey", perKey)
            .both(
                "fpp",
                "false positives",
                frozen.expectedFpp(),
                Adapters.of(frozen).rateRemark() + ", before: " + Prose.rate(source.expectedFpp()))
            .field("expectedFpp", frozen.expectedFpp()));
  }
}
