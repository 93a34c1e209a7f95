package dev.bellows.cli.kinds;

import dev.bellows.FoldedFilters;
import dev.bellows.cli.keys.CodedKeys;

/** Kind folded. */
final class FoldedAdapter extends KindAdapter<FoldedFilters> {
  FoldedAdapter(FoldedFilters filter) {
    super(filter);
  }

  @Override
  public CodedKeys keys(boolean longs) {
    return CodedKeys.ofHashes(hashScheme(), filter::countMightContainHashes);
  }

  @Override
  public String rateRemark() {
    return "of all foldings together";
  }
}
