package dev.bellows;

import java.util.Optional;

/**
 * A filter that can be merged with another one of its kind.
 *
 * @param <F> the filter itself
 */
public interface Mergeable<F extends Mergeable<F>> {
  /** The default maximum false positive rate of the result of a merge. */
  double DEFAULT_MAX_FPP = 0.5;

  /** Returns the reason why the other filter cannot be merged with this one, or empty if it can. */
  Optional<String> incompatibility(F other);

  /** Returns whether the other filter can be merged with this one. */
  default boolean isCompatible(F other) {
    return incompatibility(other).isEmpty();
  }

  /** Returns a filter that contains every key of both; throws if its expected rate exceeds 0.5. */
  default F union(F other) {
    return union(other, DEFAULT_MAX_FPP);
  }

  /**
   * Returns a filter that contains every key of both.
   *
   * @param maxFpp the maximum false positive rate of the result; if it is exceeded, the method
   *     throws
   */
  F union(F other, double maxFpp);

  /** Returns an independent filter with the same content. */
  F copy();

  /**
   * A filter that can also be intersected with another one of its kind.
   *
   * @param <F> the filter itself
   */
  interface Intersectable<F extends Intersectable<F>> extends Mergeable<F> {
    /** Returns a filter that contains every key that is in both; throws if its rate exceeds 0.5. */
    default F intersection(F other) {
      return intersection(other, DEFAULT_MAX_FPP);
    }

    /**
     * Returns a filter that contains every key that is in both.
     *
     * @param maxFpp the maximum false positive rate of the result; if it is exceeded, the method
     *     throws
     */
    F intersection(F other, double maxFpp);
  }

  /**
   * A filter from which the keys of another one of its kind can be subtracted.
   *
   * @param <F> the filter itself
   */
  interface Subtractable<F extends Subtractable<F>> extends Mergeable<F> {
    /**
     * Returns a filter without the keys of the other, all of which must have been put into this
     * one.
     */
    F subtract(F other);
  }
}
