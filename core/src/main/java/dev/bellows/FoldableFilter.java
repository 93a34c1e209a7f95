package dev.bellows;

/**
 * A filter of keys, of bits or of counters, that folds to any divisor of its size and merges with
 * filters of other sizes.
 *
 * @param <F> the filter itself
 */
public sealed interface FoldableFilter<F extends FoldableFilter<F>>
    extends KeyFilter, Membership, Foldable<F>, Mergeable<F>
    permits BloomFilter, CountingBloomFilter {
  @Override
  HashScheme hashScheme();

  @Override
  double expectedFpp();

  /** How keys choose cells. */
  Layout layout();

  /** The identity its builder gave it, 0 for none; foldings and files carry it. */
  long filterId();

  /**
   * The content it was taken from, as a 64-bit hash: of a folding what was folded, of any other
   * filter with an id what it holds now. 0 without an id.
   */
  long state();

  /** The plain filter of the same keys: an independent copy, of the same state. */
  BloomFilter toBloomFilter();

  /** Forgets every key. */
  void clear();

  /** This filter for keys of one type. */
  default <T> TypedFilter<T> typed(KeyHasher<? super T> hasher) {
    return new TypedFilter<>(this, this, hasher);
  }
}
