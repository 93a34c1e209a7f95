package dev.bellows.cli.kinds;

import dev.bellows.Filter;
import org.jspecify.annotations.Nullable;

/**
 * A filled filter.
 *
 * @param filter the filter
 * @param lines the number of keys read, including repetitions
 * @param keys how many distinct ones there were, as far as is known; null for a kind without keys
 * @param known how {@code keys} is known
 * @param askedFpp the requested rate, or null if none was
 * @param isWritten whether it was filled in its file and is there already
 */
public record Built(
    Filter filter,
    long lines,
    @Nullable Double keys,
    Known known,
    @Nullable Double askedFpp,
    boolean isWritten) {
  /** How the number of distinct keys is known. */
  public enum Known {
    COUNTED("distinct, counted"),
    PUTS("stored, repetitions included"),
    FROM_FILL("distinct, estimated from the fill"),
    /** Counted by a filter that counts only new keys, so that its false positives are missing. */
    NEW_ONES("distinct; keys that were false positives are not counted");

    private final String remark;

    Known(String remark) {
      this.remark = remark;
    }

    public String remark() {
      return remark;
    }
  }

  /** Returns a filter without a requested rate. */
  static Built of(Filter filter, long lines, long keys, Known known) {
    return new Built(filter, lines, (double) keys, known, null, false);
  }

  public boolean isCounted() {
    return known == Known.COUNTED;
  }
}
