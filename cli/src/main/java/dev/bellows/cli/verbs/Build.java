package dev.bellows.cli.verbs;

import dev.bellows.BloomFilter;
import dev.bellows.FilterStats;
import dev.bellows.FoldableFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.cli.console.Json;
import dev.bellows.cli.console.Messages;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.OptionGroups;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.WritingVerb;
import dev.bellows.cli.keys.HashingOptions;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.TimeOptions;
import dev.bellows.cli.kinds.Ability;
import dev.bellows.cli.kinds.Adapters;
import dev.bellows.cli.kinds.AutoscaleAdapter;
import dev.bellows.cli.kinds.BuildRequest;
import dev.bellows.cli.kinds.Built;
import dev.bellows.cli.kinds.CountingAdapter;
import dev.bellows.cli.kinds.ElasticAdapter;
import dev.bellows.cli.kinds.FingerprintAdapter;
import dev.bellows.cli.kinds.FoldableBuild;
import dev.bellows.cli.kinds.FrozenAdapter;
import dev.bellows.cli.kinds.KindAdapter;
import dev.bellows.cli.kinds.LikeOptions;
import dev.bellows.cli.kinds.PartitionAdapter;
import dev.bellows.cli.kinds.RangeAdapter;
import dev.bellows.cli.kinds.RangeOptions;
import dev.bellows.cli.kinds.RateLimit;
import dev.bellows.cli.kinds.ScalableAdapter;
import dev.bellows.cli.kinds.Size;
import dev.bellows.cli.kinds.ThresholdOptions;
import dev.bellows.cli.kinds.WindowAdapter;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.layout.RateRule;
import dev.bellows.internal.math.HashFloor;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.lang.reflect.Member;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows build}: from lines of keys to a filter in a file. */
@Command(
    name = "build",
    customSynopsis = "bellows build -o FILE [--kind KIND] [--fpp P] [OPTION...] [INPUT...]",
    description = {
      "Builds a filter from keys, one per line.",
      "Without --keys, --bits or --capacity, the keys are counted first: the input is read once, in"
          + " bounded memory, and the filter is sized for its distinct keys.",
      "A filter of kind bloom that takes more than half of the heap is filled directly in its file,"
          + " and may have any size. So is one of kind frozen if building it takes more than that."
    },
    footer = {
      "  bellows build --fpp 0.1%% -o words.bloom examples/words.txt",
      "  cut -f1 users.tsv | bellows build --keys 1M -o users.bloom",
      "  bellows build --csv --field email -o users.bloom users.csv",
      "  bellows build --like monday.bloom -o tuesday.bloom tuesday.txt",
      "  bellows build --kind elastic --keys 100k --fpp 1%% --id 7 -o users.elastic \\",
      "    users.txt",
      "  bellows build --kind autoscale --bits 10k --hashes 100 -o keys.auto keys.txt",
      "  bellows build --kind fingerprint --fpp 0.4%% -o keys.growing keys.txt",
      "  bellows build --kind frozen --fpp 0.1%% -o leaked.frozen passwords.txt",
      "  bellows build --kind window --window 24h --time-field 1 --field 2 \\",
      "    --drop-late -o seen.window examples/visits.tsv",
      "  bellows build --kind scalable --fpp 0.4%% -o keys.levels keys.txt",
      "  bellows build --kind partition --universe 2^30 --longs -o ids.tree ids.txt",
      "  bellows build --kind range --domain age:0:120 --bits 512 -o ages.range \\",
      "    lines.txt"
    })
public final class Build extends WritingVerb {
  /** The kinds whose size can be given; that of the others follows from their keys. */
  private static final Set<FilterKind> EXACT =
      EnumSet.of(FilterKind.BLOOM, FilterKind.COUNTING, FilterKind.AUTOSCALING, FilterKind.RANGE);

