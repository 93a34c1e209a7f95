package dev.bellows.internal.prefixes;

/** Goes through the slots of a chunk that nobody changes. */
final class PrefixWalk {
  private final long[] chunk;
  private final long head;
  private int group = -1;
  private long buckets;
  private int left;
  private int index;
  private int spilled;

  /** The bucket of the present slot. */
  int bucket;

  /** The present slot. */
  long slot;

  PrefixWalk(long[] chunk) {
    this(chunk, chunk[0]);
  }

  PrefixWalk(long[] chunk, long head) {
    this.chunk = chunk;
    this.head = head;
  }

  boolean next() {
    if (left == 0 && !nextBucket()) {
      return false;
    }
    if (left > 0) {
      left--;
      slot = PrefixChunk.get(chunk, PrefixHead.width(head), index++);
    } else {
      slot = PrefixSpill.slot(chunk, head, spilled++);
    }
    return true;
  }

  /** Goes to the next bucket with slots, unless the present one has spilled ones. */
  private boolean nextBucket() {
    if (spilled < PrefixHead.spilled(head)
        && index > 0
        && PrefixSpill.bucket(chunk, head, spilled) == bucket) {
      return true;
    }
    while (buckets == 0) {
      if (++group == PrefixChunk.GROUPS) {
        return false;
      }
      int at = PrefixChunk.COUNTS + 2 * group;
      buckets = chunk[at] | chunk[at + 1];
    }
    bucket = (group << PrefixChunk.GROUP_BITS) + Long.numberOfTrailingZeros(buckets);
    buckets &= buckets - 1;
    left = PrefixChunk.here(chunk, bucket);
    return true;
  }
}
