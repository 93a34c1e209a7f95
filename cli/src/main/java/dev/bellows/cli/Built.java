package dev.bellows.cli;

import dev.bellows.Filter;
import org.jspecify.annotations.Nullable;

/**
 * A filter with its keys in.
 *
 * @param filter the filter
 * @param lines how many keys came, repetitions included
 * @param keys how many distinct ones there were, as far as is known; null for a kind without keys
 * @param isCounted whether {@code keys} was counted rather than estimated from the fill
 * @param askedFpp the rate that was asked for, or null if none was
 * @param isWritten whether it was filled in its file and is there already
 */
record Built(
    Filter filter,
    long lines,
    @Nullable Double keys,
    boolean isCounted,
    @Nullable Double askedFpp,
    boolean isWritten) {
  /** A filter that counts its keys and has no rate to miss. */
  static Built counted(Filter filter, long lines, long keys) {
    return new Built(filter, lines, (double) keys, true, null, false);
  }
}
