package dev.bellows.autoscale;

import dev.bellows.FilterStats;
import dev.bellows.Layout;
import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterKind;
import java.util.LinkedHashMap;
import java.util.Map;

/** The numbers of an autoscaling filter, and {@code explain()} as far as it is about thresholds. */
final class ThresholdPage {
  private ThresholdPage() {}

  /** The numbers of a filter; {@code ones} are the counters above theta. */
  static FilterStats stats(AutoscalingSnapshot filter) {
    ThresholdPlan.Rates rates = filter.rates();
    Map<String, Object> own = new LinkedHashMap<>();
    own.put("keys", filter.keys());
    own.put("counterBits", filter.counters().width());
    own.put("saturatedCounters", filter.saturatedCounters());
    own.put("theta", filter.thresholds().theta());
    own.put("decision", (long) filter.thresholds().decision());
    if (filter.rule() instanceof ThresholdPlan.Rule.Tuned tuned) {
      own.put("criterion", tuned.criterion().word());
      own.putAll(numbers(tuned.criterion()));
      own.put("minTpr", tuned.minTpr());
    }
    own.put("tpr", rates.tpr());
    own.put("fpr", rates.fpr());
    own.put("accuracy", rates.accuracy());
    return new FilterStats(
        FilterKind.AUTOSCALING,
        Layout.CLASSIC,
        filter.shape().bits(),
        filter.shape().hashes(),
        filter.shape().scheme(),
        filter.ones(),
        (double) filter.keys(),
        rates.fpr(),
        AutoscalingFormat.header(filter).fileBytes(),
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
  private static String of(ThresholdPlan.Rule rule) {
    if (!(rule instanceof ThresholdPlan.Rule.Tuned tuned)) {
      return "  thresholds         fixed\n";
    }
    StringBuilder line = new StringBuilder("  tuned for          ");
    line.append(tuned.criterion().word());
    numbers(tuned.criterion()).forEach((name, value) -> line.append(", " + name + " " + value));
    line.append(tuned.minTpr() > 0 ? ", tpr at least " + tuned.minTpr() : "");
    return line.append('\n').toString();
  }

  /** A page about a filter. */
  static String of(AutoscalingSnapshot filter) {
    ThresholdPlan.Rates rates = filter.rates();
    ThresholdPlan.Rule rule = filter.rule();
    Criterion criterion =
        rule instanceof ThresholdPlan.Rule.Tuned tuned ? tuned.criterion() : Criterion.accuracy();
    int counterBits = filter.counters().width();
    String alternative =
        filter.keys() == 0
            ? ""
            : "\n"
                + ThresholdPlan.plainAlternative(
                    filter.shape().bits(), counterBits, filter.keys(), rates, criterion)
                + "\n";
    return "An autoscaling Bloom filter, counters of "
        + counterBits
        + " bits, "
        + (rule instanceof ThresholdPlan.Rule.Fixed ? "fixed" : "tuned")
        + " thresholds.\n\n"
        + stats(filter).lines("counters")
        + of(rule)
        + of(filter.thresholds().theta(), filter.thresholds().decision(), rates)
        + alternative;
  }

  static String of(long theta, long decision, ThresholdPlan.Rates rates) {
    boolean empty = Double.isNaN(rates.tpr());
    return Prose.format(
        """
          theta              %d: a position hits when its counter exceeds it
          decision           %d: a key is accepted when at least this many of its positions hit
          stored keys found  %s
          accuracy           %s
        """,
        theta,
        decision,
        empty ? "no keys yet" : Prose.format("%.4g %%", 100 * rates.tpr()),
        empty ? "unknown" : Prose.format("%.5f", rates.accuracy()));
  }
}