  /** The kinds that are built from keys. */
  private static final Set<FilterKind> BUILT =
      EnumSet.of(
          FilterKind.BLOOM,
          FilterKind.COUNTING,
          FilterKind.ELASTIC,
          FilterKind.AUTOSCALING,
          FilterKind.PARTITION,
          FilterKind.SCALABLE,
          FilterKind.RANGE,
          FilterKind.FINGERPRINT,
          FilterKind.WINDOW,
          FilterKind.FROZEN);

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      defaultValue = "bloom",
      converter = KindWord.class,
      completionCandidates = KindWord.class,
      description = "What to build: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  FilterKind kind;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      description =
          "Highest false positive rate, e.g. 0.01, 1%%, 1/100 (default: 1%%). For kind elastic it"
              + " is the target in the middle of a band: see --tolerance.")
  @Nullable Double fpp;

  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "Size it for N distinct keys, e.g. 10000, 10k, 1M (default: count them first).")
  @Nullable Long keys;

  @Option(
      names = "--layout",
      paramLabel = "LAYOUT",
      completionCandidates = Numbers.LayoutWord.class,
      description =
          "classic (fewest bits) or blocked (one cache line per key). Default: blocked, or classic"
              + " where --bits or --hashes exist only there.")
  Layout.@Nullable Family layout;

  @ArgGroup(validate = false, heading = "%nExact size:%n", order = OptionGroups.SIZE)
  SizeOptions sizes = new SizeOptions();

  @Mixin LikeOptions like = new LikeOptions();
  @Mixin RateLimit limit = new RateLimit();

  @ArgGroup(validate = false, heading = "%nHashing:%n", order = OptionGroups.HASHING)
  HashingOptions hashing = new HashingOptions();

  @Mixin KeyOptions keyOptions = new KeyOptions();

  @ArgGroup(
      validate = false,
      heading = "%nOnly --kind counting or elastic:%n",
      order = OptionGroups.COUNTING)
  CountingAdapter.Options counting = new CountingAdapter.Options();

  @ArgGroup(validate = false, heading = "%nOnly --kind elastic:%n", order = OptionGroups.ELASTIC)
  ElasticAdapter.Options elastic = new ElasticAdapter.Options();

  @ArgGroup(
      validate = false,
      heading = "%nOnly --kind fingerprint:%n",
      order = OptionGroups.FINGERPRINT)
  FingerprintAdapter.Options fingerprint = new FingerprintAdapter.Options();

  @ArgGroup(validate = false, heading = "%nOnly --kind window:%n", order = OptionGroups.WINDOW)
  WindowAdapter.Options window = new WindowAdapter.Options();

  @Mixin TimeOptions times = new TimeOptions();

  @ArgGroup(
      validate = false,
      heading = "%nOnly --kind partition:%n",
      order = OptionGroups.PARTITION)
  PartitionAdapter.Options partition = new PartitionAdapter.Options();

  @ArgGroup(validate = false, heading = "%nOnly --kind range:%n", order = OptionGroups.RANGE)
  RangeOptions range = new RangeOptions();

  @ArgGroup(
      validate = false,
      heading = "%nOnly --kind autoscale:%n",
      order = OptionGroups.AUTOSCALE)
  ThresholdOptions thresholds = new ThresholdOptions();

  @Parameters(paramLabel = "INPUT", description = "Files of keys; - or none is standard input.")
  List<String> inputs = List.of();

  /** Sizes to be kept exactly. */
  static final class SizeOptions {
    @Option(
        names = "--bits",
        paramLabel = "M",
        converter = Numbers.Bits.class,
        description = "Exactly M bits.")
    @Nullable Long bits;

    @Option(
        names = "--size",
        paramLabel = "BYTES",
        converter = Numbers.Size.class,
        description =
            "The bits (for kind counting, the counters) of this many bytes, e.g. 64KiB, 10MiB, in"
                + " whole blocks; the file has a header as well.")
    @Nullable Long size;

    @Option(
        names = "--hashes",
        paramLabel = "K",
        description = "K bits per key; blocked takes 4, 6, 8, 12 or 16.")
    @Nullable Integer hashes;

    @Option(
        names = "--pattern",
        paramLabel = "WxB",
        description =
            "Blocked: B bits in each of W words, e.g. 2x3 (default: by --fpp). Filters merge only"
                + " if their patterns are equal.")
    @Nullable Pattern pattern;

    @Option(
        names = "--capacity",
        paramLabel = "M",
        description = "Exactly M bits, left unfolded, with the hashes of --fpp.")
    @Nullable Long capacity;
  }

  @Override
  public Integer call() throws IOException {
    if (keys != null && keys == 0) {
      throw misuse(
          "--keys 0 is a filter for no keys: give the expected number of keys, or leave it out to"
              + " have them counted");
    }
    if (sizes.size != null) {
      if (sizes.bits != null || sizes.capacity != null) {
        throw misuse("--size excludes --bits and --capacity: give one of them");
      }
      if (!EXACT.contains(kind)) {
        throw misuse(
            "--size is not valid with --kind %s: only kinds bloom, counting, autoscale and range have an exact size"
                .formatted(kind.word()));
      }
      int cell = kind == FilterKind.COUNTING ? counting.counterBits() : 1;
      sizes.bits = Numbers.bitsOf(sizes.size, cell, layout);
    }
    if (sizes.bits != null && sizes.capacity != null) {
      throw misuse("--bits and --capacity exclude each other: use only one of them");
    }
    Size size =
        new Size(keys, fpp, sizes.bits, sizes.hashes, sizes.capacity, layout, sizes.pattern);
    HashScheme scheme;
    Double likeFpp = null;
    if (like.file == null) {
      scheme = hashing.scheme();
    } else {
      if (like.file.equals("-") && (inputs.isEmpty() || inputs.contains("-"))) {
        throw misuse("standard input can be --like or the keys, not both: name a file of keys");
      }
      boolean hasKind = spec.commandLine().getParseResult().hasMatchedOption("--kind");
      FoldableFilter<?> model =
          like.model(console(), hasKind ? kind : null, size, hashing, counting);
      kind = model.kind();
      size = size.like(model.plan());
      scheme = model.hashScheme();
      likeFpp = model.expectedFpp();
      keyOptions.follow(scheme.keyType(), like.file);
    }
    refuseOptionsOfOtherKinds();
    requireOutput(output, inputs);
    BuildRequest request =
        new BuildRequest(
            kind,
            size,
            scheme.withKeyType(keyOptions.type(kind == FilterKind.PARTITION)),
            new KeyInput(console(), inputs, keyOptions).withTimes(times),
            place(),
            rate -> limit.require(output, rate, fpp, this::sizeAdvice));
    Built built = build(request);
    FilterStats stats = built.filter().stats();
    judge(built, stats, likeFpp);
    if (!built.isWritten()) {
      NamedFiles.write(console(), output, built.filter()::writeTo);
    }
    report(built, stats);
    return OK;
  }

  private Built build(BuildRequest request) throws IOException {
    return switch (kind) {
      case BLOOM -> FoldableBuild.build(request, BloomFilter.builder());
      case COUNTING -> CountingAdapter.build(request, counting);
      case ELASTIC -> ElasticAdapter.build(request, elastic, counting);
      case AUTOSCALING -> AutoscaleAdapter.build(request, thresholds);
      case PARTITION -> PartitionAdapter.build(request, partition);
      case SCALABLE -> ScalableAdapter.build(request);
      case RANGE -> RangeAdapter.build(request, range);
      case FINGERPRINT -> FingerprintAdapter.build(request, fingerprint);
      case WINDOW -> WindowAdapter.build(request, window);
      case FROZEN -> FrozenAdapter.build(request);
      default -> throw new AssertionError(kind);
    };
  }

  /** Refuses an option that is declared in the options of another kind. */
  private void refuseOptionsOfOtherKinds() {
    Map<Class<?>, List<FilterKind>> owners =
        Map.of(
            CountingAdapter.Options.class, List.of(FilterKind.COUNTING, FilterKind.ELASTIC),
            ElasticAdapter.Options.class, List.of(FilterKind.ELASTIC),
            FingerprintAdapter.Options.class, List.of(FilterKind.FINGERPRINT),
            WindowAdapter.Options.class, List.of(FilterKind.WINDOW),
            TimeOptions.Group.class, List.of(FilterKind.WINDOW),
            PartitionAdapter.Options.class, List.of(FilterKind.PARTITION),
            RangeOptions.class, List.of(FilterKind.RANGE),
            ThresholdOptions.class, List.of(FilterKind.AUTOSCALING));
    for (OptionSpec option : spec.commandLine().getParseResult().matchedOptions()) {
      Class<?> declaring =
          option.userObject() instanceof Member member ? member.getDeclaringClass() : Build.class;
      List<FilterKind> kinds = owners.getOrDefault(declaring, List.of(kind));
      if (!kinds.contains(kind)) {
        throw misuse(
            "%s is only valid with --kind %s, not %s",
            option.longestName(),
            Messages.list(kinds.stream().map(FilterKind::word).toList(), "or"),
            kind.word());
      }
    }
  }

  /** Returns the output, if it is a file that is replaced. */
  private @Nullable String place() {
    return output.equals("-") || !AtomicFile.isReplaced(Path.of(output)) ? null : output;
  }

  /**
   * Refuses a useless filter, and says on standard error that the rate is higher than requested, or
   * far above its target.
   */
  private void judge(Built built, FilterStats stats, @Nullable Double likeFpp) {
    double rate = stats.expectedFpp();
    Double requested = built.askedFpp();
    KindAdapter<?> adapter = Adapters.of(built.filter());
    String subject =
        "the filter of %s bits%s"
            .formatted(
                Prose.count(adapter.size(stats).bits()),
                built.keys() == null ? "" : " with " + keysInWords(built, stats) + " keys");
    limit.check(
        console(),
        adapter,
        new RateLimit.Case(
            subject, rate, requested, target(stats, likeFpp), () -> advice(built, adapter, stats)));
    if (requested != null && rate > requested && rate <= RateRule.TOLERATED * requested) {
      say(
          "warning: %s has a false positive rate of %s, above the requested %s: %s",
          subject, Prose.rate(rate), Prose.rate(requested), advice(built, adapter, stats));
    }
  }

  /**
   * Returns the rate to judge by where none was requested: that of the model, or of the filter's
   * kind.
   */
  private static @Nullable Double target(FilterStats stats, @Nullable Double likeFpp) {
    Double own = RateRule.target(stats);
    return own == null || likeFpp == null ? own : Double.valueOf(Math.max(own, likeFpp));
  }

  /** Returns the number of keys; of a full filter it is a lower bound. */
  private static String keysInWords(Built built, FilterStats stats) {
    String count = Prose.count(Math.round(Objects.requireNonNull(built.keys())));
    return built.isCounted() ? count : (isBound(built, stats) ? "at least " : "about ") + count;
  }

  private static boolean isBound(Built built, FilterStats stats) {
    return !built.isCounted() && stats.isFull();
  }

  private String advice(Built built, KindAdapter<?> adapter, FilterStats stats) {
    if (built.askedFpp() != null
        && built.keys() != null
        && HashFloor.isNear(built.askedFpp(), built.keys())) {
      return "a key is one 64-bit hash, which alone gives keys / 2^64: give --fpp %s or more"
          .formatted(HashFloor.advised(built.keys()));
    }
    return Ability.FOLD.isOf(kind) && kind != FilterKind.WINDOW
        ? sizeAdvice()
        : adapter.roomAdvice(stats);
  }

  /** Returns how to have room for the keys. */
  private String sizeAdvice() {
    if (like.file != null) {
      return "--like " + like.file + " is too small for this many keys: build both larger";
    }
    if (keys == null && sizes.bits != null) {
      return "give more --bits, or leave them out to have the keys counted";
    }
    return keys != null || sizes.bits != null || sizes.capacity != null
        ? "raise --keys or the bits, or leave them out to have the keys counted"
        : "give --keys, a little higher than that";
  }

  private static String layout(FilterStats stats) {
    Layout.Family of = stats.family();
    Pattern pattern = stats.pattern();
    return of == null
        ? ""
        : Numbers.LayoutWord.of(of) + (pattern == null ? "" : ", pattern " + pattern);
  }

  private void report(Built built, FilterStats stats) throws IOException {
    KindAdapter<?> adapter = Adapters.of(built.filter());
    KindAdapter.FileSize size = adapter.size(stats);
    Double distinct = built.keys();
    boolean isBound = isBound(built, stats);
    Report report =
        new Report()
            .file(output, size.bytes())
            .field("kind", stats.kind().word())
            .field("layout", Numbers.LayoutWord.of(stats.family()))
            .field("pattern", Json.pattern(stats))
            .add("kind", stats.kind().word(), layout(stats))
            .both("lines", built.lines())
            .field("keys", distinct == null || isBound ? null : Math.round(distinct));
    if (distinct != null) {
      String count = Prose.count(Math.round(distinct));
      report.add("keys", (isBound ? "at least " : "") + count, built.known().remark());
    }
    adapter.addBuilt(report, size);
    boolean hasRatio = distinct != null && distinct > 0 && !isBound;
    reportOrNote(
        report
            .bits(size.bits(), hasRatio ? size.bits() / distinct : Double.NaN, "")
            .both("hashes", stats.hashes())
            .both("fpp", "false positives", stats.expectedFpp(), adapter.rateRemark()));
  }

  /** The kinds that {@code build} makes, by their word. */
  static final class KindWord extends Numbers.Word<FilterKind> {
    KindWord() {
      super("a kind that this version builds", BUILT.toArray(new FilterKind[0]), FilterKind::word);
    }
  }
}
