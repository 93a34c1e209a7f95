package dev.bellows;

import dev.bellows.internal.layout.RateRule;
import java.util.Optional;

/**
 * A filter that can be merged with another one of its kind.
 *
 * <p><strong>The rate of the result.</strong> All kinds follow one rule: by default a merge throws
 * if the expected false positive rate of the result is more than twice its {@linkplain #targetFpp
 * target}, the higher one of both filters, or above 50 %. A caller who accepts another rate passes
 * it as {@code maxFpp}. Two filters of one size that are both full do not pass; merging them takes
 * filters built for the keys of both, or a kind that grows. Autoscaling filters, which may miss
 * keys, are judged by how well they still tell keys apart.
 *
 * @param <F> the filter itself
 */
public interface Mergeable<F extends Mergeable<F>> {
  /**
   * Returns the false positive rate that this filter is meant to have: the rate it was built for;
   * in a filter that does not store it, the rate of its layout at its design load; in kinds that
   * have neither, its current rate.
   */
  double targetFpp();

  /** Returns the reason why the other filter cannot be merged with this one, or empty if it can. */
  Optional<String> incompatibility(F other);

  /** Returns whether the other filter can be merged with this one. */
  default boolean isCompatible(F other) {
    return incompatibility(other).isEmpty();
  }

  /**
   * Returns a filter that contains every key of both; throws if its expected rate is more than
   * twice the target.
   */
  default F union(F other) {
    return union(other, RateRule.mergeLimit(Math.max(targetFpp(), other.targetFpp())));
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
    /**
     * Returns a filter that contains every key that is in both; throws if its expected rate is more
     * than twice the target.
     */
    default F intersection(F other) {
      return intersection(other, RateRule.mergeLimit(Math.max(targetFpp(), other.targetFpp())));
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
