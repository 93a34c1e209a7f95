package dev.bellows.io;

import dev.bellows.HashScheme;
import dev.bellows.internal.base.Checks;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Options for reading a filter: a size limit for untrusted input, and the hash scheme if the keys
 * were hashed with a secret key.
 *
 * @param maxBytes the maximum number of bytes that a filter may use in memory
 * @param hashScheme the scheme with which the filter must have been built, or null to use the one
 *     named in the file
 */
public record ReadOptions(long maxBytes, @Nullable HashScheme hashScheme) {
  /** The default options: a filter of at most 1 GiB. */
  public static final ReadOptions DEFAULT = new ReadOptions(1L << 30, null);

  /**
   * Options without a limit. Memory still grows only with the bytes that actually arrive, never
   * with a length that a header merely claims.
   */
  public static final ReadOptions UNLIMITED = new ReadOptions(Long.MAX_VALUE, null);

  /** Validates the limit. */
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
