package dev.bellows.internal.counters;

import dev.bellows.internal.bits.PackedCounters;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counters folded a word at a time: the counters of a word are added in two sums, of every other
 * one, so that each has twice its width to grow into.
 */
final class FoldedWords {
  /** Words of the result that are made together, so that their sums stay in the nearest cache. */
  private static final int CHUNK = 256;

  /** How many stripes may be added before a sum is checked: 16 * 14 fits into 8 bits. */
  private static final int UNCHECKED = 16;

  private static final long NIBBLES = 0x1111111111111111L;

  private FoldedWords() {}

  /**
   * Returns the words of counters folded to a divisor of their number, or null if a sum does not
   * fit its width, or the width is too large for this.
   */
  static long @Nullable [] sums(PackedCounters counters, long size, long cells) {
    int width = counters.width;
    if (width > 16) {
      return null;
    }
    long[] words = counters.words;
    // of every other counter; the lowest bit of each; what a sum must not reach
    long mask =
        width == 4 ? 0x0F0F0F0F0F0F0F0FL : width == 8 ? 0x00FF00FF00FF00FFL : 0xFFFF0000FFFFL;
    long ones = mask & ~(mask << 1);
    long stripeBits = cells * width;
    long stripes = size / cells;
    long[] result = new long[CounterStore.wordCount(cells, width)];
    long[] even = new long[CHUNK];
    long[] odd = new long[CHUNK];
    for (int from = 0; from < result.length; from += CHUNK) {
      int length = Math.min(CHUNK, result.length - from);
      Arrays.fill(even, 0);
      Arrays.fill(odd, 0);
      for (long stripe = 0; stripe < stripes; stripe++) {
        long bit = stripe * stripeBits + 64L * from;
        add(words, (int) (bit >>> 6), (int) (bit & 63), even, odd, length, mask, width);
        boolean check = stripe % UNCHECKED == UNCHECKED - 1 || stripe == stripes - 1;
        if (check
            && isFull(
                even,
                odd,
                length,
                mask,
                ones,
                lastMask(from, length, stripeBits, result.length),
                width)) {
          return null;
        }
      }
      for (int i = 0; i < length; i++) {
        result[from + i] = even[i] | odd[i] << width;
      }
    }
    int tail = (int) (stripeBits & 63);
    if (tail != 0) {
      result[result.length - 1] &= (1L << tail) - 1;
    }
    return result;
  }

  /** Returns the bits of the last word of a chunk that belong to the result. */
  private static long lastMask(int from, int length, long stripeBits, int resultWords) {
    int tail = (int) (stripeBits & 63);
    return from + length < resultWords || tail == 0 ? -1 : (1L << tail) - 1;
  }

  private static void add(
      long[] words,
      int first,
      int shift,
      long[] even,
      long[] odd,
      int length,
      long mask,
      int width) {
    int whole = Math.min(length, words.length - first - (shift == 0 ? 0 : 1));
    if (shift == 0) {
      for (int i = 0; i < whole; i++) {
        long word = words[first + i];
        even[i] += word & mask;
        odd[i] += word >>> width & mask;
      }
    } else {
      for (int i = 0; i < whole; i++) {
        long word = words[first + i] >>> shift | words[first + i + 1] << -shift;
        even[i] += word & mask;
        odd[i] += word >>> width & mask;
      }
    }
    for (int i = Math.max(0, whole); i < length && first + i < words.length; i++) {
      long word = words[first + i] >>> shift;
      even[i] += word & mask;
      odd[i] += word >>> width & mask;
    }
  }

  /** Whether a sum has reached the largest value of the width, which means "saturated". */
  private static boolean isFull(
      long[] even, long[] odd, int length, long mask, long ones, long lastMask, int width) {
    long full = 0;
    for (int i = 0; i < length - 1; i++) {
      full |= even[i] + ones | odd[i] + ones;
    }
    long last = lastMask & mask;
    // sums of the last word that are behind the end do not count
    long evenEnd = keep(even[length - 1], last, width);
    long oddEnd = keep(odd[length - 1], lastMask >>> width & mask, width);
    full |= evenEnd + ones | oddEnd + ones;
    return (full & ~mask) != 0;
  }

  /** Keeps the sums whose counters have their bits in the mask. */
  private static long keep(long sums, long counters, int width) {
    return sums & (counters | counters << width);
  }

  /** Returns a one at the lowest bit of every counter of 4 bits that is not zero. */
  static long marks(long word) {
    long pairs = word | word >>> 1;
    return (pairs | pairs >>> 2) & NIBBLES;
  }

  /** Returns one bit for each of the 16 counters of 4 bits of a word: whether it is not zero. */
  static long occupied(long word) {
    long x = marks(word);
    x = (x | x >>> 3) & 0x0303030303030303L;
    x = (x | x >>> 6) & 0x000F000F000F000FL;
    x = (x | x >>> 12) & 0x000000FF000000FFL;
    return (x | x >>> 24) & 0xFFFF;
  }
}
