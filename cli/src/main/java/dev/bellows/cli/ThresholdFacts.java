package dev.bellows.cli;

import dev.bellows.AutoscalingBloomFilter;
import dev.bellows.BinarizedFilter;
import dev.bellows.Filter;
import dev.bellows.plan.DetectionRates;
import dev.bellows.plan.ThresholdRule;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@code info} and {@code verify} know of a filter that is read through thresholds. */
final class ThresholdFacts {
  private ThresholdFacts() {}

  /** The rates that follow from its real counters or bits; null for any other filter. */
  static @Nullable DetectionRates rates(Filter filter) {
    if (filter instanceof AutoscalingBloomFilter autoscaling) {
      return autoscaling.rates();
    }
    return filter instanceof BinarizedFilter bits ? bits.rates() : null;
  }

  /** The fields that {@code info --json} adds; none for any other filter. */
  static Map<String, Object> of(Filter filter) {
    Map<String, Object> fields = new LinkedHashMap<>();
    DetectionRates rates = rates(filter);
    if (rates == null) {
      return fields;
    }
    if (filter instanceof AutoscalingBloomFilter autoscaling) {
      fields.put("keys", autoscaling.keys());
      fields.put("theta", autoscaling.theta());
      fields.put("decision", autoscaling.decision());
      fields.put("counterBits", autoscaling.counterBits());
      fields.put("saturatedCounters", autoscaling.saturatedCounters());
      if (autoscaling.rule() instanceof ThresholdRule.Tuned tuned) {
        fields.put("criterion", ThresholdOptions.word(tuned.criterion()));
        fields.put("minTpr", tuned.minTpr());
      }
    } else if (filter instanceof BinarizedFilter bits) {
      fields.put("keys", bits.keys());
      fields.put("theta", bits.theta());
      fields.put("decision", bits.decision());
    }
    fields.put("tpr", rates.tpr());
    fields.put("fpr", rates.fpr());
    fields.put("accuracy", rates.accuracy());
    return fields;
  }
}
