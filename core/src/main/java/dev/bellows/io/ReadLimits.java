package dev.bellows.io;

import dev.bellows.internal.Checks;

/**
 * How much a reader may believe a stranger's bytes.
 *
 * @param maxBytes the most bytes of filter body, over all sections, that may be held in memory
 */
public record ReadLimits(long maxBytes) {
  /** No limit but the bytes that really arrive: memory grows with them, never with a claim. */
  public static final ReadLimits NONE = new ReadLimits(Long.MAX_VALUE);

  /** Checks the limit. */
  public ReadLimits {
    Checks.positive(maxBytes, "maxBytes");
  }
}
