package dev.bellows.web;

import dev.bellows.Layout;
import dev.bellows.answers.PlanFields;
import dev.bellows.answers.Quantities;
import dev.bellows.plan.BloomPlan;
import dev.bellows.window.WindowPlan;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A filter whose keys expire after a window of time. */
final class WindowTab {
  private static final int CURVE_POINTS = 41;

  /** The curve ends at this many times the planned keys, and begins at their part. */
  private static final double CURVE_END = 8;

  private WindowTab() {}

  static Answer answer(Inputs inputs) {
    inputs.check(
        i -> i.requiredPositive("keys"),
        i -> i.requiredRate("fpp"),
        i -> Inputs.required("window", i.parsed("window", Quantities::span)),
        i -> i.smallPositive("generations"),
        WindowTab::share);
    long keys = inputs.requiredPositive("keys");
    double fpp = inputs.requiredRate("fpp");
    String span = inputs.textOr("window", "");
    long window = Quantities.span(span);
    Integer given = inputs.smallPositive("generations");
    int generations = given == null ? 7 : given;
    Long share = share(inputs);
    if (window < generations) {
      throw new BadInput("window", "needs a millisecond for each of its generations");
    }
    WindowPlan plan = plan(keys, share, fpp, generations);
    return new Answer(PlanFields.window(plan))
        .command(
            new Answer.Command("window")
                .option("keys", keys)
                .option("window", span.replace(" ", ""))
                .option("fpp", fpp)
                .option("generations", generations == 7 ? null : generations)
                .option("keys-per-generation", share))
        .java(
            ("WindowFilter seen = WindowFilter.builder().window(java.time.Duration.ofMillis(%dL))"
                    + ".generations(%d).keys(%dL)%s.fpp(%s).build();")
                .formatted(
                    window,
                    generations,
                    keys,
                    share == null ? "" : ".keysPerGeneration(" + share + "L)",
                    fpp))
        .put("windowMillis", window)
        .put("goneMillis", window + Math.ceil((double) window / generations))
        .put("choices", choices(keys, share, fpp, window))
        .put("prefixBits", prefixes(fpp, generations))
        .put("rotatedBits", 2 * blocked(keys, fpp / 2))
        .put("foreverBits", blocked(keys, fpp))
        .put("curve", inputs.brief() ? List.of() : curve(plan));
  }

  /** The keys of a generation, null for an even share of those of a window. */
  private static @Nullable Long share(Inputs inputs) {
    Long share = inputs.count("pergeneration");
    if (share != null && share == 0) {
      throw new BadInput("pergeneration", "needs to be at least 1");
    }
    return share;
  }

  private static WindowPlan plan(long keys, @Nullable Long share, double fpp, int generations) {
    return share == null
        ? WindowPlan.of(keys, fpp, generations)
        : WindowPlan.of(keys, share, fpp, generations);
  }

  /** Returns the bits per key of a window of prefixes; NaN if none has the rate. */
  private static double prefixes(double fpp, int generations) {
    try {
      return WindowPlan.prefixBitsPerLiveKey(fpp, generations);
    } catch (IllegalArgumentException e) {
      return Double.NaN;
    }
  }

  /** Bits per key of one BLOCKED filter of all keys. */
  private static double blocked(long keys, double fpp) {
    return BloomPlan.smallest(keys, fpp, Layout.Family.BLOCKED).bitsPerKey();
  }

  /** For each number of generations: bits, bits per live key, and when a key is gone. */
  private static List<Object> choices(long keys, @Nullable Long share, double fpp, long window) {
    List<Object> choices = new ArrayList<>();
    for (int generations : new int[] {3, 7, 15, 31}) {
      WindowPlan plan = plan(keys, share, fpp, generations);
      choices.add(
          Answer.row(
              generations,
              plan.bits(),
              plan.bitsPerLiveKey(),
              window + Math.ceil((double) window / generations),
              plan.layout().pattern().toString()));
    }
    return choices;
  }

  /** The rate of this size as more or fewer keys come in each window: keys and rate. */
  private static List<Object> curve(WindowPlan plan) {
    List<Object> curve = new ArrayList<>();
    for (int i = 0; i < CURVE_POINTS; i++) {
      double factor = Math.pow(CURVE_END, 2.0 * i / (CURVE_POINTS - 1) - 1);
      // the last digit of powers differs between engines, so this avoids rounding at exactly one
      // half
      double share = Math.floor(plan.keysPerGeneration() * factor + 0.499);
      if (share >= 1 && share < Long.MAX_VALUE / 64.0) {
        curve.add(Answer.row(Math.floor(plan.keys() * factor + 0.499), plan.fpp((long) share)));
      }
    }
    return curve;
  }
}
