package dev.bellows.autoscale;

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
 * An autoscaling filter as parameters of a file: the width of its counters, whether they widen, its
 * keys, then its threshold rule and the present thresholds. A reader uses these thresholds for the
 * number of keys in the file, so that it answers as the writer did, even if its own tuning would
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
  private static final int ACCURACY = 0;
  private static final int COST = 1;
  private static final int F1 = 2;
  private static final int MCC = 3;

  private AutoscalingFormat() {}

  static FilterHeader header(AutoscalingSnapshot filter) {
    CounterStore counters = filter.counters();
    Thresholds thresholds = filter.thresholds();
    List<Long> own =
        new ArrayList<>(
            List.of((long) counters.width(), counters.widens() ? 1L : 0L, filter.keys()));
    own.addAll(encode(filter.rule(), thresholds.theta(), thresholds.decision()));
    return ShapeCodec.header(
        FilterKind.AUTOSCALING, filter.shape(), own, List.of(8L * counters.words().length));
  }

  static AutoscalingSnapshot read(FilterReader reader) throws IOException {
    Shape shape = reader.distinctShape(END - COUNTER_BITS);
    int width = (int) reader.parameter(COUNTER_BITS, "counter bits", 4, 32);
    boolean widens = reader.parameter(WIDENING, "widening", 0, 1) == 1;
    double countable = Math.scalb((double) shape.bits() / shape.hashes(), 32);
    long keys =
        reader.parameter(KEYS, "keys", 0, Math.min((1L << 62) / shape.hashes(), (long) countable));
    long maxTheta = ThresholdPlan.maxTheta(widens ? 32 : width);
    long theta = reader.parameter(THETA, "theta", 0, maxTheta);
    int decision = (int) reader.parameter(DECISION, "decision", 0, shape.hashes());
    ThresholdPlan.Rule rule = rule(reader, theta, decision);
    CounterStore counters = reader.counters(shape.bits(), COUNTER_BITS, widens);
    return reader.checked(
        KEYS,
        () -> {
          requireKeys(counters, keys, shape.hashes());
          long to = rule instanceof ThresholdPlan.Rule.Fixed ? Long.MAX_VALUE : keys;
          long from = rule instanceof ThresholdPlan.Rule.Fixed ? 0 : keys;
          Thresholds thresholds = new Thresholds(from, to, theta, decision);
          return new AutoscalingSnapshot(
              shape, counters, keys, LiveThresholds.of(shape, counters, rule).with(thresholds));
        });
  }

  /** Refuses a number of keys that the counters contradict. */
  private static void requireKeys(CounterStore counters, long keys, int hashes) {
    if (!counters.anySaturated() && counters.total() != keys * hashes) {
      throw new IllegalArgumentException(
          "%d keys with %d hashes where the counters add up to %d"
              .formatted(keys, hashes, counters.total()));
    }
  }

  /** Mode, theta, decision, criterion, cost of a wrong yes and no, present share, least TPR. */
  private static List<Long> encode(ThresholdPlan.Rule rule, long theta, int decision) {
    long code = ACCURACY;
    double costFp = 0;
    double costFn = 0;
    double share = 0;
    double minTpr = 0;
    if (rule instanceof ThresholdPlan.Rule.Tuned tuned) {
      minTpr = tuned.minTpr();
      if (tuned.criterion() instanceof Criterion.Cost cost) {
        code = COST;
        costFp = cost.costFp();
        costFn = cost.costFn();
        share = cost.presentShare();
      } else if (tuned.criterion() instanceof Criterion.F1 f1) {
        code = F1;
        share = f1.presentShare();
      } else if (tuned.criterion() instanceof Criterion.Mcc mcc) {
        code = MCC;
        share = mcc.presentShare();
      }
    }
    return List.of(
        rule instanceof ThresholdPlan.Rule.Fixed ? (long) FIXED : TUNED,
        theta,
        (long) decision,
        code,
        bits(costFp),
        bits(costFn),
        bits(share),
        bits(minTpr));
  }

  private static ThresholdPlan.Rule rule(FilterReader reader, long theta, int decision)
      throws IOException {
    int mode = (int) reader.parameter(MODE, "threshold mode", TUNED, FIXED);
    int code = (int) reader.parameter(CRITERION, "criterion", ACCURACY, MCC);
    double costFp = number(reader, COST_FP, "costFp");
    double costFn = number(reader, COST_FN, "costFn");
    double share = number(reader, PRESENT_SHARE, "presentShare");
    double minTpr = number(reader, MIN_TPR, "minTpr");
    return reader.checked(
        CRITERION,
        () -> {
          ThresholdPlan.Rule rule =
              mode == FIXED
                  ? new ThresholdPlan.Rule.Fixed(theta, decision)
                  : new ThresholdPlan.Rule.Tuned(criterion(code, costFp, costFn, share), minTpr);
          List<Long> own = reader.header().parameters().subList(MODE, END);
          if (!encode(rule, theta, decision).equals(own)) {
            throw new IllegalArgumentException("parameters that its threshold rule does not use");
          }
          return rule;
        });
  }

  private static Criterion criterion(int code, double costFp, double costFn, double share) {
    return switch (code) {
      case COST -> Criterion.cost(costFp, costFn, share);
      case F1 -> Criterion.f1(share);
      case MCC -> Criterion.mcc(share);
      default -> Criterion.accuracy();
    };
  }

  /** The IEEE 754 bits of a number that is not negative. */
  private static long bits(double value) {
    return Double.doubleToLongBits(value + 0.0);
  }

  private static double number(FilterReader reader, int index, String name) throws IOException {
    return Double.longBitsToDouble(
        reader.parameter(index, name, 0, Double.doubleToLongBits(Double.MAX_VALUE)));
  }
}
