package dev.bellows.bench.peers;

/**
 * A contender over keys that are objects.
 *
 * @param <K> text or bytes
 */
public abstract class KeyedFilter<K> {
  /** Puts a key. */
  public abstract void put(K key);

  /** Whether the key may be in it. */
  public abstract boolean mightContain(K key);

  /** The bits of its store. */
  public abstract long bits();
}
