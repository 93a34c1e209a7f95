package dev.bellows.cli.kinds;

import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.keys.CodedKeys;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kind binarized. */
final class BinarizedAdapter extends KindAdapter<BinarizedFilter> {
  BinarizedAdapter(BinarizedFilter filter) {
    super(filter);
  }

  @Override
  public CodedKeys keys(boolean longs) {
    return CodedKeys.ofHashes(hashScheme(), CodedKeys.Query.each(filter::acceptsHash));
  }

  @Override
  public ThresholdPlan.Rates rates() {
    return filter.rates();
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    addFields(
        fields,
        filter.approximateElementCount(),
        filter.theta(),
        filter.decision(),
        filter.rates());
  }

  /** The fields of bits that were cut at a theta. */
  static void addFields(
      Map<String, @Nullable Object> fields,
      long keys,
      long theta,
      long decision,
      ThresholdPlan.Rates rates) {
    fields.put("keys", keys);
    fields.put("theta", theta);
    fields.put("decision", decision);
    fields.put("tpr", rates.tpr());
    fields.put("fpr", rates.fpr());
    fields.put("accuracy", rates.accuracy());
  }
}
