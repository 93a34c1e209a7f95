package dev.bellows;

/** A filter that takes keys back. All forms hash the key and go through {@link #removeHash}. */
public interface RemovableKeys extends KeyFilter {
  /**
   * Takes back one put of the key with this hash. A key that is surely absent is refused, and
   * nothing changes.
   *
   * @return whether it was taken back
   */
  boolean removeHash(long hash);

  /** Takes back one put of the long. */
  default boolean remove(long key) {
    return removeHash(hashScheme().hash(key));
  }

  /** Takes back one put of the text. */
  default boolean remove(CharSequence key) {
    return removeHash(hashScheme().hash(key));
  }

  /** Takes back one put of the bytes. */
  default boolean remove(byte[] key) {
    return removeHash(hashScheme().hash(key));
  }

  /** Takes back one put of a key of any type. */
  default <T> boolean remove(T key, KeyHasher<? super T> hasher) {
    return removeHash(hasher.hash(key, hashScheme()));
  }
}
