package dev.bellows;

import dev.bellows.plan.BloomPlan;

/**
 * A filter of keys, of bits or of counters, that folds to any divisor of its size and merges with
 * filters of other sizes.
 *
 * @param <F> the filter itself
 */
public sealed interface FoldableFilter<F extends FoldableFilter<F>>
    extends KeyFilter, Membership, Foldable<F>, Mergeable<F>, Filter.Identified
    permits BloomFilter, CountingBloomFilter {
  /** Returns the layout: how keys choose cells. */
  Layout layout();

  /**
   * Returns the layout and the size, without keys and rate: what another filter needs in order to
   * be merged with this one.
   */
  BloomPlan plan();

  /**
   * Returns a 64-bit hash of the content: for a folding, that of the filter that was folded; for
   * any other filter with an id, its current content. Returns 0 without an id.
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
