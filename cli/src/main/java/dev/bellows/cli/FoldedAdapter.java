package dev.bellows.cli;

import dev.bellows.FoldedFilters;
import dev.bellows.HashScheme;

/** Kind folded. */
final class FoldedAdapter extends KindAdapter<FoldedFilters> {
  FoldedAdapter(FoldedFilters filter) {
    super(filter);
  }

  @Override
  HashScheme hashScheme() {
    return filter.hashScheme();
  }

  @Override
  CodedKeys keys(boolean longs) {
    return CodedKeys.ofHashes(hashScheme(), filter::countMightContainHashes);
  }

  @Override
  FoldedFilters store() {
    return filter;
  }

  @Override
  String rateRemark() {
    return "of all foldings together";
  }
}
