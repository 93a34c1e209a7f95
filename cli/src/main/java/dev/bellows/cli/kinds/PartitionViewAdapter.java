package dev.bellows.cli.kinds;

import dev.bellows.cli.keys.CodedKeys;
import dev.bellows.partition.PartitionView;

/** Kind partition-view: the tree of a partition filter, which is asked and merged. */
final class PartitionViewAdapter extends KindAdapter<PartitionView> {
  PartitionViewAdapter(PartitionView filter) {
    super(filter);
  }

  @Override
  public CodedKeys keys(boolean longs) {
    IdCode code = new IdCode(filter.plan(), hashScheme(), longs);
    return CodedKeys.of(code, CodedKeys.Query.each(code.overIds(filter::mightContainId)));
  }

  @Override
  public boolean statesBound() {
    return true;
  }
}
