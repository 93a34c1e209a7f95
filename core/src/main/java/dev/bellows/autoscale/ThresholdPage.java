package dev.bellows.autoscale;

import dev.bellows.FilterStats;
import dev.bellows.Layout;
import dev.bellows.internal.base.Prose;
import dev.bellows.plan.Criterion;
import dev.bellows.plan.DetectionRates;
import dev.bellows.plan.ThresholdPlan;
import dev.bellows.plan.ThresholdRule;
import java.util.LinkedHashMap;
import java.util.Map;

/** The numbers of an autoscaling filter, and {@code explain()} as far as it is about thresholds. */
final class ThresholdPage {
  private ThresholdPage() {}

  /** The numbers of a filter whose file takes so many bytes. */
  static FilterStats stats(AutoscalingBloomFilter filter, long ones, long bytes) {
    DetectionRates rates = filter.rates();
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("keys", filter.approximateElementCount());
    own.put("counterBits", filter.counterBits());
    own.put("saturatedCounters", filter.saturatedCounters());
    own.put("theta", filter.theta());
    own.put("decision", filter.decision());
    if (filter.rule() instanceof ThresholdRule.Tuned tuned) {
      own.put("criterion", tuned.criterion().word());
      own.putAll(numbers(tuned.criterion()));
      own.put("minTpr", tuned.minTpr());
    }
    own.put("tpr", rates.tpr());
    own.put("fpr", rates.fpr());
    own.put("accuracy", rates.accuracy());
    return new FilterStats(
        filter.kind(),
        Layout.CLASSIC,
        filter.bits(),
        filter.hashes(),
        filter.hashScheme(),
        ones,
        (double) filter.approximateElementCount(),
        rates.fpr(),
        bytes,
        own);
  }

  /** The numbers of a criterion under their names. */
  private static Map<String, Double> numbers(Criterion criterion) {
    Map<String, Double> numbers = new LinkedHashMap<>();
    if (criterion instanceof Criterion.Cost cost) {
      numbers.put("costFp", cost.costFp());
      numbers.put("costFn", cost.costFn());
      numbers.put("presentShare", cost.presentShare());
    } else if (criterion instanceof Criterion.F1 f1) {
      numbers.put("presentShare", f1.presentShare());
    } else if (criterion instanceof Criterion.Mcc mcc) {
      numbers.put("presentShare", mcc.presentShare());
    }
    return numbers;
  }

  /** What the thresholds follow, as a line. */
  private static String of(ThresholdRule rule) {
    if (!(rule instanceof ThresholdRule.Tuned tuned)) {
      return "  thresholds         fixed\n";
    }
    StringBuilder line = new StringBuilder("  tuned for          ");
    line.append(tuned.criterion().word());
    numbers(tuned.criterion()).forEach((name, value) -> line.append(", " + name + " " + value));
    line.append(tuned.minTpr() > 0 ? ", tpr at least " + tuned.minTpr() : "");
    return line.append('\n').toString();
  }

  /** A page about a filter. */
  static String of(AutoscalingBloomFilter filter) {
    DetectionRates rates = filter.rates();
    ThresholdRule rule = filter.rule();
    Criterion criterion =
        rule instanceof ThresholdRule.Tuned tuned ? tuned.criterion() : Criterion.accuracy();
    long keys = filter.approximateElementCount();
    String alternative =
        keys == 0
            ? ""
            : "\n"
                + ThresholdPlan.plainAlternative(
                    filter.bits(), filter.counterBits(), keys, rates, criterion)
                + "\n";
    return "An autoscaling Bloom filter, counters of "
        + filter.counterBits()
        + " bits, "
        + (rule instanceof ThresholdRule.Fixed ? "fixed" : "tuned")
        + " thresholds.\n\n"
        + filter.stats().lines("counters")
        + of(rule)
        + of(filter.theta(), filter.decision(), rates)
        + alternative;
  }

  static String of(long theta, long decision, DetectionRates rates) {
    boolean empty = Double.isNaN(rates.tpr());
    return Prose.format(
        """
          theta              %d: a position hits when its counter exceeds it
          decision           %d: a key is accepted when so many of its positions hit
          stored keys found  %s
          accuracy           %s
        """,
        theta,
        decision,
        empty ? "no keys yet" : Prose.format("%.4g %%", 100 * rates.tpr()),
        empty ? "unknown" : Prose.format("%.5f", rates.accuracy()));
  }
}
