package dev.bellows.cli.kinds;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.keys.CodedKeys;
import dev.bellows.frozen.FrozenPart;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kind frozen-part: some columns of a frozen filter, and the store of those that arrived. */
final class FrozenPartAdapter extends KindAdapter<FrozenPart> {
  FrozenPartAdapter(FrozenPart filter) {
    super(filter, "with all columns before it", false);
  }

  @Override
  public CodedKeys keys(boolean longs) {
    if (!filter.isFirst()) {
      throw new CommandFailure(
          "the part begins with column %.4g and cannot be queried without the columns before it:"
              + " combine the parts with bellows receive STORE PART...",
          filter.fromColumns());
    }
    return CodedKeys.of(filter.filter());
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    fields.put("keys", filter.keys());
    fields.put("fromColumns", filter.fromColumns());
    fields.put("columns", filter.toColumns());
    fields.put("isWhole", filter.isFirst() && filter.isLast());
    fields.put("jointFpp", filter.expectedFpp());
    fields.put("state", Long.toHexString(filter.sourceState()));
  }
}
