package dev.bellows.cli.kinds;

import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.autoscale.ThresholdPlan;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kinds binarized and binarized-counting. */
final class BinarizedAdapter extends KindAdapter<BinarizedFilter> {
  BinarizedAdapter(BinarizedFilter filter) {
    super(filter);
  }

  @Override
  public ThresholdPlan.Rates rates() {
    return filter.rates();
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    ThresholdPlan.Rates rates = filter.rates();
    fields.put("keys", filter.approximateElementCount());
    fields.put("theta", filter.theta());
    fields.put("decision", filter.decision());
    fields.put("tpr", rates.tpr());
    fields.put("fpr", rates.fpr());
    fields.put("accuracy", rates.accuracy());
  }
}
