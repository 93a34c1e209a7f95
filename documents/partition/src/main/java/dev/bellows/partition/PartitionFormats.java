package dev.bellows.partition;

import dev.bellows.io.FilterFormat;
import java.util.List;

/** The formats of this module, found as a service. */
public final class PartitionFormats implements FilterFormat.Provider {
  /** Called by {@link java.util.ServiceLoader}. */
  public PartitionFormats() {}

  @Override
  public List<FilterFormat<?>> formats() {
    return List.of(
        DynamicPartitionBloomFilter.FORMAT, PartitionView.FORMAT, PartitionView.COMPACT_FORMAT);
  }
}
