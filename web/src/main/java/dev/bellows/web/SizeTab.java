package dev.bellows.web;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.answers.JavaCode;
import dev.bellows.answers.PlanFields;
import dev.bellows.answers.SetBytes;
import dev.bellows.frozen.FrozenPlan;
import dev.bellows.growth.FingerprintPlan;
import dev.bellows.internal.layout.RateRule;
import dev.bellows.plan.BloomPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Keys, rate, bits and hashes: any two determine the rest. */
final class SizeTab {
  /** The curve goes from a tenth of the planned keys to this multiple of them. */
  private static final double CURVE_END = 10;

  private static final int CURVE_POINTS = 41;

  /** The lowest rate at which patterns are compared; below it no pattern is useful. */
  private static final double LOWEST_COMPARED = 1e-9;

  private static final double HIGHEST_COMPARED = 0.5;

  private static final String WAIT = "use the command line for larger numbers";

  /** The maximum number of keys for which the memory of a hash set is shown. */
  private static final long MOST_SET_KEYS = 1L << 40;

  /**
   * The largest size: for larger filters the search for sizes that fold well would take too long.
   */
  private static final long MOST = 10_000_000_000_000L;

  private SizeTab() {}

  static Answer answer(Inputs inputs) {
    inputs.check(
        i -> i.count("keys"),
        i -> i.rate("fpp"),
        i -> i.bits("bits"),
        i -> i.smallPositive("hashes"),
        i -> i.parsed("pattern", Pattern::of),
        SizeTab::requireTwo);
    Layout.Family family = inputs.layout();
    Long keys = inputs.count("keys");
    Double fpp = inputs.rate("fpp");
    Long bits = inputs.bits("bits");
    Integer hashes = inputs.smallPositive("hashes");
    inputs.atMost("keys", MOST, WAIT);
    if (bits != null) {
      Inputs.atMost("bits", MOST, bits, WAIT);
    }
    requireTwo(inputs);
    Pattern pattern = inputs.parsed("pattern", Pattern::of);
    if (pattern != null && family != Layout.Family.BLOCKED) {
      throw new BadInput("pattern", "requires layout blocked");
    }
    if (pattern != null && hashes != null && hashes != pattern.hashes()) {
      throw new BadInput(
          "hashes",
          "pattern %s already sets %d bits per key: leave this field empty"
              .formatted(pattern, pattern.hashes()));
    }
    Layout layout = null;
    if (pattern != null) {
      layout = new Layout.Blocked(pattern);
    } else if (hashes != null) {
      layout = family.withHashes(hashes);
    }
    BloomPlan plan =
        layout == null
            ? BloomPlan.solve(keys, fpp, bits, family)
            : BloomPlan.solve(keys, fpp, bits, layout);
    double target = fpp == null ? plan.fpp() : fpp;
    boolean sizes = plan.keys() > 0 && target > 0 && target < 1;
    BloomPlan foldable =
        sizes
            ? foldable(plan.keys(), target, layout == null ? family.forFpp(target) : layout)
            : null;
    BloomPlan classic =
        sizes ? BloomPlan.smallest(plan.keys(), target, Layout.Family.CLASSIC) : null;
    return new Answer(
            PlanFields.bloom(plan, foldable, family == Layout.Family.CLASSIC ? null : classic))
        .command(
            new Answer.Command("bloom")
                .option("keys", keys)
                .option("fpp", fpp)
                .option("bits", bits)
                .option("hashes", hashes)
                .option("pattern", pattern)
                .layout(family))
        .java(java(plan, bits == null ? foldable : null, target, layout != null))
        .put("verdict", RateRule.judge(plan.fpp(), null).name())
        .put("target", target)
        .put("given", given(keys, fpp, bits))
        .put(
            "layouts",
            sizes && isCompared(target) && !inputs.brief() ? layouts(plan, target) : List.of())
        .put("floor", sizes ? -Math.log(target) / Math.log(2) : Double.NaN)
        .put("frozenBits", sizes ? frozen(plan.keys(), target) : Double.NaN)
        .put("fingerprintBits", sizes ? fingerprint(plan.keys(), target) : Double.NaN)
        .put("hashSetBits", set(plan.keys(), true))
        .put("tableBits", set(plan.keys(), false))
        .put("curve", plan.keys() > 0 && !inputs.brief() ? curve(plan) : List.of());
  }

