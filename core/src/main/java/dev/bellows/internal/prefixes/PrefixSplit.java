package dev.bellows.internal.prefixes;

import org.jspecify.annotations.Nullable;

/** What a chunk becomes when it splits: the chunks of its lower and of its higher hashes. */
final class PrefixSplit {
  final long[] low;
  final long[] high;

  /** How many of its prefixes ended with their bucket, and so were copied. */
  final int endings;

  private PrefixSplit(long[] low, long[] high, int endings) {
    this.low = low;
    this.high = high;
    this.endings = endings;
  }

  /** The slots of both. */
  int slots() {
    return PrefixHead.count(low[0]) + PrefixHead.count(high[0]);
  }

  /**
   * Splits a chunk in two by the next bit of its hashes. A prefix that ends with its bucket goes to
   * both buckets that this one becomes; null if a chunk could not hold them all then, or if many
   * are copied and few others are there: to copy the same again and again gives no room.
   *
   * @param width the least width of the slots of both
   * @param chunkKeys the most prefixes of a chunk of which few end with their bucket
   */
  static @Nullable PrefixSplit of(long[] chunk, int width, int chunkKeys) {
    long[][] halves = new long[2][];
    int[] slots = new int[2];
    int[] widths = {width, width};
    int shorter = PrefixHead.width(chunk[0]) - 1;
    int endings = 0;
    PrefixWalk walk = new PrefixWalk(chunk);
    while (walk.next()) {
      int side = walk.bucket >>> (PrefixChunk.BUCKET_BITS - 1);
      int rest = shorter - Long.numberOfTrailingZeros(walk.slot);
      slots[side] += rest == 0 ? 2 : 1;
      endings += rest == 0 ? 1 : 0;
      widths[side] = Math.max(widths[side], rest);
    }
    int count = PrefixHead.count(chunk[0]);
    boolean isCovered = endings > count / 4 && count - endings < chunkKeys;
    if (isCovered || Math.max(slots[0], slots[1]) > PrefixChunk.MAX_SLOTS) {
      return null;
    }
    walk = new PrefixWalk(chunk);
    boolean has = walk.next();
    for (int side = 0; side < 2; side++) {
      halves[side] =
          PrefixChunk.create(
              PrefixHead.depth(chunk[0]) + 1, widths[side], PrefixChunk.roomFor(slots[side]));
      has = fill(halves, walk, has, shorter, side);
    }
    return new PrefixSplit(halves[0], halves[1], endings);
  }

  /** Takes the slots of one side from the walk; whether it has one behind them. */
  private static boolean fill(
      long[][] halves, PrefixWalk walk, boolean hasOne, int shorter, int side) {
    long[] half = halves[side];
    long ending = 1L << shorter;
    int wide = PrefixHead.width(half[0]);
    int pending = 0;
    int second = 0;
    boolean has = hasOne;
    while (has && walk.bucket >>> (PrefixChunk.BUCKET_BITS - 1) == side) {
      int first = (walk.bucket << 1) & (PrefixChunk.BUCKETS - 1);
      boolean isEnding = walk.slot == ending;
      boolean isSecond = !isEnding && walk.slot >= ending;
      if (pending > 0 && (isSecond || first != second - 1)) {
        half = appended(half, second, 1L << (wide - 1), pending);
        pending = 0;
      }
      second = first + 1;
      if (isEnding) {
        // the first of their bucket, and of both that it becomes
        if (pending < PrefixChunk.MAX_ENDINGS) {
          half = PrefixChunk.appended(half, first, 1L << (wide - 1));
          pending++;
        }
      } else {
        long rest = walk.slot & (ending - 1);
        int up = wide - shorter;
        half =
            PrefixChunk.appended(
                half, isSecond ? second : first, up >= 0 ? rest << up : rest >>> -up);
      }
      has = walk.next();
    }
    halves[side] = appended(half, second, 1L << (wide - 1), pending);
    return has;
  }

  private static long[] appended(long[] chunk, int bucket, long slot, int times) {
    long[] larger = chunk;
    for (int i = 0; i < times; i++) {
      larger = PrefixChunk.appended(larger, bucket, slot);
    }
    return larger;
  }
}
