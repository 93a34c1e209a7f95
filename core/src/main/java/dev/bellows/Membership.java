package dev.bellows;

import java.util.Objects;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * A filter that tells whether a key may be in a set. "No" is certain; "yes" is wrong at the false
 * positive rate. A filter that may miss a stored key does not implement this interface. All methods
 * hash the key and call {@link #mightContainHash}.
 *
 * <p>If the {@linkplain HashScheme#keyType key type} is known, a query for a key of another type
 * throws an {@link IllegalArgumentException}, because its "no" would mean nothing.
 */
public interface Membership {
  /** Returns the scheme that hashes keys. */
  HashScheme hashScheme();

  /** Returns whether the key with this hash may be in the set. */
  boolean mightContainHash(long hash);

  /** Returns whether the long may be in the set. */
  default boolean mightContain(long key) {
    return mightContainHash(hashScheme().hash(key));
  }

  /** Returns whether the character, as text of length one, may be in the set. */
  default boolean mightContain(char key) {
    return mightContainHash(hashScheme().hash(key));
  }

  /** Returns whether the text, as UTF-8, may be in the set. */
  default boolean mightContain(CharSequence key) {
    return mightContainHash(hashScheme().hash(key));
  }

  /** Returns whether the bytes may be in the set. */
  default boolean mightContain(byte[] key) {
    return mightContainHash(hashScheme().hash(key));
  }

  /**
   * Returns whether the key may be in the set; the hasher must be the one with which keys were put.
   */
  default <T> boolean mightContain(T key, KeyHasher<? super T> hasher) {
    return mightContainHash(hashScheme().hash(key, hasher));
  }

  /**
   * Tests every hash in {@code [from, to)}, writes each answer to the same index of {@code hits}
   * and returns the number of hits. This is faster than single calls for kinds that override it,
   * because cache misses overlap.
   */
  default int countMightContainHashes(long[] hashes, int from, int to, boolean[] hits) {
    Objects.checkFromToIndex(from, to, Math.min(hashes.length, hits.length));
    int count = 0;
    for (int i = from; i < to; i++) {
      hits[i] = mightContainHash(hashes[i]);
      count += hits[i] ? 1 : 0;
    }
    return count;
  }

  /** Tests every key, writes each answer to {@code hits} and returns the number of hits. */
  default int countMightContain(long[] keys, boolean[] hits) {
    HashScheme scheme = hashScheme();
    return Batches.count(this, keys.length, hits, i -> scheme.hash(keys[i]));
  }

  /** Tests every key, writes each answer to {@code hits} and returns the number of hits. */
  default <T> int countMightContain(T[] keys, KeyHasher<? super T> hasher, boolean[] hits) {
    HashScheme scheme = hashScheme();
    return Batches.count(this, keys.length, hits, i -> scheme.hash(keys[i], hasher));
  }

  /** Returns this filter as a predicate over longs. */
  default LongPredicate asLongPredicate() {
    return this::mightContain;
  }

  /** Returns this filter as a predicate over keys of one type. */
  default <T> Predicate<T> asPredicate(KeyHasher<? super T> hasher) {
    return key -> mightContain(key, hasher);
  }
}
