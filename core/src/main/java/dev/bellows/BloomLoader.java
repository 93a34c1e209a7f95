package dev.bellows;

import dev.bellows.internal.store.Group;
import dev.bellows.internal.store.HeapBits;
import dev.bellows.internal.store.Origin;
import dev.bellows.internal.store.Positions;
import dev.bellows.internal.store.Shape;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Loads a {@link BloomFilter} in one thread, before other threads use it. No other thread can see
 * its bits, so a put needs no atomic operation and does not report whether it changed anything.
 * {@link #build} ends the loading and returns the filter, which is thread-safe and has the same
 * bits as after the same puts. {@link BloomFilter.Builder#loader} makes one.
 */
public final class BloomLoader {
  private final Shape shape;
  private final HashScheme scheme;
  private final Positions positions;
  private final long id;
  private final Group group = new Group();
  private @Nullable HeapBits store;

  BloomLoader(Shape shape, long id) {
    this.shape = shape;
    this.scheme = shape.scheme();
    this.positions = shape.positions();
    this.id = id;
    this.store = positions.newStore();
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

  /** Puts a double; -0.0 is 0.0 and every NaN is the same. */
  public void put(double key) {
    putHash(scheme.hash(key));
  }

  /** Puts the bytes from position to limit. */
  public void put(ByteBuffer key) {
    putHash(scheme.hash(key));
  }

  /** Puts a UUID. */
  public void put(UUID key) {
    putHash(scheme.hash(key));
  }

  /** Puts a key of any type. */
  public <T> void put(T key, KeyHasher<? super T> hasher) {
    putHash(hasher.hash(key, scheme));
  }

  /** Puts every hash in {@code [from, to)}: the fastest form. */
  public void putHashes(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    HeapBits store = store();
    for (int at = from; at < to; at += Group.SIZE) {
      positions.load(store, group, group.take(hashes, at, to));
    }
  }

  /** Puts every key. */
  public void putAll(long[] keys) {
    HeapBits store = store();
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

  /** Puts every key. */
  public <T> void putAll(Iterable<? extends T> keys, KeyHasher<? super T> hasher) {
    for (T key : keys) {
      put(key, hasher);
    }
  }

  /** Returns the filter, once: afterwards this loader accepts no keys. */
  public BloomFilter build() {
    BloomFilter filter = new BloomFilter(shape, store(), Origin.owner(id));
    store = null;
    return filter;
  }

  private HeapBits store() {
    HeapBits filling = store;
    if (filling == null) {
      throw new IllegalStateException(
          "the filter was built and this loader is closed: put into the filter or make a new loader");
    }
    return filling;
  }
}
