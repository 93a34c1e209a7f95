package dev.bellows.internal.store;

/** Goes through the slots of a chunk that nobody changes. */
final class PrefixWalk {
  private final long[] chunk;
  private final int count;
  private final int width;
  private int word = PrefixChunk.HEADER;
  private long ones;
  private int index = -1;

  /** The bucket of the present slot. */
  int bucket;

  /** The present slot. */
  long slot;

  PrefixWalk(long[] chunk) {
    this(chunk, chunk[0]);
  }

  PrefixWalk(long[] chunk, long head) {
    this.chunk = chunk;
    this.count = PrefixChunk.count(head);
    this.width = PrefixChunk.width(head);
    this.ones = chunk[PrefixChunk.HEADER];
  }

  boolean next() {
    if (++index >= count) {
      return false;
    }
    while (ones == 0) {
      ones = chunk[++word];
    }
    bucket = ((word - PrefixChunk.HEADER) << 6) + Long.numberOfTrailingZeros(ones) - index;
    ones &= ones - 1;
    slot = PrefixChunk.get(chunk, width, index);
    return true;
  }
}
