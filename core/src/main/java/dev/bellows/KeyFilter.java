package dev.bellows;

import dev.bellows.internal.base.Checks;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A filter into which keys can be put. All methods hash the key and call {@link #putHash}. Queries
 * are declared by other interfaces, e.g. {@link Membership} if "no" is certain.
 *
 * <p>If the {@linkplain HashScheme#keyType key type} is known, keys of another type are rejected
 * with an {@link IllegalArgumentException}.
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

  /**
   * A filter that queries and puts a key in one atomic step. All methods hash the key and call
   * {@link #putIfAbsentHash}.
   */
  interface IfAbsent {
    /** Returns the scheme that hashes keys. */
    HashScheme hashScheme();

    /**
     * Puts the key with this hash unless it already passes, and returns whether it was absent. Of
     * all calls with the same hash, from any number of threads, at most one returns true, as long
     * as the key is neither removed nor expires.
     */
    boolean putIfAbsentHash(long hash);

    /** Puts a long unless it already passes. */
    default boolean putIfAbsent(long key) {
      return putIfAbsentHash(hashScheme().hash(key));
    }

    /** Puts a character, as text of length one, unless it already passes. */
    default boolean putIfAbsent(char key) {
      return putIfAbsentHash(hashScheme().hash(key));
    }

    /** Puts text, as UTF-8, unless it already passes. */
    default boolean putIfAbsent(CharSequence key) {
      return putIfAbsentHash(hashScheme().hash(key));
    }

    /** Puts bytes unless they already pass. */
    default boolean putIfAbsent(byte[] key) {
      return putIfAbsentHash(hashScheme().hash(key));
    }

    /** Puts a key of any type unless it already passes. */
    default <T> boolean putIfAbsent(T key, KeyHasher<? super T> hasher) {
      return putIfAbsentHash(hashScheme().hash(key, hasher));
    }
  }

  /**
   * A filter whose keys expire a certain time after they were put. It has its own clock, which only
   * moves forward. All puts hash the key and call {@link #putHash(long, long)} or {@link
   * #putIfAbsentHash(long, long)}; they throw an {@link IllegalArgumentException} if the time is
   * too far from 1970.
   */
  interface Timed {
    /** Returns the scheme that hashes keys. */
    HashScheme hashScheme();

    /** Returns the clock; empty before the first put or {@link #advanceTo}. */
    Optional<Instant> now();

    /**
     * Moves the clock forward; an earlier time changes nothing.
     *
     * @return whether the clock moved by more than the window, so that all keys have expired
     */
    boolean advanceTo(Instant time);

    /** Moves the clock to the time of a source, e.g. {@code InstantSource.system()}. */
    default boolean advanceTo(InstantSource source) {
      return advanceTo(source.instant());
    }

    /**
     * Puts the key with this hash at a time. Returns true iff this call changed the filter.
     *
     * @param epochMillis the time, in milliseconds since 1970
     * @throws IllegalArgumentException if the put is late or too far ahead, and the filter rejects
     *     such puts
     */
    boolean putHash(long hash, long epochMillis);

    /**
     * Puts the key with this hash at a time and, atomically, returns whether it was absent: true
     * iff no live generation contained it. If several threads put the same new key, exactly one of
     * them gets true. A key that is present is refreshed, so that it expires later, or left as it
     * is, depending on how the filter was built. The result for a late put that is dropped is
     * false.
     *
     * @param epochMillis the time, in milliseconds since 1970
     * @throws IllegalArgumentException if the put is late or too far ahead, and the filter rejects
     *     such puts
     */
    boolean putIfAbsentHash(long hash, long epochMillis);

    /** Puts a long at a time. Returns true iff this call changed the filter. */
    default boolean put(long key, Instant time) {
      return putHash(hashScheme().hash(key), Checks.epochMillis(time));
    }

    /** Puts a character, as text of length one, at a time. Returns true iff the filter changed. */
    default boolean put(char key, Instant time) {
      return putHash(hashScheme().hash(key), Checks.epochMillis(time));
    }

    /** Puts text, as UTF-8, at a time. Returns true iff this call changed the filter. */
    default boolean put(CharSequence key, Instant time) {
      return putHash(hashScheme().hash(key), Checks.epochMillis(time));
    }

    /** Puts bytes at a time. Returns true iff this call changed the filter. */
    default boolean put(byte[] key, Instant time) {
      return putHash(hashScheme().hash(key), Checks.epochMillis(time));
    }

    /** Puts a key of any type at a time. Returns true iff this call changed the filter. */
    default <T> boolean put(T key, KeyHasher<? super T> hasher, Instant time) {
      return putHash(hashScheme().hash(key, hasher), Checks.epochMillis(time));
    }

    /** Puts a long at a time and returns whether it was absent. */
    default boolean putIfAbsent(long key, Instant time) {
      return putIfAbsentHash(hashScheme().hash(key), Checks.epochMillis(time));
    }

    /** Puts a character, as text of length one, at a time and returns whether it was absent. */
    default boolean putIfAbsent(char key, Instant time) {
      return putIfAbsentHash(hashScheme().hash(key), Checks.epochMillis(time));
    }

    /** Puts text, as UTF-8, at a time and returns whether it was absent. */
    default boolean putIfAbsent(CharSequence key, Instant time) {
      return putIfAbsentHash(hashScheme().hash(key), Checks.epochMillis(time));
    }

    /** Puts bytes at a time and returns whether they were absent. */
    default boolean putIfAbsent(byte[] key, Instant time) {
      return putIfAbsentHash(hashScheme().hash(key), Checks.epochMillis(time));
    }

    /** Puts a key of any type at a time and returns whether it was absent. */
    default <T> boolean putIfAbsent(T key, KeyHasher<? super T> hasher, Instant time) {
      return putIfAbsentHash(hashScheme().hash(key, hasher), Checks.epochMillis(time));
    }
  }
}
