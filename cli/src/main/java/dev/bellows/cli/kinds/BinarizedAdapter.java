package dev.bellows.cli.kinds;

import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.cli.keys.CodedKeys;

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
}
