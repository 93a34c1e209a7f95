package dev.bellows.internal.counters;

import dev.bellows.internal.bits.PackedCounters;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Folds counters a word at a time. While no counter exceeds half of its range, whole words are
 * added: no sum can overflow into the next counter. Otherwise the even and the odd counters of a
 * word are added separately, so that each sum has twice the width.
 */
final class FoldedWords {
  /**
   * The number of words of the result that are computed together, so that their sums stay in the L1
   * cache.
   */
  private static final int CHUNK = 256;

  /** The number of counters of a region: a multiple of that of a word, at most that of a chunk. */
  static final int REGION = 512;

  /**
   * The number of marked regions, of at most 32 in four stripes, at which the stripes are added as
   * a whole.
   */
  private static final int MOSTLY = 12;

  /** The number of stripes that may be added before a sum is checked: 16 * 14 fits into 8 bits. */
  private static final int UNCHECKED = 16;

  private static final long NIBBLES = 0x1111111111111111L;

  private FoldedWords() {}

  /**
   * Returns the words of counters folded to a divisor of their number, or null if a sum does not
   * fit into its width, or if the width exceeds 16 bits.
   *
   * @param touched one bit for each {@link #REGION}; where it is 0, all counters are 0
   */
  static long @Nullable [] sums(PackedCounters counters, long size, long cells, long[] touched) {
    int width = counters.width;
    if (width > 16) {
      return null;
    }
    long[] words = counters.words;
    // the bits of the even counters, and the lowest bit of each of them
    long mask =
        width == 4 ? 0x0F0F0F0F0F0F0F0FL : width == 8 ? 0x00FF00FF00FF00FFL : 0xFFFF0000FFFFL;
    long ones = mask & ~(mask << 1);
    long stripeBits = cells * width;
    long stripes = size / cells;
    // the highest bit of each counter
    long halves = (ones | ones << width) << (width - 1);
    long[] result = new long[CounterStore.wordCount(cells, width)];
    long[] even = new long[CHUNK];
    long[] odd = new long[CHUNK];
    for (int from = 0; from < result.length; from += CHUNK) {
      int length = Math.min(CHUNK, result.length - from);
      Arrays.fill(even, 0);
      Arrays.fill(odd, 0);
      if (cells % REGION == 0) {
        addTouched(words, touched, width, cells / REGION, stripes, from, even, odd, length);
      } else {
        addWhole(words, stripeBits, stripes, from, even, odd, length);
      }
      if ((union(odd, length) & halves) == 0) {
        System.arraycopy(even, 0, result, from, length);
        continue;
      }
      Arrays.fill(even, 0);
      Arrays.fill(odd, 0);
      long last = lastMask(from, length, stripeBits, result.length);
      for (long stripe = 0; stripe < stripes; stripe++) {
        long bit = stripe * stripeBits + 64L * from;
        add(words, (int) (bit >>> 6), (int) (bit & 63), even, odd, length, mask, width);
        boolean check = stripe % UNCHECKED == UNCHECKED - 1 || stripe == stripes - 1;
        if (check && isFull(even, odd, length, mask, ones, last, width)) {
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

  /**
   * Adds a chunk of all stripes as whole words. The sums are correct unless a summand or a partial
   * sum had its highest bit set: without it, two numbers add up to less than "saturated".
   *
   * @param sums receives the sums
   * @param seen receives the bits of all numbers added
   */
  private static void addWhole(
      long[] words, long stripeBits, long stripes, int from, long[] sums, long[] seen, int length) {
    for (long stripe = 0; stripe < stripes; stripe++) {
      long bit = stripe * stripeBits + 64L * from;
      int first = (int) (bit >>> 6);
      int shift = (int) (bit & 63);
      if (shift == 0) {
        addOne(words, first, sums, seen, 0, length);
      } else {
        addShifted(words, first, shift, sums, seen, length);
      }
    }
  }

  /** Like {@link #addWhole}, for stripes of whole regions: regions without counts are not read. */
  private static void addTouched(
      long[] words,
      long[] touched,
      int width,
      long stripeRegions,
      long stripes,
      int from,
      long[] sums,
      long[] seen,
      int length) {
    int regionWords = REGION / Long.SIZE * width;
    int regions = length / regionWords;
    int stride = (int) (stripeRegions * regionWords);
    long region = from / regionWords;
    int first = from;
    long stripe = 0;
    for (; stripe + 4 <= stripes; stripe += 4) {
      int a = marked(touched, region, regions);
      int b = marked(touched, region + stripeRegions, regions);
      int c = marked(touched, region + 2 * stripeRegions, regions);
      int d = marked(touched, region + 3 * stripeRegions, regions);
      if (Integer.bitCount(a | (b << 8) | (c << 16) | (d << 24)) >= MOSTLY) {
        addFour(words, first, stride, sums, seen, length);
      } else {
        addRuns(words, first, a, regionWords, sums, seen);
        addRuns(words, first + stride, b, regionWords, sums, seen);
        addRuns(words, first + 2 * stride, c, regionWords, sums, seen);
        addRuns(words, first + 3 * stride, d, regionWords, sums, seen);
      }
      region += 4 * stripeRegions;
      first += 4 * stride;
    }
    for (; stripe < stripes; stripe++) {
      addRuns(words, first, marked(touched, region, regions), regionWords, sums, seen);
      region += stripeRegions;
      first += stride;
    }
  }

  /** Returns the marks of at most 8 regions. */
  private static int marked(long[] touched, long region, int count) {
    int word = (int) (region >>> 6);
    long bits = touched[word] >>> region;
    if ((region & 63) + count > Long.SIZE) {
      bits |= touched[word + 1] << -region;
    }
    return (int) bits & ((1 << count) - 1);
  }

  /** Adds the marked regions, adjacent ones together. */
  private static void addRuns(
      long[] words, int first, int marks, int regionWords, long[] sums, long[] seen) {
    int left = marks;
    while (left != 0) {
      int begin = Integer.numberOfTrailingZeros(left);
      int end = begin + Integer.numberOfTrailingZeros(~(left >>> begin));
      addOne(words, first, sums, seen, begin * regionWords, end * regionWords);
      left &= -1 << end;
    }
  }

  /**
   * Adds four stripes that begin at word boundaries. The loops have a form that the JIT compiler
   * vectorizes.
   */
  private static void addFour(
      long[] words, int first, int stride, long[] sums, long[] seen, int length) {
    int second = first + stride;
    int third = second + stride;
    int fourth = third + stride;
    for (int i = 0; i < length; i++) {
      long a = words[first + i];
      long b = words[second + i];
      long c = words[third + i];
      long d = words[fourth + i];
      long sum = sums[i];
      long all = (a + b) + (c + d);
      seen[i] |= a | b | c | d | (a + b) | (c + d) | all | sum;
      sums[i] = sum + all;
    }
  }

  /** Adds the words {@code [from, to)} of a chunk. */
  private static void addOne(long[] words, int first, long[] sums, long[] seen, int from, int to) {
    for (int i = from; i < to; i++) {
      long word = words[first + i];
      long sum = sums[i];
      seen[i] |= word | sum;
      sums[i] = sum + word;
    }
  }

  /** Adds a stripe that begins inside a word. */
  private static void addShifted(
      long[] words, int first, int shift, long[] sums, long[] seen, int length) {
    int whole = Math.min(length, words.length - first - 1);
    for (int i = 0; i < whole; i++) {
      long word = words[first + i] >>> shift | words[first + i + 1] << -shift;
      long sum = sums[i];
      seen[i] |= word | sum;
      sums[i] = sum + word;
    }
    if (whole < length && first + whole < words.length) {
      long word = words[first + whole] >>> shift;
      seen[whole] |= word | sums[whole];
      sums[whole] += word;
    }
  }

  private static long union(long[] words, int length) {
    long all = 0;
    for (int i = 0; i < length; i++) {
      all |= words[i];
    }
    return all;
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

  /** Returns whether a sum has reached the largest value of the width, which means "saturated". */
  private static boolean isFull(
      long[] even, long[] odd, int length, long mask, long ones, long lastMask, int width) {
    long full = 0;
    for (int i = 0; i < length - 1; i++) {
      full |= even[i] + ones | odd[i] + ones;
    }
    long last = lastMask & mask;
    // sums of the last word beyond the end do not count
    long evenEnd = keep(even[length - 1], last, width);
    long oddEnd = keep(odd[length - 1], lastMask >>> width & mask, width);
    full |= evenEnd + ones | oddEnd + ones;
    return (full & ~mask) != 0;
  }

  /** Keeps the sums whose counters have their bits in the mask. */
  private static long keep(long sums, long counters, int width) {
    return sums & (counters | counters << width);
  }

  /** Returns a one at the lowest bit of every counter that is not zero. */
  static long marks(long word, int width) {
    long marks = word;
    for (int shift = 1; shift < width; shift *= 2) {
      marks |= marks >>> shift;
    }
    return marks & Long.divideUnsigned(-1, (1L << width) - 1);
  }

  /** Returns one bit for each of the 16 counters of 4 bits of a word: whether it is not zero. */
  static long occupied(long word) {
    long x = word | word >>> 1;
    x = (x | x >>> 2) & NIBBLES;
    x = (x | x >>> 3) & 0x0303030303030303L;
    x = (x | x >>> 6) & 0x000F000F000F000FL;
    x = (x | x >>> 12) & 0x000000FF000000FFL;
    return (x | x >>> 24) & 0xFFFF;
  }
}
