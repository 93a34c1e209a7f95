package dev.bellows.internal.store;

import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * What BLOCKED filters do with one block of eight words: test and set the bits that eight 6-bit
 * fields name, from the top, one in each word of an array. Every kernel gives the same bits and the
 * same answers; the module {@code dev.bellows.vector} brings one that works on four words at a
 * time.
 */
public abstract class BlockKernel {
  /** Plain Java. */
  public static final BlockKernel SCALAR = new Scalar();

  /** The one in use: a constant, so that the compiler sees through it. */
  public static final BlockKernel ACTIVE = find();

  /** Whether all eight bits of the block that begins at an index are set. */
  public abstract boolean test(long[] words, int block, long fields);

  /** Sets the eight bits, in a store that no other thread uses. */
  public abstract void load(long[] words, int block, long fields);

  /** Whether this machine has what the kernel needs. */
  public abstract boolean isUsable();

  /** A word for it. */
  public abstract String word();

  private static BlockKernel find() {
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isEmpty()) {
      return SCALAR;
    }
    try {
      for (BlockKernel kernel :
          ServiceLoader.load(BlockKernel.class, BlockKernel.class.getClassLoader())) {
        if (kernel.isUsable()) {
          return kernel;
        }
      }
    } catch (ServiceConfigurationError | LinkageError e) {
      return SCALAR;
    }
    return SCALAR;
  }

  /**
   * Sets the eight bits, safely beside other threads; true iff a bit changed. Vectors do not help:
   * a word is all that changes atomically.
   *
   * <p>All words are read before the first is changed, because a read behind an atomic operation
   * waits for it; and a word that lacks nothing is written like the others, because a mispredicted
   * branch costs more than a redundant compare-and-set.
   */
  static boolean set(long[] words, int block, long fields) {
    long w0 = words[block];
    long w1 = words[block + 1];
    long w2 = words[block + 2];
    long w3 = words[block + 3];
    long w4 = words[block + 4];
    long w5 = words[block + 5];
    long w6 = words[block + 6];
    long w7 = words[block + 7];
    long m0 = 1L << (fields >>> 58);
    long m1 = 1L << (fields >>> 52);
    long m2 = 1L << (fields >>> 46);
    long m3 = 1L << (fields >>> 40);
    long m4 = 1L << (fields >>> 34);
    long m5 = 1L << (fields >>> 28);
    long m6 = 1L << (fields >>> 22);
    long m7 = 1L << (fields >>> 16);
    long upper = (m0 & ~w0) | (m1 & ~w1) | (m2 & ~w2) | (m3 & ~w3);
    long lower = (m4 & ~w4) | (m5 & ~w5) | (m6 & ~w6) | (m7 & ~w7);
    if ((upper | lower) == 0) {
      return false;
    }
    int late =
        orLate(words, block, w0, m0)
            | orLate(words, block + 1, w1, m1) << 1
            | orLate(words, block + 2, w2, m2) << 2
            | orLate(words, block + 3, w3, m3) << 3
            | orLate(words, block + 4, w4, m4) << 4
            | orLate(words, block + 5, w5, m5) << 5
            | orLate(words, block + 6, w6, m6) << 6
            | orLate(words, block + 7, w7, m7) << 7;
    if (late == 0) {
      return true;
    }
    int lacking =
        lacks(w0, m0)
            | lacks(w1, m1) << 1
            | lacks(w2, m2) << 2
            | lacks(w3, m3) << 3
            | lacks(w4, m4) << 4
            | lacks(w5, m5) << 5
            | lacks(w6, m6) << 6
            | lacks(w7, m7) << 7;
    return setLate(words, block, fields, late) || (lacking & ~late) != 0;
  }

  /** ORs the mask into a word unless another thread came first: then 1. */
  private static int orLate(long[] words, int at, long word, long mask) {
    return HeapBits.replace(words, at, word, word | mask) ? 0 : 1;
  }

  private static int lacks(long word, long mask) {
    return (word & mask) == 0 ? 1 : 0;
  }

  /** Sets what is still missing in lanes that another thread changed first. */
  private static boolean setLate(long[] words, int block, long fields, int late) {
    boolean changed = false;
    for (int lanes = late; lanes != 0; lanes &= lanes - 1) {
      int lane = Integer.numberOfTrailingZeros(lanes);
      changed |= HeapBits.or(words, block + lane, 1L << (fields >>> (58 - 6 * lane)));
    }
    return changed;
  }

  private static final class Scalar extends BlockKernel {
    /** No early exit: eight shifts cost less than one mispredicted branch. */
    @Override
    public boolean test(long[] words, int block, long fields) {
      long upper =
          ((words[block] >>> (fields >>> 58)) & (words[block + 1] >>> (fields >>> 52)))
              & ((words[block + 2] >>> (fields >>> 46)) & (words[block + 3] >>> (fields >>> 40)));
      long lower =
          ((words[block + 4] >>> (fields >>> 34)) & (words[block + 5] >>> (fields >>> 28)))
              & ((words[block + 6] >>> (fields >>> 22)) & (words[block + 7] >>> (fields >>> 16)));
      // compared as an int: measured faster than the same question about a long
      return ((int) (upper & lower) & 1) != 0;
    }

    /** The shifts are counted in ints: one instruction less per lane than in longs. */
    @Override
    public void load(long[] words, int block, long fields) {
      int high = (int) (fields >>> 32);
      words[block] |= 1L << (high >>> 26);
      words[block + 1] |= 1L << (high >>> 20);
      words[block + 2] |= 1L << (high >>> 14);
      words[block + 3] |= 1L << (high >>> 8);
      words[block + 4] |= 1L << (high >>> 2);
      int low = (int) (fields >>> 16);
      words[block + 5] |= 1L << (low >>> 12);
      words[block + 6] |= 1L << (low >>> 6);
      words[block + 7] |= 1L << low;
    }

    @Override
    public boolean isUsable() {
      return true;
    }

    @Override
    public String word() {
      return "scalar";
    }
  }
}
