package dev.bellows.io;

import dev.bellows.HashScheme;
import dev.bellows.internal.base.Checks;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a filter is read: a limit for untrusted input, and the keyed scheme where its keys were
 * hashed with a secret.
 *
 * @param maxBytes the most bytes of filter that may be held in memory
 * @param hashScheme the scheme the filter must have been built with, or null to use the one that it
 *     names
 */
public record ReadOptions(long maxBytes, @Nullable HashScheme hashScheme) {
  /** The options of the short forms of {@code readFrom}: a filter of at most 1 GiB. */
  public static final ReadOptions DEFAULT = new ReadOptions(1L << 30, null);

  /**
   * No limit: memory grows with the bytes that really arrive, never with a length that a header
   * claims.
   */
  public static final ReadOptions UNLIMITED = new ReadOptions(Long.MAX_VALUE, null);

  /** Checks the limit. */
  public ReadOptions {
    Checks.positive(maxBytes, "maxBytes");
  }

  /** These options with another limit. */
  public ReadOptions withMaxBytes(long newMaxBytes) {
    return new ReadOptions(newMaxBytes, hashScheme);
  }

  /** These options with the scheme that the filter must have been built with. */
  public ReadOptions withHashScheme(HashScheme newScheme) {
    return new ReadOptions(maxBytes, Objects.requireNonNull(newScheme, "hashScheme"));
  }
}
