package dev.bellows.internal;

/**
 * Kernels over whole stores of bits, among them the fold law: cell i of the folded store is the OR
 * of the cells {@code i + l * cells/factor} (000 Eq 3, with 0-based cells: errata F4). Bits move as
 * whole words where the folded size is a multiple of 64, which every size this library chooses is;
 * other sizes take the bit path, and their bits begin at word 0.
 */
public final class Words {
  private static final int PIECE_WORDS = 1 << 14;

  private Words() {}

  /**
   * The store folded by the factor, which divides {@code bits}. Bits begin at word {@code first},
   * before and after.
   */
  static long[] fold(long[] words, int first, long bits, long factor) {
    long folded = bits / factor;
    long[] out = new long[first + (int) (((folded - 1) >>> 6) + 1)];
    if ((folded & 63) == 0) {
      foldWords(words, out, first);
    } else {
      foldBits(words, out, folded);
    }
    return out;
  }

  /** ORs the stripes one after the other, a cache-sized piece of the target at a time. */
  private static void foldWords(long[] words, long[] out, int first) {
    int stripe = out.length - first;
    for (int from = first; from < out.length; from += PIECE_WORDS) {
      int to = Math.min(from + PIECE_WORDS, out.length);
      System.arraycopy(words, from, out, from, to - from);
      for (int offset = stripe; offset < words.length - first; offset += stripe) {
        or(out, from, words, from + offset, to - from);
      }
    }
  }

  private static void or(long[] into, int at, long[] other, int from, int length) {
    for (int i = 0; i < length; i++) {
      into[at + i] |= other[from + i];
    }
  }

  private static void foldBits(long[] words, long[] out, long folded) {
    for (int index = 0; index < words.length; index++) {
      for (long rest = words[index]; rest != 0; rest &= rest - 1) {
        long position = (((long) index << 6) + Long.numberOfTrailingZeros(rest)) % folded;
        out[(int) (position >>> 6)] |= 1L << position;
      }
    }
  }

  /**
   * The store repeated so many times: where it is a folding, a superset of what was folded. The
   * opposite of {@link #fold} as far as there is one.
   */
  static long[] repeat(long[] words, int first, long bits, long times) {
    long[] out = new long[first + (int) (((bits * times - 1) >>> 6) + 1)];
    if ((bits & 63) == 0) {
      int length = words.length - first;
      for (int to = first; to < out.length; to += length) {
        System.arraycopy(words, first, out, to, length);
      }
      return out;
    }
    for (long position = 0, source = 0; position < bits * times; position++) {
      out[(int) (position >>> 6)] |= ((words[(int) (source >>> 6)] >>> source) & 1) << position;
      source = source + 1 == bits ? 0 : source + 1;
    }
    return out;
  }

  /** The OR of two stores, as a new one. */
  public static long[] union(long[] words, long[] other) {
    long[] out = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      out[i] = words[i] | other[i];
    }
    return out;
  }

  /** The AND of two stores, as a new one. */
  public static long[] intersection(long[] words, long[] other) {
    long[] out = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      out[i] = words[i] & other[i];
    }
    return out;
  }

  /** ORs the other store into this one. */
  public static void or(long[] into, long[] other) {
    or(into, 0, other, 0, into.length);
  }

  /** ANDs the other store into this one. */
  public static void and(long[] into, long[] other) {
    for (int i = 0; i < into.length; i++) {
      into[i] &= other[i];
    }
  }

  /** Whether every one of these bits is one in the other store. */
  public static boolean isSubset(long[] words, long[] other) {
    for (int i = 0; i < words.length; i++) {
      if ((words[i] & ~other[i]) != 0) {
        return false;
      }
    }
    return true;
  }

  /** The number of one bits. */
  public static long ones(long[] words) {
    long ones = 0;
    for (long word : words) {
      ones += Long.bitCount(word);
    }
    return ones;
  }
}
