package dev.bellows.cli.plan;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.answers.JavaCode;
import dev.bellows.answers.PlanFields;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.internal.base.Prose;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bellows plan bloom}: completes any sufficient subset of keys, fpp, bits and hashes. */
@Command(
    name = "bloom",
    description = {
      "Plans a Bloom filter from any sufficient subset of --keys, --fpp, --bits and --hashes.",
      "Without --bits: the smallest size, over all numbers of hashes, whose predicted rate is at"
          + " most --fpp. The plan also shows what build would build for the same --keys and --fpp:"
          + " by default the blocked layout, at a size that folds well."
    },
    footer = {
      "  bellows plan bloom --keys 1M --fpp 1%%",
      "  bellows plan bloom --keys 5M --size 10MiB",
      "  bellows plan bloom --bits 9.6M --fpp 1/100 --json"
    })
final class PlanBloom extends Verb {
  @Option(
      names = "--keys",
      paramLabel = "N",
      description = "Distinct keys, e.g. 10000, 10k, 1M, 2G, 1e6.")
  @Nullable Long keys;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      description = "Highest false positive rate, e.g. 0.01, 1%%, 1e-2, 1/100.")
  @Nullable Double fpp;

  @Option(
      names = "--bits",
      paramLabel = "M",
      converter = Numbers.Bits.class,
      description = "Size in bits.")
  @Nullable Long bits;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      converter = Numbers.Size.class,
      description = "Size in bytes instead, e.g. 64KiB, 10MiB.")
  @Nullable Long size;

  @Option(
      names = "--hashes",
      paramLabel = "K",
      description = "Bits per key; blocked takes 4, 6, 8, 12 or 16.")
  @Nullable Integer hashes;

  @Option(
      names = "--pattern",
      paramLabel = "WxB",
      description =
          "With --layout blocked: B bits in each of W words of a block, e.g. 2x3 (default: by"
              + " --fpp).")
  @Nullable Pattern pattern;

  @Mixin PlanLayout planLayout = new PlanLayout();

  @Override
  public Integer call() throws IOException {
    Layout chosen = chosenLayout();
    if (size != null) {
      if (bits != null) {
        throw misuse("--bits and --size exclude each other: use only one of them");
      }
      bits = Numbers.bitsOf(size, 1, planLayout.layout);
    }
    BloomPlan plan =
        chosen == null
            ? BloomPlan.solve(keys, fpp, bits, planLayout.layout)
            : BloomPlan.solve(keys, fpp, bits, chosen);
    double target = fpp == null ? plan.fpp() : fpp;
    boolean sizes = plan.keys() > 0 && target > 0 && target < 1;
    BloomPlan foldable = sizes ? foldable(plan.keys(), target, chosen) : null;
    BloomPlan classic =
        sizes && planLayout.layout == Layout.Family.BLOCKED
            ? BloomPlan.smallest(plan.keys(), target, Layout.Family.CLASSIC)
            : null;
    BloomPlan built = sizes && bits == null ? built(plan.keys(), target) : null;
    String code = code(plan, bits == null ? foldable : null, target, chosen != null);
    return report(
        fields(plan, foldable, classic, built),
        json ? "" : page(plan, foldable, classic, built) + "\n" + code);
  }

  /**
   * Returns what {@code build} would build for these keys and this rate; null if it refuses them.
   */
  private @Nullable BloomPlan built(long planned, double target) {
    try {
      return BloomFilter.builder().keys(planned).fpp(target).plan();
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * Returns the layout of the pattern or hashes that were given; null if it depends on the rate.
   */
  private @Nullable Layout chosenLayout() {
    if (pattern == null) {
      return hashes == null ? null : planLayout.layout.withHashes(hashes);
    }
    if (planLayout.layout != Layout.Family.BLOCKED) {
      throw misuse("--pattern " + pattern + " needs --layout blocked: only blocks have patterns");
    }
    if (hashes != null && hashes != pattern.hashes()) {
      throw misuse(
          "--pattern %s has %d bits per key, not --hashes %d: use only one of the two",
          pattern, pattern.hashes(), hashes);
    }
    return new Layout.Blocked(pattern);
  }

  /** Returns the size that folds well, or null if it overflows. */
  private @Nullable BloomPlan foldable(long planned, double target, @Nullable Layout chosen) {
    try {
      return BloomPlan.foldable(
          planned, target, chosen == null ? planLayout.layout.forFpp(target) : chosen);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static Map<String, @Nullable Object> fields(
      BloomPlan plan,
      @Nullable BloomPlan foldable,
      @Nullable BloomPlan classic,
      @Nullable BloomPlan built) {
    Map<String, @Nullable Object> fields =
        new LinkedHashMap<>(PlanFields.bloom(plan, foldable, classic));
    Layout layout = built == null ? null : built.layout();
    fields.put("buildLayout", layout == null ? null : Numbers.LayoutWord.of(layout.family()));
    Pattern inBlock = layout == null ? null : layout.pattern();
    fields.put("buildPattern", inBlock == null ? null : inBlock.toString());
    fields.put("buildBits", built == null ? null : built.bits());
    fields.put("buildHashes", built == null ? null : built.hashes());
    fields.put("buildFpp", built == null ? null : built.fpp());
    return fields;
  }

  private String page(
      BloomPlan plan,
      @Nullable BloomPlan foldable,
      @Nullable BloomPlan classic,
      @Nullable BloomPlan built) {
    Pattern inBlock = plan.layout().pattern();
    Report facts =
        new Report()
            .add("keys", plan.keys())
            .add("bits", plan.bits(), Prose.bytes((plan.bits() + 7) / 8))
            .add("bits per key", plan.keys() == 0 ? "-" : Prose.format("%.3f", plan.bitsPerKey()))
            .add("hashes", plan.hashes(), shape(inBlock))
            .add("fpp", plan.fpp(), formula(inBlock));
    double power = PlanFields.fppClassic(plan);
    if (!Double.isNaN(power)) {
      double exact = PlanFields.fppExact(plan);
      facts.add("fppClassic", power, "(1 - (1 - 1/m)^(k n))^k");
      facts.add(
          "fppExact",
          Double.isNaN(exact) ? "-" : Prose.rate(exact),
          Double.isNaN(exact) ? "as good as fppClassic at this size" : "E[(ones/m)^k]");
    }
    if (plan.fppWithHash() > 1.01 * plan.fpp()) {
      facts.add(
          "with its hash",
          plan.fppWithHash(),
          "a key is one 64-bit hash: keys / 2^64 comes on top, and build refuses less");
    }
    if (classic != null) {
      facts.add(
          "CLASSIC needs",
          Prose.count(classic.bits()) + " bits",
          Prose.format(
              "blocked takes %.3f x that, for 1 cache miss instead of %d",
              (double) plan.bits() / classic.bits(), classic.hashes()));
    }
    if (foldable != null) {
      facts.add(
          "foldable size",
          Prose.count(foldable.bits()) + " bits",
          Prose.format("%d hashes, %s", foldable.hashes(), Prose.rate(foldable.fpp())));
    }
    if (built != null) {
      facts.add(
          "build makes",
          Prose.count(built.bits()) + " bits",
          Prose.format(
              "%s%s, %.2f bits per key, %s",
              Numbers.LayoutWord.of(built.layout().family()),
              built.layout() instanceof Layout.Blocked blocked
                  ? ", pattern " + blocked.pattern()
                  : "",
              (double) built.bits() / plan.keys(),
              Prose.rate(built.fpp())));
    }
    return "A Bloom filter, layout " + Numbers.LayoutWord.of(planLayout.layout) + "\n\n" + facts;
  }

  private static String shape(@Nullable Pattern chosen) {
    return chosen == null
        ? ""
        : "pattern %s: %d bits in each of %d words of a block"
            .formatted(chosen, chosen.bits(), chosen.words());
  }

  private static String formula(@Nullable Pattern chosen) {
    return chosen == null
        ? "(1 - e^(-k n / m))^k"
        : "mean over block loads j of P(%d bits of a word set | j)^%d"
            .formatted(chosen.bits(), chosen.words());
  }

  private static String code(
      BloomPlan plan, @Nullable BloomPlan foldable, double target, boolean isLayoutGiven) {
    String exact = JavaCode.layout(plan.layout());
    String code =
        ("In Java, at exactly this size:\n  "
                + "BloomFilter.builder().layout(%s).bits(%dL).build()\n")
            .formatted(exact, plan.bits());
    if (foldable == null) {
      return code;
    }
    String kept = isLayoutGiven ? exact : "Layout.Family." + plan.layout().family();
    return code
        + "or, at a size that folds well:\n  BloomFilter.builder().layout(%s).keys(%dL).fpp(%s).build()\n"
            .formatted(kept, plan.keys(), target);
  }
}
