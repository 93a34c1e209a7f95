package dev.bellows.range;

import dev.bellows.io.FilterFormat;
import java.util.List;

/** The formats of this module, found as a service. */
public final class RangeFormats implements FilterFormat.Provider {
  /** Called by {@link java.util.ServiceLoader}. */
  public RangeFormats() {}

  @Override
  public List<FilterFormat<?>> formats() {
    return List.of(RangeBloomFilter.FORMAT);
  }
}
