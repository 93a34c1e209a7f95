package dev.bellows;

/**
 * A filter from which keys can be removed. All methods hash the key and call {@link #removeHash}.
 *
 * <p>Remove only keys that were put. Removing a key that was not put, but is a false positive,
 * damages other keys, which queries may then report as absent. This is the only way in which these
 * filters can lose a key.
 */
public interface RemovableKeys extends KeyFilter {
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
