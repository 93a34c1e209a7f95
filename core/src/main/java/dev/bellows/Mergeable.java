package dev.bellows;

import java.util.Optional;

/**
 * A filter that becomes one with another of its kind.
 *
 * @param <F> the filter itself
 */
public interface Mergeable<F extends Mergeable<F>> {
  /** The highest expected rate of a result that is worth having, unless the caller says so. */
  double DEFAULT_MAX_FPP = 0.5;

  /** Why the other filter cannot be merged with this one; empty if it can. */
  Optional<String> incompatibility(F other);

  /** Whether the other filter can be merged with this one. */
  default boolean isCompatible(F other) {
    return incompatibility(other).isEmpty();
  }

  /** A filter that holds every key of both; refused if its expected rate passes 0.5. */
  default F union(F other) {
    return union(other, DEFAULT_MAX_FPP);
  }

  /**
   * A filter that holds every key of both.
   *
   * @param maxFpp the highest expected rate of the result that is worth having
   */
  F union(F other, double maxFpp);

  /** An independent filter with the same content. */
  F copy();
}
