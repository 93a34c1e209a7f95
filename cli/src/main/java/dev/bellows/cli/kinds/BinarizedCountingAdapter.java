package dev.bellows.cli.kinds;

import dev.bellows.autoscale.BinarizedCounting;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.keys.CodedKeys;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kind binarized-counting: the bits of a counting filter above a theta. */
final class BinarizedCountingAdapter extends KindAdapter<BinarizedCounting> {
  BinarizedCountingAdapter(BinarizedCounting filter) {
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
    BinarizedAdapter.addFields(
        fields,
        filter.approximateElementCount(),
        filter.theta(),
        filter.decision(),
        filter.rates());
  }
}
