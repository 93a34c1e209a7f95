package dev.bellows.autoscale;

import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import java.nio.ByteBuffer;
import java.util.UUID;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * A question whose answer is weighed: a key is accepted when its evidence reaches the decision
 * threshold. <strong>"No" may be wrong too</strong>, at a rate the filter states. That is why this
 * is no {@link dev.bellows.Membership}, and why its words differ: whoever relies on a certain "no"
 * cannot pass one of these by mistake.
 */
public interface GradedMembership {
  /** How keys become hashes. */
  HashScheme hashScheme();

  /** The evidence that the key with this hash is stored; the more the likelier. */
  long evidenceHash(long hash);

  /** The least evidence that is accepted, as long as the number of keys stays. */
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
