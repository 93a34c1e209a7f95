package dev.bellows.internal.prefixes;

/**
 * Operations on bits in an array of words that go over the borders of words. Those that change bits
 * call nothing, so that a stack overflow comes before any change.
 */
final class BitRuns {
  private BitRuns() {}

  /** The 64 bits from here, as far as they are in the array. */
  static long word(long[] words, int bit) {
    int word = bit >>> 6;
    // behind the last word nobody looks
    long next = words[Math.min(word + 1, words.length - 1)];
    return (words[word] >>> bit) | (next << 1 << ~bit);
  }

  /** Some bits, at most a word of them. */
  static long get(long[] words, int bit, int width) {
    return word(words, bit) & (-1L >>> -width);
  }

  /** Replaces some bits, at most a word of them. */
  static void set(long[] words, int bit, int width, long bits) {
    int word = bit >>> 6;
    long mask = -1L >>> -width;
    words[word] = (words[word] & ~(mask << bit)) | (bits << bit);
    int inFirst = 64 - (bit & 63);
    if (inFirst < width) {
      words[word + 1] = (words[word + 1] & (-1L << (width - inFirst))) | (bits >>> inFirst);
    }
  }

  /** Moves the bits {@code [from, to)} down by less than a word. */
  static void moveDown(long[] words, int from, int to, int by) {
    if (from == to) {
      return;
    }
    int start = from - by;
    int end = to - by;
    int first = start >>> 6;
    int last = (end - 1) >>> 6;
    long below = words[first] & ~(-1L << start);
    long above = (end & 63) == 0 ? 0 : words[last] & (-1L << end);
    for (int i = first; i < last; i++) {
      words[i] = (words[i] >>> by) | (words[i + 1] << -by);
    }
    long next = last + 1 < words.length ? words[last + 1] << -by : 0;
    words[last] = (words[last] >>> by) | next;
    words[first] = (words[first] & (-1L << start)) | below;
    words[last] = ((end & 63) == 0 ? words[last] : words[last] & ~(-1L << end)) | above;
  }

  /** Moves the bits {@code [from, to)} up by less than a word. */
  static void moveUp(long[] words, int from, int to, int by) {
    if (from == to) {
      return;
    }
    int start = from + by;
    int end = to + by;
    int first = start >>> 6;
    int last = (end - 1) >>> 6;
    long below = words[first] & ~(-1L << start);
    long above = (end & 63) == 0 ? 0 : words[last] & (-1L << end);
    for (int i = last; i > first; i--) {
      words[i] = (words[i] << by) | (words[i - 1] >>> -by);
    }
    long previous = first > 0 ? words[first - 1] >>> -by : 0;
    words[first] = (((words[first] << by) | previous) & (-1L << start)) | below;
    words[last] = ((end & 63) == 0 ? words[last] : words[last] & ~(-1L << end)) | above;
  }
}
