package dev.bellows.bench.peers;

import java.io.IOException;

/**
 * A filter of one library in one role. A subclass overrides what its library can do in that role;
 * operations choose contenders that support them, so a call of anything else is a mistake in the
 * catalog and fails.
 *
 * <p>It is an abstract class rather than an interface, and its methods for single keys are
 * abstract: with one subclass loaded, calls of them are direct. If a library merges in place, so
 * does its contender; if it creates a new filter, that is measured.
 */
public abstract class Contender {
  /** Returns the number of bits in its store. */
  public abstract long bits();

  /** Puts a key, by the path that the library offers for one key. */
  public abstract void put(long key);

  /** Returns whether it might contain the key. */
  public abstract boolean mightContain(long key);

  /** Puts a text or the content of an array. */
  public abstract void putObject(Object key);

  /** Returns whether it might contain a text or the content of an array. */
  public abstract boolean mightContainObject(Object key);

  /** Removes a key. */
  public void remove(long key) {
    throw absent();
  }

  /** Puts keys by the fastest path for a single owner; {@link #loaded} ends it. */
  public void load(long[] keys) {
    putBatch(keys);
  }

  /** Called after the last {@link #load}, before the first query. */
  public void loaded() {}

  /** Puts keys by the path for batches. */
  public void putBatch(long[] keys) {
    for (long key : keys) {
      put(key);
    }
  }

  /** Counts the keys that it might contain, by the path for batches. */
  public int count(long[] keys, boolean[] hits) {
    int count = 0;
    for (int i = 0; i < keys.length; i++) {
      hits[i] = mightContain(keys[i]);
      count += hits[i] ? 1 : 0;
    }
    return count;
  }

  /** Puts some of the keys that this filter and the other one were made for, a quarter shared. */
  public final void fillWith(Contender other, long keys) {
    long some = Math.min(keys / 4, 1_000_000);
    for (long i = 0; i < some; i++) {
      put(BenchKeys.mix(i));
      other.put(BenchKeys.mix(i + some * 3 / 4));
    }
  }

  /** Returns the union with another filter of this class. */
  public Object union(Contender other) throws Exception {
    throw absent();
  }

  /** Returns the intersection with another filter of this class. */
  public Object intersection(Contender other) throws Exception {
    throw absent();
  }

  /** Returns the filter folded to half its size. */
  public Object fold() {
    throw absent();
  }

  /** Writes it to the stream and returns that, or an array if that is all the library offers. */
  public Object write(MemoryStream memory) throws IOException {
    throw absent();
  }

  /** Reads what {@link #write} wrote. */
  public Object read(byte[] bytes) throws IOException {
    throw absent();
  }

  /** Returns a copy of it. */
  public Object copy() {
    throw absent();
  }

  final UnsupportedOperationException absent() {
    return new UnsupportedOperationException(getClass().getName() + " cannot do that");
  }
}
