package dev.bellows.papers.partition;

import dev.bellows.internal.base.Checks;

/**
 * The AND of two equal filters, which merges units in an intersection of partition filters (erratum
 * D9). A key of one set alone has the rate of the other filter.
 */
final class AndRates {
  private AndRates() {}

  /** Returns the expected share of ones in the AND of filters of two sets with common keys. */
  static double fill(long bits, int hashes, long first, long second, long both) {
    Checks.atLeast(both, first, "first");
    Checks.atLeast(both, second, "second");
    double common = ones(bits, hashes, both);
    return common
        + (1 - common) * ones(bits, hashes, first - both) * ones(bits, hashes, second - both);
  }

  /** Returns the rate of the AND for keys that are in neither set. */
  static double fppOfNeither(long bits, int hashes, long first, long second, long both) {
    return Math.pow(fill(bits, hashes, first, second, both), hashes);
  }

  /** Returns the expected share of ones with this many keys, {@code 1 - (1 - 1/m)^(kn)}. */
  private static double ones(long bits, int hashes, long keys) {
    return keys == 0 ? 0 : -Math.expm1((double) hashes * keys * Math.log1p(-1.0 / bits));
  }
}
