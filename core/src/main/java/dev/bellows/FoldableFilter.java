package dev.bellows;

import dev.bellows.plan.Layout;
import java.util.Optional;

/**
 * A filter of keys that folds to any divisor of its size and merges with filters of other sizes.
 *
 * @param <F> the filter itself
 */
public sealed interface FoldableFilter<F extends FoldableFilter<F>> extends KeyFilter, Foldable<F>
    permits BloomFilter, CountingBloomFilter {
  /**
   * The highest expected rate of a merge that is worth having, unless the caller says otherwise.
   */
  double DEFAULT_MAX_FPP = 0.5;

  /** How keys choose cells. */
  Layout layout();

  @Override
  default long sizeInBytes() {
    return stats().bytes();
  }

  /** A filter that holds every key of both; refused if it would pass half of all outsiders. */
  default F union(F other) {
    return union(other, DEFAULT_MAX_FPP);
  }

  /**
   * A filter that holds every key of both. Filters of different sizes fold to the greatest common
   * divisor of their sizes first.
   *
   * @param maxFpp the highest expected rate of the result that is worth having
   */
  F union(F other, double maxFpp);

  /** Why the other filter cannot be merged with this one; empty if it can. */
  Optional<String> incompatibility(F other);

  /** Whether the other filter can be merged with this one. */
  default boolean isCompatible(F other) {
    return incompatibility(other).isEmpty();
  }

  /** The plain filter of the same keys: an independent copy. */
  BloomFilter toBloomFilter();

  /** An independent filter with the same content. */
  F copy();

  /** Forgets every key. */
  void clear();
}
