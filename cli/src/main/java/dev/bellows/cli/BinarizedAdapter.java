package dev.bellows.cli;

import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.plan.DetectionRates;

/** Kind binarized. */
final class BinarizedAdapter extends GradedAdapter<BinarizedFilter> {
  BinarizedAdapter(BinarizedFilter filter) {
    super(filter);
  }

  @Override
  DetectionRates rates() {
    return filter.rates();
  }
}
