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
  /** How keys choose cells. */
  Layout layout();

  /**
   * The layout and size, without keys and rate: what another filter needs in order to merge with
   * it.
   */
  BloomPlan plan();

  /**
   * The content as a 64-bit hash: for a folding, of the filter that was folded; for any other
   * filter with an id, of its present content. 0 without an id.
   */
  @Override
  long state();

  /** The plain filter with the same keys: an independent copy, with the same state. */
  BloomFilter toBloomFilter();

  /** Removes every key. */
  void clear();

  /** A view of this filter for keys of one type. */
  default <T> TypedFilter<T> typed(KeyHasher<? super T> hasher) {
    return new TypedFilter<>(this, this, hasher);
  }
}
