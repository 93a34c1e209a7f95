package dev.bellows.internal.store;

/** Operations on bits in an array of words that go over the borders of words. */
final class BitRuns {
  private static final byte[] SELECT = selectInByte();

  private BitRuns() {}

  /** The place of the one with this rank, counted from 0. */
  static int select(long word, int rank) {
    long sums = word - ((word >>> 1) & 0x5555555555555555L);
    sums = (sums & 0x3333333333333333L) + ((sums >>> 2) & 0x3333333333333333L);
    sums = ((sums + (sums >>> 4)) & 0x0F0F0F0F0F0F0F0FL) * 0x0101010101010101L;
    // bytes whose ones, with all below, are at most the rank
    long passed = ((rank * 0x0101010101010101L | 0x8080808080808080L) - sums) & 0x8080808080808080L;
    int shift = Long.bitCount(passed) << 3;
    int inByte = rank - (int) ((sums << 8 >>> shift) & 0xFF);
    return shift + SELECT[((int) ((word >>> shift) & 0xFF) << 3) | inByte];
  }

  private static byte[] selectInByte() {
    byte[] table = new byte[256 * 8];
    for (int value = 0; value < 256; value++) {
      int rank = 0;
      for (int bit = 0; bit < 8; bit++) {
        if (((value >>> bit) & 1) != 0) {
          table[(value << 3) | rank++] = (byte) bit;
        }
      }
    }
    return table;
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
