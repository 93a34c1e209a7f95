package dev.bellows.autoscale;

import dev.bellows.io.FilterFormat;
import java.util.List;

/** The formats of this module, found as a service. */
public final class AutoscaleFormats implements FilterFormat.Provider {
  /** Called by {@link java.util.ServiceLoader}. */
  public AutoscaleFormats() {}

  @Override
  public List<FilterFormat<?>> formats() {
    return List.of(
        AutoscalingBloomFilter.FORMAT, BinarizedFilter.FORMAT, BinarizedFilter.COUNTING_FORMAT);
  }
}
