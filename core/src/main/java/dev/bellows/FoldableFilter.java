package dev.bellows;

import dev.bellows.plan.BloomPlan;

/**
 * A filter of bits or counters that folds to any divisor of its size and merges with filters of
 * other sizes.
 *
 * @param <F> the filter itself
 */
public sealed interface FoldableFilter<F extends FoldableFilter<F>>
    extends KeyFilter, Membership, Foldable<F>, Mergeable<F>, Filter.Identified
    permits BloomFilter, CountingBloomFilter {
  /** Returns the layout, which maps keys to cells. */
  Layout layout();

  /**
   * Returns the layout and the size, without keys and rate. A filter that is built from this plan,
   * with the same hash scheme, can be merged with this one.
   */
  BloomPlan plan();

  /**
   * Returns a 64-bit hash of the content: for a folding, the content of the filter from which it
   * was folded; for any other filter with an id, the current content. Returns 0 if the filter has
   * no id.
   */
  @Override
  long state();

  /** Returns a plain filter with the same keys and the same state, as an independent copy. */
  BloomFilter toBloomFilter();

  /** Removes every key. */
  void clear();

  /** Returns a view of this filter for keys of one type. */
  default <T> TypedFilter<T> typed(KeyHasher<? super T> hasher) {
    return new TypedFilter<>(this, this, hasher);
  }
}
