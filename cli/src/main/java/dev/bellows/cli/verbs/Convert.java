package dev.bellows.cli.verbs;

import dev.bellows.BloomFilter;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.WritingVerb;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.Lines;
import dev.bellows.cli.keys.TimeOptions;
import dev.bellows.cli.kinds.BuildRequest;
import dev.bellows.cli.kinds.Built;
import dev.bellows.cli.kinds.FoldableBuild;
import dev.bellows.cli.kinds.ForeignOptions;
import dev.bellows.cli.kinds.Size;
import dev.bellows.foreign.ForeignFilter;
import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows convert}: a Bellows filter that replaces one of another library. */
@Command(
    name = "convert",
    description = {
      "Builds a Bellows filter that replaces a filter of another library.",
      "Every library hashes keys in its own way, and a filter does not contain its keys, so bits"
          + " cannot be converted. But a new filter can be built from candidate keys: it gets those"
          + " that the old filter may contain, and is sized for them."
    },
    footer = {
      "  bellows convert users.guava --format guava --key-type utf8 --fpp 1%% \\",
      "    -o users.bloom users.txt",
      "  cut -f1 orders.tsv | bellows convert ids.spark --format spark \\",
      "    --key-type long -o ids.bloom"
    })
public final class Convert extends WritingVerb {
  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "The other library's filter; - is standard input.")
  String file;

  @Parameters(
      index = "1..*",
      paramLabel = "INPUT",
      description = "Files of candidate keys; - or none is standard input.")
  List<String> inputs = List.of();

  @Mixin ForeignOptions foreignOptions = new ForeignOptions();

  @Option(
      names = "--fpp",
      paramLabel = "P",
      description = "Highest false positive rate of the new filter (default: 1%%).")
  @Nullable Double fpp;

  @Option(
      names = "--layout",
      paramLabel = "LAYOUT",
      completionCandidates = Numbers.LayoutWord.class,
      description = "${COMPLETION-CANDIDATES} (default: blocked).")
  Layout.@Nullable Family layout;

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      defaultValue = "bellows",
      description =
          "Only ${DEFAULT-VALUE}, because bits cannot be converted from one library to another.")
  String to;

  @Mixin KeyOptions keyOptions = new KeyOptions();

  private long passed;

  @Override
  public Integer call() throws IOException {
    check();
    ForeignFilter old = foreignOptions.read(console(), file);
    if (old == null) {
      throw misuse("convert reads filters of other libraries: name the format with --format");
    }
    Format.KeyType type = foreignOptions.keyType(old, keyOptions);
    Built built = FoldableBuild.build(request(old, type), BloomFilter.builder());
    if (passed == 0 && built.lines() > 0) {
      throw new CommandFailure(
          "none of the %s candidate keys may be in %s, which holds about %s: "
              + "check --key-type (%s here) and the candidates",
          Prose.count(built.lines()),
          NamedFiles.name(file),
          Prose.count(old.approximateElementCount()),
          type.word());
    }
    NamedFiles.write(console(), output, built.filter()::writeTo);
    report(old, built);
    return OK;
  }

  private void check() throws IOException {
    if (!to.equals("bellows")) {
      throw misuse(
          "cannot convert to %s: every library hashes keys in its own way, and a filter does not"
              + " contain its keys, so only a new Bellows filter can be built, from candidate"
              + " keys",
          Prose.quote(to));
    }
    if (file.equals("-") && (inputs.isEmpty() || inputs.contains("-"))) {
      throw misuse("standard input can be the filter or the keys, not both: name one of them");
    }
    requireOutput(output, inputs);
  }

  /** Returns the request for a filter of the lines that the old one accepts. */
  private BuildRequest request(ForeignFilter old, Format.KeyType type) {
    boolean longs = type == Format.KeyType.LONG || type == Format.KeyType.INT;
    Lines.Test test = ForeignOptions.test(old, type);
    return new BuildRequest(
        FilterKind.BLOOM,
        new Size(null, fpp, null, null, null, layout, null),
        HashScheme.DEFAULT,
        new KeyInput(
            console(),
            inputs,
            keyOptions,
            longs,
            (buffer, from, length) -> {
              boolean isHit = test.test(buffer, from, length);
              passed += isHit ? 1 : 0;
              return isHit;
            },
            new TimeOptions()),
        null,
        rate -> {}); // the filter is sized for the keys that were counted
  }

  private void report(ForeignFilter old, Built built) throws IOException {
    FilterStats stats = built.filter().stats();
    long oldKeys = old.approximateElementCount();
    boolean full = old.stats().ones() == old.bits();
    double present = BloomRates.presentAmong(built.lines(), passed, old.expectedFpp());
    reportOrNote(
        new Report()
            .file(output, built.filter().sizeInBytes())
            .field("format", old.format().word())
            .field("kind", stats.kind().word())
            .field("layout", Numbers.LayoutWord.of(stats.family()))
            .field("oldKeys", full ? null : oldKeys)
            .add(
                "from",
                old.format().library(),
                Prose.bytes(old.stats().bytes())
                    + (full ? ", at least " : ", about ")
                    + Prose.count(oldKeys)
                    + " keys")
            .both("lines", "candidates", built.lines())
            .field("expectedFalse", passed - present)
            .both(
                "passed",
                passed,
                Prose.format(
                    "about %,.0f of them false positives of the old filter", passed - present))
            .both("keys", Math.round(Objects.requireNonNull(built.keys())), "distinct, counted")
            .both("bits", stats.bits())
            .field("hashes", stats.hashes())
            .both("fpp", "false positives", stats.expectedFpp(), "from its actual fill"));
  }
}
