package dev.bellows.cli;

import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.plan.DetectionRates;

/**
 * A filter that accepts keys by their evidence and may miss stored ones.
 *
 * @param <F> the type of the filters of the kind
 */
abstract class GradedAdapter<F extends Filter & GradedMembership> extends KindAdapter<F> {
  GradedAdapter(F filter) {
    super(filter);
  }

  @Override
  final HashScheme hashScheme() {
    return filter.hashScheme();
  }

  @Override
  CodedKeys keys(boolean longs) {
    return CodedKeys.ofHashes(hashScheme(), GroupQuery.each(filter::acceptsHash));
  }

  @Override
  abstract DetectionRates rates();
}
