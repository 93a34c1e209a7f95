package dev.bellows.autoscale;

import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * A filter that accepts a key when the evidence for it reaches the decision threshold. <strong>A
 * "no" may be wrong too</strong>, at a rate that the filter states. It is therefore not a {@link
 * dev.bellows.Membership}, and its methods have different names, so code that relies on a reliable
 * "no" cannot use it by mistake.
 */
public interface GradedMembership {
  /** Returns the hash scheme of the keys. */
  HashScheme hashScheme();

  /** Returns the evidence that the key with this hash is stored. The higher, the more likely. */
  long evidenceHash(long hash);

  /** Returns the minimum evidence for a key to be accepted, at the current number of keys. */
  long decision();

  /** Returns whether the key with this hash is accepted. */
  boolean acceptsHash(long hash);

  /** Returns whether this key is accepted. */
  default boolean accepts(long key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Returns whether this character, a text of length one, is accepted. */
  default boolean accepts(char key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Returns whether this text, encoded in UTF-8, is accepted. */
  default boolean accepts(CharSequence key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Returns whether this key is accepted. */
  default boolean accepts(byte[] key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Returns whether this key is accepted. The hasher must be the one that it was put with. */
  default <T> boolean accepts(T key, KeyHasher<? super T> hasher) {
    return acceptsHash(hashScheme().hash(key, hasher));
  }

  /** Returns the evidence for this key. */
  default long evidence(long key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** Returns the evidence for this character, a text of length one. */
  default long evidence(char key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** Returns the evidence for this text, encoded in UTF-8. */
  default long evidence(CharSequence key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** Returns the evidence for this key. */
  default long evidence(byte[] key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** Returns the evidence for this key. The hasher must be the one that it was put with. */
  default <T> long evidence(T key, KeyHasher<? super T> hasher) {
    return evidenceHash(hashScheme().hash(key, hasher));
  }

  /** Returns a predicate that is true for the longs that are accepted. */
  default LongPredicate asLongPredicate() {
    return this::accepts;
  }

  /** Returns a predicate that is true for the keys that are accepted. */
  default <T> Predicate<T> asPredicate(KeyHasher<? super T> hasher) {
    return key -> accepts(key, hasher);
  }
}
