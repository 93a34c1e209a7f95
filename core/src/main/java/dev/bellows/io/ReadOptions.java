package dev.bellows.io;

import dev.bellows.HashScheme;
import dev.bellows.internal.base.Checks;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a filter is read: a size limit for untrusted input, and the hash scheme if the keys were
 * hashed with a secret key.
 *
 * @param maxBytes the maximum number of bytes of a filter that may be held in memory
 * @param hashScheme the scheme with which the filter must have been built, or null to use the one
 *     named in the file
 */
public record ReadOptions(long maxBytes, @Nullable HashScheme hashScheme) {
  /** The default options: a filter of at most 1 GiB. */
  public static final ReadOptions DEFAULT = new ReadOptions(1L << 30, null);

  /**
   * No limit: memory grows with the bytes that actually arrive, never with a length that a header
   * merely claims.
   */
  public static final ReadOptions UNLIMITED = new ReadOptions(Long.MAX_VALUE, null);

  /** Checks the limit. */
  public ReadOptions {
    Checks.positive(maxBytes, "maxBytes");
  }

  /** Returns these options with another limit. */
  public ReadOptions withMaxBytes(long newMaxBytes) {
    return new ReadOptions(newMaxBytes, hashScheme);
  }

  /** Returns these options with the scheme with which the filter must have been built. */
  public ReadOptions withHashScheme(HashScheme newScheme) {
    return new ReadOptions(maxBytes, Objects.requireNonNull(newScheme, "hashScheme"));
  }
}
