package dev.bellows.internal.prefixes;

import static dev.bellows.internal.prefixes.PrefixChunk.BUCKET_BITS;
import static dev.bellows.internal.prefixes.PrefixChunk.MAX_SLOTS;

/**
 * The first word of a {@link PrefixChunk}, depth, width of slots, numbers of slots, version and
 * lock; and what a slot says in a chunk with such a head.
 */
final class PrefixHead {
  private static final int WIDTH_AT = 6;
  private static final int HERE_AT = 12;
  private static final int SPILLED_AT = 23;
  private static final int VERSION_AT = 37;
  private static final int VERSION_END = 62;
  private static final long FIELD = 0x3F;
  private static final long SHAPE = (1L << HERE_AT) - 1;

  private PrefixHead() {}

  /** The head of an empty chunk. */
  static long of(int depth, int width) {
    return ((long) width << WIDTH_AT) | depth;
  }

  /** The head with a slot more, in place or spilled, of a chunk that nobody else has. */
  static long appended(long head, boolean isSpilled) {
    return head + (1L << (isSpilled ? SPILLED_AT : HERE_AT));
  }

  /** The head without version and lock. */
  static long withoutVersion(long head) {
    return head & ((1L << VERSION_AT) - 1);
  }

  static int depth(long head) {
    return (int) (head & FIELD);
  }

  /** The first hash behind those of the chunk at an address; 0 behind the last one. */
  static long behind(long head, long address) {
    int depth = depth(head);
    return depth == 0 ? 0 : address + (1L << (64 - depth));
  }

  /** The bits of a slot: those of its longest prefix beyond the bucket, and one. */
  static int width(long head) {
    return (int) ((head >>> WIDTH_AT) & FIELD);
  }

  /** All slots, with the spilled ones. */
  static int count(long head) {
    return here(head) + spilled(head);
  }

  static int here(long head) {
    return (int) (head >>> HERE_AT) & 0x7FF;
  }

  static int spilled(long head) {
    return (int) (head >>> SPILLED_AT) & MAX_SLOTS;
  }

  /** The head with so many slots more and the next version; not locked. */
  static long changed(long head, int here, int spilled) {
    long counted = head + ((long) here << HERE_AT) + ((long) spilled << SPILLED_AT);
    return unlocked(counted + (1L << VERSION_AT));
  }

  /** The head of a chunk that is not locked, of the same version. */
  static long unlocked(long head) {
    return head & ((1L << VERSION_END) - 1);
  }

  static int bucket(long head, long hash) {
    return (int) (hash << depth(head) >>> (64 - BUCKET_BITS));
  }

  /** The slot of the prefix of this length, which must reach at least to the bucket. */
  static long slot(long head, long hash, int length) {
    int width = width(head);
    int beyond = length - depth(head) - BUCKET_BITS;
    long bits = (hash << depth(head) << BUCKET_BITS >>> (63 - beyond)) & -2L;
    return (bits | 1) << Math.max(0, width - 1 - beyond);
  }

  /** The length of the prefix in a slot. */
  static int length(long head, long slot) {
    return depth(head) + BUCKET_BITS + width(head) - 1 - Long.numberOfTrailingZeros(slot);
  }

  /** The prefix in a slot, its bits from the top of the word. */
  static long prefix(long head, long address, int bucket, long slot) {
    long beyond = (slot & (slot - 1)) << (64 - width(head)) >>> BUCKET_BITS;
    return address | ((((long) bucket << (64 - BUCKET_BITS)) | beyond) >>> depth(head));
  }

  /** The order of slots: by the bits of the prefix, and of equal ones the shorter first. */
  static boolean precedes(long slot, long other) {
    long bits = slot & (slot - 1);
    long others = other & (other - 1);
    return bits != others ? bits < others : slot > other;
  }

  /**
   * Whether a slot holds a prefix of the hash whose slot would be {@code wanted}, if it is long.
   */
  static boolean matches(long slot, long wanted) {
    return (slot ^ wanted) >>> Long.numberOfTrailingZeros(slot) >>> 1 == 0;
  }

  /** The bits of a hash at the places of a slot. */
  static long wanted(long head, long hash) {
    return hash << depth(head) << BUCKET_BITS >>> (64 - width(head));
  }

  /** Whether two heads have the same depth and width of slots. */
  static boolean sameShape(long head, long other) {
    return ((head ^ other) & SHAPE) == 0;
  }

  /** The slot of a prefix without bits beyond its bucket. */
  static long ending(long head) {
    return 1L << (width(head) - 1);
  }
}
