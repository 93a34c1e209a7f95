package dev.bellows;

import java.nio.ByteBuffer;
import java.util.UUID;

/** A filter from which keys can be removed. All forms hash the key and call {@link #removeHash}. */
public interface RemovableKeys extends KeyFilter {
  /**
   * Removes one put of the key with this hash. A key that is certainly absent is refused, and
   * nothing changes.
   *
   * @return whether it was removed
   */
  boolean removeHash(long hash);

  /** Removes one put of the long. */
  default boolean remove(long key) {
    return removeHash(hashScheme().hash(key));
  }

  /** Removes one put of the double. */
  default boolean remove(double key) {
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

  /** Removes one put of the range of bytes. */
  default boolean remove(byte[] bytes, int from, int length) {
    return removeHash(hashScheme().hash(bytes, from, length));
  }

  /** Removes one put of the bytes from position to limit. */
  default boolean remove(ByteBuffer key) {
    return removeHash(hashScheme().hash(key));
  }

  /** Removes one put of the UUID. */
  default boolean remove(UUID key) {
    return removeHash(hashScheme().hash(key));
  }

  /** Removes one put of a key of any type. */
  default <T> boolean remove(T key, KeyHasher<? super T> hasher) {
    return removeHash(hasher.hash(key, hashScheme()));
  }
}
