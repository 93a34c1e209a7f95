package dev.bellows.spark.internal;

import dev.bellows.FilterStats;
import dev.bellows.Layout;
import dev.bellows.io.FilterKind;
import org.jspecify.annotations.Nullable;

/** Whether a filter has more keys than its bits are designed for, e.g. after a union. */
final class Overfull {
  /**
   * A rate this many times above those for which the bits per key are designed deserves a warning.
   */
  private static final double TOLERANCE = 2;

  /** Above this rate no filter is of much use, however it was made. */
  private static final double USELESS = 0.25;

  private Overfull() {}

  /** Returns a warning for the user; null if the filter is fine. */
  static @Nullable String warning(FilterStats stats) {
    Layout.Family layout = stats.family();
    double fpp = stats.expectedFpp();
    boolean plain = stats.kind() == FilterKind.BLOOM || stats.kind() == FilterKind.COUNTING;
    if (!plain || layout == null || !(fpp > 0 && fpp < 1)) {
      return null;
    }
    boolean madeForLess = layout.forFpp(fpp / TOLERANCE).hashes() < stats.hashes();
    return madeForLess || fpp > USELESS
        ? "fpp %.3g is above the rates for which %d bits per key are made: too many keys for %d bits, as in a union of filters without room; build the parts with bellows_agg(key, fpp, keys)"
            .formatted(fpp, stats.hashes(), stats.bits())
        : null;
  }
}
