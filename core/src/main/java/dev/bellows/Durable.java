package dev.bellows;

import dev.bellows.internal.journal.DurableContent;

/**
 * A filter that can live in a folder and survive its process: {@code
 * dev.bellows.durable.DurableFilter} keeps it there. Sealed: the type of {@link #durableContent} is
 * internal, so that only filters of this library implement it.
 */
public interface Durable extends KeyFilter, Membership {
  @Override
  HashScheme hashScheme();

  /** What a durable folder needs from this filter; for this library only. */
  @SuppressWarnings("exports")
  DurableContent<? extends Durable> durableContent();
}
