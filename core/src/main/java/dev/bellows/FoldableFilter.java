package dev.bellows;

import dev.bellows.plan.Layout;
import java.util.List;
import java.util.Optional;

/**
 * A filter over an array of equal cells, which folds to any divisor of its size and merges with
 * filters of other sizes.
 *
 * @param <F> the filter itself
 */
public sealed interface FoldableFilter<F extends FoldableFilter<F>> extends KeyFilter
    permits BloomFilter, CountingBloomFilter {
  /**
   * The highest expected rate of a merge that is worth having, unless the caller says otherwise.
   */
  double DEFAULT_MAX_FPP = 0.5;

  /** How keys choose cells. */
  Layout layout();

  /** The size, m: bits or counters. */
  long bits();

  /** Positions per key, k. */
  int hashes();

  /** The rate at which outsiders pass this very filter, from its real fill. */
  double expectedFpp();

  /**
   * The number of distinct keys its bits speak of. Never throws: on a full filter it is the number
   * that would have left half a bit, so "at least so many".
   */
  long approximateElementCount();

  /** All sizes this filter folds to, ascending, itself included, with the rate to expect. */
  List<FoldSize> ladder();

  /**
   * The filter folded by a factor: a smaller filter with the same keys, bit for bit the one that
   * would have been built at that size (000 Eq 3). This filter stays as it is.
   */
  F foldBy(long factor);

  /** The filter folded to a size on its ladder. */
  F foldTo(long bits);

  /** The smallest folding whose rate, from its real fill, is at most fpp. */
  F foldToFpp(double fpp);

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
