package dev.bellows;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterFile;
import dev.bellows.internal.layout.Group;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A loader that fills a {@link BloomFilter} in one thread, before other threads use it. No other
 * thread can see its bits, so a put needs no atomic operation and does not report whether it
 * changed anything. {@link #build} returns the filter, which is thread-safe and has the same bits
 * as a filter into which the keys were put directly. {@link BloomFilter.Builder#loader()} returns a
 * loader that fills the heap, {@link BloomFilter.Builder#loader(Path)} one that fills a file, which
 * may be larger than the heap; only the latter must be {@linkplain #close closed}.
 */
public final class BloomLoader implements AutoCloseable {
  private final Shape shape;
  private final HashScheme scheme;
  private final Positions positions;
  private final long id;
  private final Group group = new Group();
  private final @Nullable FilterFile file;
  private final @Nullable Path path;
  private @Nullable HeapBits store;

  BloomLoader(Shape shape, long id) {
    this.shape = shape;
    this.scheme = shape.scheme();
    this.positions = shape.positions();
    this.id = id;
    this.file = null;
    this.path = null;
    this.store = positions.newStore();
  }

  BloomLoader(Shape shape, long id, Path path) throws IOException {
    this.shape = shape;
    this.scheme = shape.scheme();
    this.positions = shape.positions();
    this.id = id;
    this.file = FilterFile.begin(path, shape, id);
    this.path = path;
    this.store = null;
  }

  /** Returns the scheme that hashes keys. */
  public HashScheme hashScheme() {
    return scheme;
  }

  /** Puts the key with this hash. */
  public void putHash(long hash) {
    if (file == null) {
      positions.load(store(), hash);
    } else {
      file.put(hash);
    }
  }

  /** Puts a long. */
  public void put(long key) {
    putHash(scheme.hash(key));
  }

  /** Puts a character, as text of length one. */
  public void put(char key) {
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

  /** Puts a key of any type. */
  public <T> void put(T key, KeyHasher<? super T> hasher) {
    putHash(scheme.hash(key, hasher));
  }

  /** Puts every hash in {@code [from, to)}; this is the fastest way to load keys. */
  public void putHashes(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    if (file != null) {
      file.put(hashes, from, to);
      return;
    }
    HeapBits store = store();
    int length;
    for (int at = from; at < to; at += length) {
      length = group.take(hashes, at, to);
      positions.load(store, group, length);
    }
  }

  /** Puts every key. */
  public void putAll(long[] keys) {
    HeapBits store = file == null ? store() : null;
    int length;
    for (int from = 0; from < keys.length; from += length) {
      length = scheme.hash(keys, from, group.hashes);
      if (store == null) {
        putHashes(group.hashes, 0, length);
      } else {
        positions.load(store, group, length);
      }
    }
  }

  /** Puts every text, as UTF-8. */
  public void putAll(Iterable<? extends CharSequence> keys) {
    for (CharSequence key : keys) {
      put(key);
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

  /** Puts every key of the stream, one after the other. */
  public <T> void putAll(Stream<? extends T> keys, KeyHasher<? super T> hasher) {
    keys.sequential().forEachOrdered(key -> put(key, hasher));
  }

  /**
   * Returns the false positive rate for the keys put so far, computed in one pass over the bits.
   * Call this method before {@link #build} to avoid replacing a file with an overfull filter.
   */
  public double expectedFpp() {
    return file == null ? positions.fpp(store()) : file.expectedFpp();
  }

  /**
   * Returns the filter. This can be called once; afterwards the loader accepts no more keys. A
   * loader that fills a file writes the checksums, renames the file to its path and returns the
   * mapped filter, as {@link BloomFilter#map} does. If that fails, it throws {@link
   * UncheckedIOException}, and the path is unchanged.
   */
  public BloomFilter build() {
    if (file != null && path != null) {
      try {
        return file.commit(
            () -> BloomFilter.mapped(path, ReadOptions.DEFAULT.withHashScheme(scheme)));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    BloomFilter filter = new BloomFilter(shape, store(), Origin.owner(id));
    store = null;
    return filter;
  }

  /** Discards the filter if it was not built, and deletes its temporary file. */
  @Override
  public void close() {
    store = null;
    if (file != null) {
      try {
        file.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private HeapBits store() {
    HeapBits filling = store;
    if (filling == null) {
      throw new IllegalStateException(
          "the filter was built and this loader is closed: put keys into the filter, or create a"
              + " new loader");
    }
    return filling;
  }
}
