package dev.bellows.scalable;

import dev.bellows.io.FilterFormat;
import java.util.List;

/** The formats of this module, found as a service. */
public final class ScalableFormats implements FilterFormat.Provider {
  /** Called by {@link java.util.ServiceLoader}. */
  public ScalableFormats() {}

  @Override
  public List<FilterFormat<?>> formats() {
    return List.of(ScalableBloomFilter.FORMAT);
  }
}
