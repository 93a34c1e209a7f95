package dev.bellows.internal.bits;

/**
 * Words that are read by index: those of a {@link BitStore}, or of {@link MappedBits} whose pieces
 * have all been checked. Kernels have parameters of this type. When they are inlined, the JIT
 * compiler knows the class of the words from the caller, instead of from a profile that all callers
 * share.
 */
public abstract class Words {
  /** Returns a word. */
  public abstract long word(long index);
}
