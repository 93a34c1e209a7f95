package dev.bellows.durable;

import dev.bellows.io.FilterFormat;
import java.util.List;

/** The formats of this module, found as a service. */
public final class DurableFormats implements FilterFormat.Provider {
  /** Called by {@link java.util.ServiceLoader}. */
  public DurableFormats() {}

  @Override
  public List<FilterFormat<?>> formats() {
    return List.of(Delta.FORMAT);
  }
}
