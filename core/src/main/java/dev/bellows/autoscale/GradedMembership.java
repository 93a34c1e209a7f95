package dev.bellows.autoscale;

import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * A filter that accepts a key when its evidence reaches the decision threshold. <strong>"No" may be
 * wrong too</strong>, at a rate that the filter states. It is therefore not a {@link
 * dev.bellows.Membership}, and its methods have other names, so that code that relies on a certain
 * "no" cannot use one by mistake.
 */
public interface GradedMembership {
  /** How keys become hashes. */
  HashScheme hashScheme();

  /** The evidence that the key with this hash is stored; more evidence means more likely. */
  long evidenceHash(long hash);

  /** The least evidence that is accepted at the present number of keys. */
  long decision();

  /** Whether the key with this hash is accepted. */
  boolean acceptsHash(long hash);

  /** Whether the long is accepted. */
  default boolean accepts(long key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Whether the double is accepted; -0.0 is 0.0 and every NaN is the same. */
  default boolean accepts(double key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Whether the text, as UTF-8, is accepted. */
  default boolean accepts(CharSequence key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Whether the bytes are accepted. */
  default boolean accepts(byte[] key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Whether the range of bytes is accepted. */
  default boolean accepts(byte[] bytes, int from, int length) {
    return acceptsHash(hashScheme().hash(bytes, from, length));
  }

  /** Whether the bytes from position to limit are accepted. */
  default boolean accepts(ByteBuffer key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Whether the UUID is accepted. */
  default boolean accepts(UUID key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Whether the key is accepted, hashed as it was when it was put. */
  default <T> boolean accepts(T key, KeyHasher<? super T> hasher) {
    return acceptsHash(hasher.hash(key, hashScheme()));
  }

  /** The evidence for a long. */
  default long evidence(long key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** The evidence for a double. */
  default long evidence(double key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** The evidence for a text, as UTF-8. */
  default long evidence(CharSequence key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** The evidence for bytes. */
  default long evidence(byte[] key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** The evidence for a range of bytes. */
  default long evidence(byte[] bytes, int from, int length) {
    return evidenceHash(hashScheme().hash(bytes, from, length));
  }

  /** The evidence for the bytes from position to limit. */
  default long evidence(ByteBuffer key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** The evidence for a UUID. */
  default long evidence(UUID key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** The evidence for a key of any type, hashed as it was when it was put. */
  default <T> long evidence(T key, KeyHasher<? super T> hasher) {
    return evidenceHash(hasher.hash(key, hashScheme()));
  }

  /** The decision as a predicate over longs. */
  default LongPredicate asLongPredicate() {
    return this::accepts;
  }

  /** The decision as a predicate over keys of one type. */
  default <T> Predicate<T> asPredicate(KeyHasher<? super T> hasher) {
    return key -> accepts(key, hasher);
  }
}
