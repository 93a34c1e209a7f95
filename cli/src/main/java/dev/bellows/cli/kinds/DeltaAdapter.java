package dev.bellows.cli.kinds;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.keys.CodedKeys;
import dev.bellows.durable.Delta;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kind delta: what changed in a durable filter, which is received and not queried. */
final class DeltaAdapter extends KindAdapter<Delta> {
  DeltaAdapter(Delta filter) {
    super(filter);
  }

  @Override
  public CodedKeys keys(boolean longs) {
    throw new CommandFailure(
        "a file of kind delta holds what changed in a filter, and is not queried itself: bellows"
            + " receive STORE DELTA applies it");
  }

  @Override
  public boolean holdsKeys() {
    return false;
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    fields.put("sourceKind", filter.sourceKind().word());
    fields.put("source", "%016x".formatted(filter.sourceId()));
    fields.put("from", filter.from());
    fields.put("to", filter.to());
    fields.put("epoch", filter.epoch());
    fields.put("whole", filter.hasContent());
  }
}
