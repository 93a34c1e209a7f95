package dev.bellows;

/**
 * A question whose answer is weighed: a key is accepted when its evidence reaches the decision
 * threshold. Unlike elsewhere in this library "no" may be wrong too, at a rate the filter states.
 */
public interface GradedMembership extends Membership {
  /** The evidence that the key with this hash is stored; the more the likelier. */
  long evidenceHash(long hash);

  /** The least evidence that is accepted, as long as the number of keys stays. */
  long decision();

  /** The evidence for a long. */
  default long evidence(long key) {
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

  /** The evidence for a key of any type, hashed as it was when it was put. */
  default <T> long evidence(T key, KeyHasher<? super T> hasher) {
    return evidenceHash(hasher.hash(key, hashScheme()));
  }
}
