package dev.bellows.internal.layout;

import dev.bellows.internal.base.Prose;
import java.util.List;
import java.util.Optional;

/** Checks whether two filters can be merged, with uniform messages. */
public final class Merging {
  private Merging() {}

  /** Returns the first pair of properties that differ; empty if all are equal. */
  public static Optional<String> difference(List<?> here, List<?> there) {
    for (int i = 0; i < here.size(); i++) {
      if (!here.get(i).equals(there.get(i))) {
        return Optional.of(here.get(i) + " here and " + there.get(i) + " there");
      }
    }
    return Optional.empty();
  }

  /** Throws if there is an incompatibility. */
  public static void requireCompatible(Optional<String> incompatibility) {
    if (incompatibility.isPresent()) {
      throw new IllegalArgumentException("filters cannot be merged: " + incompatibility.get());
    }
  }

  /** Returns whether a rate is above the limit, which must be from 0 to 1. */
  public static boolean isAbove(double fpp, double maxFpp) {
    if (!(maxFpp >= 0 && maxFpp <= 1)) {
      throw new IllegalArgumentException("maxFpp %s is not between 0 and 1".formatted(maxFpp));
    }
    return fpp > maxFpp;
  }

  /** Throws if the rate of a result exceeds the limit. */
  public static void requireUseful(double fpp, double maxFpp, String wayOut) {
    if (isAbove(fpp, maxFpp)) {
      throw new IllegalArgumentException(
          "the result would have fpp %s, above %s: %s, or raise the limit"
              .formatted(Prose.fpp(fpp), Prose.limit(maxFpp), wayOut));
    }
  }
}
