package dev.bellows.autoscale;

import dev.bellows.autoscale.AutoscalingBloomFilter.LiveThresholds;
import dev.bellows.autoscale.ThresholdPlan.Rule;
import dev.bellows.autoscale.ThresholdPlan.Rule.Thresholds;
import dev.bellows.internal.counters.CounterStore;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The parameters of an autoscaling filter in files: the width of its counters, whether they widen,
 * its number of keys, its threshold rule and its current thresholds. A reader uses these thresholds
 * for the number of keys in the file, so it answers as the writer did even if its own tuning would
 * differ.
 */
final class AutoscalingFormat {
  private static final int COUNTER_BITS = ShapeCodec.PARAMETERS;
  private static final int WIDENING = COUNTER_BITS + 1;
  private static final int KEYS = COUNTER_BITS + 2;
  private static final int MODE = COUNTER_BITS + 3;
  private static final int THETA = COUNTER_BITS + 4;
  private static final int DECISION = COUNTER_BITS + 5;
  private static final int CRITERION = COUNTER_BITS + 6;
  private static final int COST_FP = COUNTER_BITS + 7;
  private static final int COST_FN = COUNTER_BITS + 8;
  private static final int PRESENT_SHARE = COUNTER_BITS + 9;
  private static final int MIN_TPR = COUNTER_BITS + 10;
  private static final int END = COUNTER_BITS + 11;

  private static final int TUNED = 0;
  private static final int FIXED = 1;

  private static final List<Criterion.Measure> MEASURES =
      List.of(
          Criterion.Measure.ACCURACY,
          Criterion.Measure.COST,
          Criterion.Measure.F1,
          Criterion.Measure.MCC);

  private AutoscalingFormat() {}

  static FilterHeader header(
      Shape shape, CounterStore counters, long keys, Rule rule, Thresholds thresholds) {
    List<Long> own =
        new ArrayList<>(List.of((long) counters.width(), counters.widens() ? 1L : 0L, keys));
    own.addAll(encode(rule, thresholds.theta(), thresholds.decision()));
    return ShapeCodec.header(
        FilterKind.AUTOSCALING, shape, own, List.of(8L * counters.words().length));
  }

  static AutoscalingBloomFilter read(FilterReader reader) throws IOException {
    Shape shape = reader.distinctShape(END - COUNTER_BITS);
    int width = (int) reader.parameter(COUNTER_BITS, "counter bits", 4, 32);
    boolean widens = reader.parameter(WIDENING, "widening", 0, 1) == 1;
    double countable = Math.scalb((double) shape.bits() / shape.hashes(), 32);
    long keys =
        reader.parameter(KEYS, "keys", 0, Math.min((1L << 62) / shape.hashes(), (long) countable));
    long maxTheta = ThresholdPlan.maxTheta(widens ? 32 : width);
    long theta = reader.parameter(THETA, "theta", 0, maxTheta);
    int decision = (int) reader.parameter(DECISION, "decision", 0, shape.hashes());
    Rule rule = rule(reader, theta, decision);
    CounterStore counters = reader.counters(shape.bits(), COUNTER_BITS, widens);
    Thresholds thresholds =
        rule instanceof Rule.Fixed
            ? new Thresholds(0, Long.MAX_VALUE, theta, decision)
            : new Thresholds(keys, keys, theta, decision);
    return reader.checked(
        KEYS,
        () -> {
          requireKeys(counters, keys, shape.hashes());
          return new AutoscalingBloomFilter(
              shape, counters, keys, new LiveThresholds(rule, thresholds));
        });
  }

  /** Throws if the number of keys contradicts the counters. */
  private static void requireKeys(CounterStore counters, long keys, int hashes) {
    if (!counters.anySaturated() && counters.total() != keys * hashes) {
      throw new IllegalArgumentException(
          "%d keys with %d hashes contradict the counters, which add up to %d"
              .formatted(keys, hashes, counters.total()));
    }
  }

  /**
   * Returns mode, theta, decision, criterion, cost of a wrong "yes" and of a wrong "no", share of
   * present keys and minimum TPR.
   */
  private static List<Long> encode(Rule rule, long theta, int decision) {
    long mode = FIXED;
    double minTpr = 0;
    Criterion criterion = Criterion.accuracy();
    if (rule instanceof Rule.Tuned tuned) {
      mode = TUNED;
      minTpr = tuned.minTpr();
      criterion = tuned.criterion();
    }
    return List.of(
        mode,
        theta,
        (long) decision,
        (long) MEASURES.indexOf(criterion.measure()),
        bits(criterion.costFp()),
        bits(criterion.costFn()),
        bits(criterion.presentShare()),
        bits(minTpr));
  }

  private static Rule rule(FilterReader reader, long theta, int decision) throws IOException {
    int mode = (int) reader.parameter(MODE, "threshold mode", TUNED, FIXED);
    int code = (int) reader.parameter(CRITERION, "criterion", 0, MEASURES.size() - 1);
    double costFp = number(reader, COST_FP, "costFp");
    double costFn = number(reader, COST_FN, "costFn");
    double share = number(reader, PRESENT_SHARE, "presentShare");
    double minTpr = number(reader, MIN_TPR, "minTpr");
    return reader.checked(
        CRITERION,
        () -> {
          Rule rule =
              mode == FIXED
                  ? new Rule.Fixed(theta, decision)
                  : new Rule.Tuned(
                      new Criterion(MEASURES.get(code), costFp, costFn, share), minTpr);
          List<Long> own = reader.header().parameters().subList(MODE, END);
          if (!encode(rule, theta, decision).equals(own)) {
            throw new IllegalArgumentException(
                "a parameter that the threshold rule does not use is not zero");
          }
          return rule;
        });
  }

  /** Returns the IEEE 754 bits of a number that is not negative. */
  private static long bits(double value) {
    return Double.doubleToLongBits(value + 0.0);
  }

  private static double number(FilterReader reader, int index, String name) throws IOException {
    return Double.longBitsToDouble(
        reader.parameter(index, name, 0, Double.doubleToLongBits(Double.MAX_VALUE)));
  }
}
