package dev.bellows.cli;

import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.plan.Layout;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows build}: from lines of keys to a filter in a file. */
@Command(
    name = "build",
    description = {
      "Builds a filter from keys, one per line.",
      "Without --keys, --bits or --capacity the keys are counted first: the input is read once, in bounded memory, and the filter fits its distinct keys."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  bellows build --fpp 0.1%% -o words.bloom examples/words.txt",
      "  cut -f1 users.tsv | bellows build --keys 1M -o users.bloom",
      "  bellows build --kind autoscale --bits 10000 --hashes 100 --min-tpr 97%% -o keys.bellows keys.txt",
      "  bellows build --kind scalable --fpp 0.4%% -o growing.bellows keys.txt",
      "  bellows build --kind partition --universe 2^30 --longs -o ids.bellows ids.txt",
      "  echo age=20..30 | bellows build --kind range --domain age:0:120 --bits 512 -o ages.range"
    })
final class Build extends Verb {
  @Option(
      names = "--kind",
      paramLabel = "KIND",
      defaultValue = "bloom",
      converter = Kind.Word.class,
      completionCandidates = Kind.Words.class,
      description = "What to build: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  Kind kind;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      converter = Numbers.Probability.class,
      description = "Highest rate of false positives, as 0.01, 1%%, 1/100 (default: 1%%).")
  @Nullable Double fpp;

  @Option(
      names = "--keys",
      paramLabel = "N",
      converter = Numbers.Count.class,
      description = "Size it for N distinct keys, as 10000, 10k, 1M.")
  @Nullable Long keys;

  @Option(
      names = "--bits",
      paramLabel = "M",
      converter = Numbers.Count.class,
      description = "Exactly M bits.")
  @Nullable Long bits;

  @Option(
      names = "--hashes",
      paramLabel = "K",
      converter = Numbers.SmallCount.class,
      description = "K bits per key; blocked takes 8 or 16.")
  @Nullable Integer hashes;

  @Option(
      names = "--capacity",
      paramLabel = "M",
      converter = Numbers.Count.class,
      description = "Exactly M bits, left unfolded, with the hashes of --fpp.")
  @Nullable Long capacity;

  @Option(
      names = "--counter-bits",
      paramLabel = "C",
      converter = Numbers.SmallCount.class,
      description = "Bits per counter, 4 (default), 8, 16 or 32; only for --kind counting.")
  @Nullable Integer counterBits;

  @Option(
      names = "--layout",
      paramLabel = "LAYOUT",
      converter = Numbers.LayoutWord.class,
      completionCandidates = Numbers.LayoutWord.Words.class,
      description =
          "classic (fewest bits) or blocked (one cache line per key). Default: blocked, or classic"
              + " where --bits or --hashes exist only there.")
  @Nullable Layout layout;

  @Option(
      names = "--seed",
      paramLabel = "S",
      converter = Numbers.Seed.class,
      description = "Seed of the hash; the file carries it (default: 0).")
  @Nullable Long seed;

  @Mixin ThresholdOptions thresholds = new ThresholdOptions();
  @Mixin SchemeOptions schemeOptions = new SchemeOptions();
  @Mixin KeyOptions keyOptions = new KeyOptions();
  @Mixin RangeOptions rangeOptions = new RangeOptions();
  @Mixin GrowthOptions growth = new GrowthOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The filter's file; - is standard output.")
  @SuppressWarnings("NullAway.Init")
  String output;

  @Parameters(paramLabel = "INPUT", description = "Files of keys; - or none is standard input.")
  List<String> inputs = List.of();

  @Override
  public Integer call() throws IOException {
    check();
    HashScheme scheme = scheme();
    BuildRequest request =
        new BuildRequest(
            keys,
            fpp,
            bits,
            hashes,
            capacity,
            counterBits,
            layout,
            thresholds,
            rangeOptions,
            growth,
            keyOptions,
            scheme,
            console()::say);
    Kind.Built built = kind.build(request, new Input(scheme));
    FilterFiles.write(console(), output, built.filter());
    FilterStats stats = built.filter().stats();
    warn(built, stats);
    report(built, stats);
    return Main.OK;
  }

