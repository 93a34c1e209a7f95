package dev.bellows.internal;

/**
 * Kernels over whole stores of bits, among them the fold law: cell i of the folded store is the OR
 * of the cells {@code i + l * cells/factor} (000 Eq 3, with 0-based cells: errata F4). Bits move as
 * whole words where the folded size is a multiple of 64, which every size this library chooses is;
 * other sizes take the bit path.
 */
public final class Words {
  private static final int PIECE_WORDS = 1 << 14;

  private Words() {}

  /** The words of the store folded by the factor, which divides {@code bits}. */
  public static long[] fold(long[] words, long bits, long factor) {
    long folded = bits / factor;
    long[] out = new long[(int) (((folded - 1) >>> 6) + 1)];
    if ((folded & 63) == 0) {
      foldWords(words, out);
    } else {
      foldBits(words, out, folded);
    }
    return out;
  }

  /** ORs the stripes one after the other, a cache-sized piece of the target at a time. */
  private static void foldWords(long[] words, long[] out) {
    int stripe = out.length;
    int stripes = words.length / stripe;
    for (int from = 0; from < stripe; from += PIECE_WORDS) {
      int to = Math.min(from + PIECE_WORDS, stripe);
      System.arraycopy(words, from, out, from, to - from);
      for (int l = 1; l < stripes; l++) {
        int offset = l * stripe;
        for (int i = from; i < to; i++) {
          out[i] |= words[offset + i];
        }
      }
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

  /** ORs the other store into this one. */
  public static void or(long[] into, long[] other) {
    for (int i = 0; i < into.length; i++) {
      into[i] |= other[i];
    }
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
