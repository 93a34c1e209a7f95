package dev.bellows.redis;

import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import java.util.ArrayList;
import java.util.List;

/**
 * The bits of one level in one of its states, cut into stripes of equal length; the last may be
 * shorter. Position p is in byte {@code p / 8}, as in a file, and Redis counts the bits of a byte
 * from the top.
 *
 * @param index which level of a growing filter it is, 0 for any other
 * @param number tells it from all parts that the filter ever had
 * @param bits its size
 * @param stripeBytes the length of a stripe
 * @param capacity the maximum number of keys it may hold, for a growing filter
 */
record Part(int index, long number, long bits, int stripeBytes, long capacity) {
  /** So that no command on a stripe holds up the server for long. */
  static final int MOST_STRIPE_BYTES = 8 << 20;

  /** More than any filter needs, and few enough to list them. */
  static final int MOST_STRIPES = 1 << 20;

  private static final int MOST_INDEX = 1 << 12;

  Part {
    Checks.inRange(0, MOST_INDEX, index, "level");
    Checks.notNegative(number, "part");
    Checks.positive(bits, "bits of a part");
    Checks.inRange(1, MOST_STRIPE_BYTES, stripeBytes, "bytes of a stripe");
    Checks.notNegative(capacity, "capacity of a part");
    Checks.inRange(1, MOST_STRIPES, (bytes(bits) - 1) / stripeBytes + 1, "number of stripes");
  }

  static long bytes(long bits) {
    return (bits + 7) >>> 3;
  }

  /** Returns the bytes that stay together: a block, or a word of our files. */
  static int unitBytes(Layout layout) {
    return Math.max(Long.BYTES, layout.cellBits() / Byte.SIZE);
  }

  /** Refuses stripes that would cut a block, or a word, into two. */
  Part checked(Layout layout) {
    layout.checkedBits(bits);
    if (stripeBytes % unitBytes(layout) != 0) {
      throw new IllegalArgumentException(
          "stripes of %d bytes cut a unit of %d".formatted(stripeBytes, unitBytes(layout)));
    }
    return this;
  }

  /**
   * Returns the length of a stripe for a size: all of it up to 8 MiB, otherwise the longest that
   * divides it, so that most foldings are ORs of whole stripes.
   */
  static int stripeBytesFor(long bits, Layout layout) {
    long bytes = bytes(bits);
    int unit = unitBytes(layout);
    if (bytes <= MOST_STRIPE_BYTES) {
      return (int) ((bytes + unit - 1) / unit * unit);
    }
    long fewest = (bytes - 1) / MOST_STRIPE_BYTES + 1;
    for (long stripes = fewest; stripes <= 4 * fewest; stripes++) {
      if (bytes % stripes == 0 && bytes / stripes % unit == 0) {
        return (int) (bytes / stripes);
      }
    }
    return MOST_STRIPE_BYTES;
  }

  /** Returns the part after folding: stripes of the same length where they fit. */
  Part folded(long factor, long newNumber, long newCapacity, Layout layout) {
    long newBits = bits / factor;
    boolean fits = bytes(newBits) % stripeBytes == 0;
    return new Part(
        index,
        newNumber,
        newBits,
        fits ? stripeBytes : stripeBytesFor(newBits, layout),
        newCapacity);
  }

  long bytes() {
    return bytes(bits);
  }

  int stripes() {
    return (int) ((bytes() - 1) / stripeBytes + 1);
  }

  /** Returns the length of one of its stripes. */
  int length(int stripe) {
    return (int) Math.min(stripeBytes, bytes() - (long) stripe * stripeBytes);
  }

  int stripeOf(long position) {
    return (int) ((position >>> 3) / stripeBytes);
  }

  /** Where Redis has the bit of a position in its stripe. */
  long offset(long position) {
    long inStripe = (position >>> 3) % stripeBytes;
    return inStripe << 3 | 7 - (position & 7);
  }

  byte[] key(String name, int stripe) {
    return Wire.bytes(Keys.stripe(name, number, stripe));
  }

  List<byte[]> keys(String name) {
    List<byte[]> keys = new ArrayList<>();
    for (int stripe = 0; stripe < stripes(); stripe++) {
      keys.add(key(name, stripe));
    }
    return keys;
  }
}
