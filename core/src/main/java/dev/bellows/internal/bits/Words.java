package dev.bellows.internal.bits;

/**
 * Words that are read by their index: those of a {@link BitStore}, or of {@link MappedBits} whose
 * checks are all done. Kernels take this type. When they are inlined, the JIT knows the class of
 * the words from the caller, which determined it once, and not from a profile shared by all
 * callers.
 */
public abstract class Words {
  /** Returns a word. */
  public abstract long word(long index);
}
