package dev.bellows.bench.peers;

/**
 * A contender over longs. An abstract class and no interface: with one subclass loaded, calls of
 * its methods are direct.
 */
public abstract class LongsFilter {
  /** Puts a key, by the path that the library offers for one key. */
  public abstract void put(long key);

  /** Whether the key may be in it. */
  public abstract boolean mightContain(long key);

  /** The bits of its store. */
  public abstract long bits();

  /** Takes a key back. */
  public void remove(long key) {
    throw new UnsupportedOperationException("nothing can be taken out of " + this);
  }

  /** Puts keys by the fastest path for one owner; {@link #loaded} ends it. */
  public void load(long[] keys) {
    for (long key : keys) {
      put(key);
    }
  }

  /** The keys of {@link #load} are all there. */
  public void loaded() {}

  /** Puts keys by the path for batches. */
  public void putBatch(long[] keys) {
    for (long key : keys) {
      put(key);
    }
  }

  /** The number of keys that may be in it, by the path for batches. */
  public int count(long[] keys, boolean[] hits) {
    int count = 0;
    for (int i = 0; i < keys.length; i++) {
      hits[i] = mightContain(keys[i]);
      count += hits[i] ? 1 : 0;
    }
    return count;
  }
}
