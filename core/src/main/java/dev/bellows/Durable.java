package dev.bellows;

import dev.bellows.internal.files.DurableContent;

/**
 * A filter that {@code dev.bellows.durable.DurableFilter} can keep in a folder, so that it survives
 * its process. Only filters of this library can implement this interface, because the return type
 * of {@link #durableContent} is internal.
 */
public interface Durable extends KeyFilter, Membership {
  /** Returns the operations that a durable folder needs; for use by this library only. */
  @SuppressWarnings("exports")
  DurableContent<? extends Durable> durableContent();

  /**
   * Returns a view of this filter for keys of one type, which a window puts at the time of its
   * clock.
   */
  default <T> TypedFilter<T> typed(KeyHasher<? super T> hasher) {
    return TypedFilter.of(this, hasher);
  }
}