  /** Throws with the name of a field that is empty: all but the one to be computed are required. */
  private static void requireTwo(Inputs inputs) {
    String asked = inputs.textOr("solve", "");
    for (String name : List.of("keys", "fpp", "bits")) {
      if (!asked.isEmpty() && !asked.equals(name)) {
        Inputs.required(name, inputs.text(name));
      }
    }
  }

  private static boolean isCompared(double target) {
    return target >= LOWEST_COMPARED && target <= HIGHEST_COMPARED;
  }

  /** Returns which of the three was computed from the others. */
  private static String given(@Nullable Long keys, @Nullable Double fpp, @Nullable Long bits) {
    return bits == null ? "bits" : keys == null ? "keys" : fpp == null ? "fpp" : "";
  }

  private static @Nullable BloomPlan foldable(long keys, double fpp, Layout layout) {
    try {
      return BloomPlan.foldable(keys, fpp, layout);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static String[] java(
      BloomPlan plan, @Nullable BloomPlan foldable, double target, boolean isLayoutGiven) {
    String begin = "BloomFilter.builder().layout(" + JavaCode.layout(plan.layout()) + ")";
    String exact = "BloomFilter exact = %s.bits(%dL).build();".formatted(begin, plan.bits());
    if (foldable == null) {
      return new String[] {exact};
    }
    String kept =
        isLayoutGiven
            ? begin
            : "BloomFilter.builder().layout(Layout.Family." + plan.layout().family() + ")";
    return new String[] {
      "BloomFilter filter = %s.keys(%dL).fpp(%s).build(); // folds well"
          .formatted(kept, plan.keys(), target),
      exact + " // exactly this size"
    };
  }

  /**
   * Returns CLASSIC and every block pattern at the rate; bits are null if a pattern cannot have it.
   */
  private static List<Map<String, @Nullable Object>> layouts(BloomPlan plan, double target) {
    List<Map<String, @Nullable Object>> layouts = new ArrayList<>();
    layouts.add(
        layout("classic", BloomPlan.smallest(plan.keys(), target, Layout.Family.CLASSIC), false));
    Pattern rule = Layout.Family.BLOCKED.forFpp(target).pattern();
    for (int words = 1; words <= Pattern.BLOCK_WORDS; words *= 2) {
      for (int bits = 1; bits <= Pattern.MAX_BITS; bits++) {
        Pattern pattern = new Pattern(words, bits);
        layouts.add(layout(pattern.toString(), sized(plan, target, pattern), pattern.equals(rule)));
      }
    }
    return layouts;
  }

  private static @Nullable BloomPlan sized(BloomPlan plan, double target, Pattern pattern) {
    try {
      return BloomPlan.solve(plan.keys(), target, null, new Layout.Blocked(pattern));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  private static Map<String, @Nullable Object> layout(
      String name, @Nullable BloomPlan plan, boolean chosen) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    fields.put("name", name);
    fields.put("bits", plan == null ? null : plan.bits());
    fields.put("bitsPerKey", plan == null ? null : plan.bitsPerKey());
    fields.put("hashes", plan == null ? null : plan.hashes());
    fields.put("chosen", chosen);
    return fields;
  }

  /** Returns the bits per key of a frozen filter; NaN if none can have the rate. */
  private static double frozen(long keys, double fpp) {
    try {
      return FrozenPlan.of(keys, fpp).bitsPerKey();
    } catch (IllegalArgumentException e) {
      return Double.NaN;
    }
  }

  private static double fingerprint(long keys, double fpp) {
    return fpp < FingerprintPlan.LEAST_FPP ? Double.NaN : FingerprintPlan.of(fpp).bitsPerKey(keys);
  }

  private static double set(long keys, boolean boxed) {
    if (keys < 1 || keys > MOST_SET_KEYS) {
      return Double.NaN;
    }
    return Byte.SIZE * (boxed ? SetBytes.hashSet(keys) : SetBytes.openAddressing(keys)) / keys;
  }

  /** Returns the rate at this size as keys arrive: rows of keys and rate. */
  private static List<Object> curve(BloomPlan plan) {
    List<Object> curve = new ArrayList<>();
    for (int i = 0; i < CURVE_POINTS; i++) {
      double factor = Math.pow(CURVE_END, 2.0 * i / (CURVE_POINTS - 1) - 1);
      // the last digit of powers differs between engines, so this avoids rounding at exactly one
      // half
      double keys = Math.floor(plan.keys() * factor + 0.499);
      if (keys >= 1 && keys < Long.MAX_VALUE / 64.0) {
        curve.add(Answer.row(keys, plan.layout().fpp(plan.bits(), (long) keys)));
      }
    }
    return curve;
  }
}
