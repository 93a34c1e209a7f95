package dev.bellows.autoscale;

import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * A filter that accepts a key when its evidence reaches the decision threshold. <strong>"No" may be
 * wrong too</strong>, at a rate that the filter states. It is therefore not a {@link
 * dev.bellows.Membership}, and its methods have other names, so that code that relies on a certain
 * "no" cannot use one by mistake.
 */
public interface GradedMembership {
  /** Returns how keys become hashes. */
  HashScheme hashScheme();

  /**
   * Returns the evidence that the key with this hash is stored; more evidence means more likely.
   */
  long evidenceHash(long hash);

  /** Returns the least evidence that is accepted at the current number of keys. */
  long decision();

  /** Returns whether the key with this hash is accepted. */
  boolean acceptsHash(long hash);

  /** Returns whether the long is accepted. */
  default boolean accepts(long key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Returns whether the character, as text of length one, is accepted. */
  default boolean accepts(char key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Returns whether the text, as UTF-8, is accepted. */
  default boolean accepts(CharSequence key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Returns whether the bytes are accepted. */
  default boolean accepts(byte[] key) {
    return acceptsHash(hashScheme().hash(key));
  }

  /** Returns whether the key is accepted, hashed as it was when it was put. */
  default <T> boolean accepts(T key, KeyHasher<? super T> hasher) {
    return acceptsHash(hashScheme().hash(key, hasher));
  }

  /** Returns the evidence for a long. */
  default long evidence(long key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** Returns the evidence for a character, as text of length one. */
  default long evidence(char key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** Returns the evidence for a text, as UTF-8. */
  default long evidence(CharSequence key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** Returns the evidence for bytes. */
  default long evidence(byte[] key) {
    return evidenceHash(hashScheme().hash(key));
  }

  /** Returns the evidence for a key of any type, hashed as it was when it was put. */
  default <T> long evidence(T key, KeyHasher<? super T> hasher) {
    return evidenceHash(hashScheme().hash(key, hasher));
  }

  /** Returns the decision as a predicate over longs. */
  default LongPredicate asLongPredicate() {
    return this::accepts;
  }

  /** Returns the decision as a predicate over keys of one type. */
  default <T> Predicate<T> asPredicate(KeyHasher<? super T> hasher) {
    return key -> accepts(key, hasher);
  }
}
