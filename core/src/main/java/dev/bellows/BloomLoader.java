package dev.bellows;

import dev.bellows.internal.BitLayout;
import dev.bellows.internal.Group;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link BloomFilter} while one thread, and only one, fills it: nobody else can see its bits, so
 * no put needs an atomic operation and none has to say whether it changed anything. {@link #build}
 * ends the loading and gives the filter, which is safe from any thread and has the bits that the
 * same puts would have given it. {@link BloomFilter.Builder#loader} makes one.
 */
public final class BloomLoader {
  private final FilterShape shape;
  private final HashScheme scheme;
  private final BitLayout positions;
  private final long id;
  private final Group group = new Group();
  private long @Nullable [] words;

  BloomLoader(FilterShape shape, long id) {
    this.shape = shape;
    this.scheme = shape.scheme();
    this.positions = shape.positions();
    this.id = id;
    this.words = positions.newStore();
  }

  /** How keys become hashes. */
  public HashScheme hashScheme() {
    return scheme;
  }

  /** Puts the key with this hash. */
  public void putHash(long hash) {
    positions.load(store(), hash);
  }

  /** Puts a long. */
  public void put(long key) {
    putHash(scheme.hash(key));
  }

  /** Puts text, as UTF-8. */
  public void put(CharSequence key) {
    putHash(scheme.hash(key));
  }

  /** Puts bytes. */
  public void put(byte[] key) {
    putHash(scheme.hash(key));
  }

  /** Puts a range of bytes. */
  public void put(byte[] bytes, int from, int length) {
    putHash(scheme.hash(bytes, from, length));
  }

  /** Puts a key of any type. */
  public <T> void put(T key, KeyHasher<? super T> hasher) {
    putHash(hasher.hash(key, scheme));
  }

  /** Puts every hash in {@code [from, to)}: the fastest way in. */
  public void putHashes(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    long[] store = store();
    for (int at = from; at < to; at += Group.SIZE) {
      positions.load(store, group, group.take(hashes, at, to));
    }
  }

  /** Puts every key. */
  public void putAll(long[] keys) {
    long[] store = store();
    for (int from = 0; from < keys.length; from += Group.SIZE) {
      positions.load(store, group, scheme.hash(keys, from, group.hashes));
    }
  }

  /** Puts every key. */
  public <T> void putAll(T[] keys, KeyHasher<? super T> hasher) {
    for (T key : keys) {
      put(key, hasher);
    }
  }

  /** The filter, once: from now on this loader takes no keys. */
  public BloomFilter build() {
    BloomFilter filter = new BloomFilter(shape, store(), Origin.owner(id));
    words = null;
    return filter;
  }

  private long[] store() {
    long[] store = words;
    if (store == null) {
      throw new IllegalStateException(
          "the filter was built and this loader is done: put into the filter, or take a new loader");
    }
    return store;
  }
}
