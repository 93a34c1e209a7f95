package dev.bellows.elastic;

import dev.bellows.FoldableFilter;
import org.jspecify.annotations.Nullable;

/**
 * The filters of an {@link ElasticBloomFilter} that every put reaches. Another object replaces it
 * when one of them is replaced.
 */
final class KeptFilters {
  /** Null in a frozen filter. */
  final @Nullable FoldableFilter<?> capacity;

  /** A folding from which smaller ones are made. */
  final @Nullable FoldableFilter<?> middle;

  /** Answers queries. */
  final FoldableFilter<?> view;

  /** Will replace one of the others, and does not have all keys yet. */
  private final @Nullable FoldableFilter<?> coming;

  KeptFilters(
      @Nullable FoldableFilter<?> capacity,
      @Nullable FoldableFilter<?> middle,
      FoldableFilter<?> view,
      @Nullable FoldableFilter<?> coming) {
    this.capacity = capacity;
    this.middle = middle;
    this.view = view;
    this.coming = coming;
  }

  /** The filter that knows most: the capacity, or the view of a frozen filter. */
  FoldableFilter<?> full() {
    return capacity == null ? view : capacity;
  }

  boolean isFrozen() {
    return capacity == null;
  }

  /**
   * Puts a key into all of them; true iff the first one changed. If that had its bits already, they
   * may come from a put that has not reached the others yet.
   */
  boolean put(long hash) {
    boolean isNew = full().putHash(hash);
    if (capacity != null) {
      if (middle != null) {
        middle.putHash(hash);
      }
      view.putHash(hash);
    }
    if (coming != null) {
      coming.putHash(hash);
    }
    return isNew;
  }
}
