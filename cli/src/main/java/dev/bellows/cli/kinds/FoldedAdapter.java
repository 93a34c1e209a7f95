package dev.bellows.cli.kinds;

import dev.bellows.FoldedFilters;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kinds folded and parts. */
final class FoldedAdapter extends KindAdapter<FoldedFilters> {
  FoldedAdapter(FoldedFilters filter) {
    super(filter, "of all foldings together", false);
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    fields.put("sizes", filter.sizes());
    fields.put("informativeSizes", filter.informativeSizes());
    fields.put("jointFpp", filter.expectedFpp());
    fields.put("filterId", filter.filterId());
    fields.put("state", Long.toHexString(filter.state()));
    filter.version().ifPresent(version -> fields.put("version", version));
  }
}
