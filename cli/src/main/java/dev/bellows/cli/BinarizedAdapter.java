package dev.bellows.cli;

import dev.bellows.HashScheme;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.autoscale.ThresholdPlan;

/** Kind binarized. */
final class BinarizedAdapter extends KindAdapter<BinarizedFilter> {
  BinarizedAdapter(BinarizedFilter filter) {
    super(filter);
  }

  @Override
  HashScheme hashScheme() {
    return filter.hashScheme();
  }

  @Override
  CodedKeys keys(boolean longs) {
    return CodedKeys.ofHashes(hashScheme(), GroupQuery.each(filter::acceptsHash));
  }

  @Override
  ThresholdPlan.Rates rates() {
    return filter.rates();
  }
}