  /** The lines of the inputs. */
  private final class Input implements Kind.KeyInput {
    private final HashScheme scheme;

    Input(HashScheme scheme) {
      this.scheme = scheme;
    }

    @Override
    public long forEach(Kind.HashConsumer consumer) throws IOException {
      return keyOptions.scan(
          console(), inputs, scheme, (buffer, from, length, hash) -> consumer.accept(hash));
    }

    @Override
    public long forEachLine(Consumer<String> consumer) throws IOException {
      return keyOptions.scanLines(console(), inputs, scheme, consumer);
    }
  }

  private void check() throws IOException {
    if (kind != Kind.AUTOSCALE && thresholds.given() != null) {
      throw misuse(thresholds.given() + " speaks of --kind autoscale, not of " + kind.word());
    }
    if (kind != Kind.RANGE && rangeOptions.given()) {
      throw misuse(
          "--domain, --scheme, --max-hashes, --strings and --scheme-file belong to --kind range");
    }
    if (kind != Kind.PARTITION && growth.given() != null) {
      throw misuse(growth.given() + " belongs to --kind partition, not to " + kind.word());
    }
    if (seed != null && schemeOptions.keyFile != null) {
      throw misuse("--seed and --key-file exclude each other: a secret key needs no seed");
    }
    if (counterBits != null && kind != Kind.COUNTING) {
      throw misuse("--counter-bits is for --kind counting, not " + kind.word());
    }
    if (bits != null && capacity != null) {
      throw misuse("--bits and --capacity exclude each other: give one of them");
    }
    requireOutput(output, inputs);
  }

  private HashScheme scheme() throws IOException {
    HashScheme keyed = schemeOptions.scheme();
    if (keyed != null) {
      return keyed;
    }
    return seed == null ? HashScheme.DEFAULT : HashScheme.xxh3(seed);
  }

  private void warn(Kind.Built built, FilterStats stats) {
    Double asked = built.askedFpp();
    if (asked != null && stats.expectedFpp() > asked) {
      console()
          .say(
              "warning: with about %s keys in %s bits its rate is %s, over the asked %s: %s"
                  .formatted(
                      Text.count(Math.round(built.keys())),
                      Text.count(stats.bits()),
                      Text.rate(stats.expectedFpp()),
                      Text.rate(asked),
                      keys == null && bits == null && capacity == null
                          ? "give --keys a little higher"
                          : "give more --keys or bits, or none to have the keys counted"));
    }
  }

  private void report(Kind.Built built, FilterStats stats) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("file", output);
    fields.put("kind", stats.kind().word());
    fields.put("layout", Numbers.LayoutWord.of(stats.layout()));
    fields.put("bits", stats.bits());
    fields.put("hashes", stats.hashes());
    fields.put("lines", built.lines());
    fields.put("keys", Math.round(built.keys()));
    fields.put("fpp", stats.expectedFpp());
    fields.put("bytes", stats.bytes());
    Text.Facts facts =
        new Text.Facts()
            .add("file", output, Text.bytes(stats.bytes()))
            .add("kind", stats.kind().word(), Numbers.LayoutWord.of(stats.layout()))
            .add("lines", Text.count(built.lines()))
            .add(
                "keys",
                Text.count(Math.round(built.keys())),
                built.counted() ? "distinct, counted" : "distinct, estimated from the fill")
            .add(
                "bits",
                Text.count(stats.bits()),
                built.keys() > 0 ? Text.format("%.2f per key", stats.bits() / built.keys()) : "")
            .add("hashes", Text.count(stats.hashes()))
            .add(
                "false positives",
                Text.rate(stats.expectedFpp()),
                kind == Kind.RANGE
                    ? "far from what is in it; near it more, see plan range"
                    : "from its real fill");
    if (output.equals("-")) {
      console().err().print(facts);
    } else {
      report(fields, facts.toString());
    }
  }
}
