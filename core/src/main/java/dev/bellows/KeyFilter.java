package dev.bellows;

import java.util.Objects;
import java.util.stream.Stream;

/**
 * A filter into which keys can be put. All methods hash the key and call {@link #putHash}. Queries
 * are declared by other interfaces, e.g. {@link Membership} if "no" is certain.
 */
public interface KeyFilter extends Filter {
  /**
   * Puts the key with this hash and returns whether this call changed the filter. If several
   * threads put the same new key concurrently, more than one call may return true.
   */
  boolean putHash(long hash);

  /**
   * Puts a long and returns whether this call changed the filter, which means that the key was
   * certainly new.
   */
  default boolean put(long key) {
    return putHash(hashScheme().hash(key));
  }

  /** Puts a character, as text of length one. */
  default boolean put(char key) {
    return putHash(hashScheme().hash(key));
  }

  /** Puts text, as UTF-8. */
  default boolean put(CharSequence key) {
    return putHash(hashScheme().hash(key));
  }

  /** Puts bytes. */
  default boolean put(byte[] key) {
    return putHash(hashScheme().hash(key));
  }

  /** Puts a key of any type. */
  default <T> boolean put(T key, KeyHasher<? super T> hasher) {
    return putHash(hashScheme().hash(key, hasher));
  }

  /** Puts every hash in {@code [from, to)} and returns how many of them changed the filter. */
  default int putHashes(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int changed = 0;
    for (int i = from; i < to; i++) {
      changed += putHash(hashes[i]) ? 1 : 0;
    }
    return changed;
  }

  /** Puts every key and returns how many of them changed the filter. */
  default int putAll(long[] keys) {
    HashScheme scheme = hashScheme();
    return Batches.put(this, keys.length, i -> scheme.hash(keys[i]));
  }

  /** Puts every text, as UTF-8, and returns how many of them changed the filter. */
  default long putAll(Iterable<? extends CharSequence> keys) {
    long changed = 0;
    for (CharSequence key : keys) {
      changed += put(key) ? 1 : 0;
    }
    return changed;
  }

  /** Puts every key and returns how many of them changed the filter. */
  default <T> int putAll(T[] keys, KeyHasher<? super T> hasher) {
    HashScheme scheme = hashScheme();
    return Batches.put(this, keys.length, i -> scheme.hash(keys[i], hasher));
  }

  /** Puts every key and returns how many of them changed the filter. */
  default <T> long putAll(Iterable<? extends T> keys, KeyHasher<? super T> hasher) {
    long changed = 0;
    for (T key : keys) {
      changed += put(key, hasher) ? 1 : 0;
    }
    return changed;
  }

  /**
   * Puts every key of the stream, one after the other, and returns how many of them changed the
   * filter.
   */
  default <T> long putAll(Stream<? extends T> keys, KeyHasher<? super T> hasher) {
    return keys.sequential().filter(key -> put(key, hasher)).count();
  }

  /**
   * A filter from which keys can be removed. All methods hash the key and call {@link #removeHash}.
   *
   * <p>Remove only keys that were put. Removing a key that was not put, but is a false positive,
   * damages other keys, which queries may then report as absent. This is the only way in which
   * these filters can lose a key.
   */
  interface Removable extends KeyFilter {
    /**
     * Removes one put of the key with this hash. If the key is certainly absent, nothing changes.
     *
     * @return whether it was removed
     */
    boolean removeHash(long hash);

    /** Removes one put of the long. */
    default boolean remove(long key) {
      return removeHash(hashScheme().hash(key));
    }

    /** Removes one put of the character, as text of length one. */
    default boolean remove(char key) {
      return removeHash(hashScheme().hash(key));
    }

    /** Removes one put of the text. */
    default boolean remove(CharSequence key) {
      return removeHash(hashScheme().hash(key));
    }

    /** Removes one put of the bytes. */
    default boolean remove(byte[] key) {
      return removeHash(hashScheme().hash(key));
    }

    /** Removes one put of a key of any type. */
    default <T> boolean remove(T key, KeyHasher<? super T> hasher) {
      return removeHash(hashScheme().hash(key, hasher));
    }
  }
}
