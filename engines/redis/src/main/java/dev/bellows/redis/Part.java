package dev.bellows.redis;

import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import java.util.ArrayList;
import java.util.List;

/**
 * The bits of one level at one size, divided into stripes of equal length; the last stripe may be
 * shorter. Position p is in byte {@code p / 8}, as in a file, but Redis counts the bits of a byte
 * from the top.
 *
 * @param index the index of the level in a growing filter; 0 in any other
 * @param number distinguishes this part from all other parts that the filter ever had
 * @param bits the size
 * @param stripeBytes the length of a stripe
 * @param capacity the maximum number of keys in a growing filter
 */
record Part(int index, long number, long bits, int stripeBytes, long capacity) {
  /** The maximum length of a stripe, so that no command on a stripe blocks the server for long. */
  static final int MOST_STRIPE_BYTES = 8 << 20;

  /** The maximum number of stripes: more than any filter needs, and few enough to list. */
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

  /**
   * Returns the number of bytes that must not be separated: those of a block, or of a word in
   * files.
   */
  static int unitBytes(Layout layout) {
    return Math.max(Long.BYTES, layout.cellBits() / Byte.SIZE);
  }

  /** Returns this part, or throws if its stripes would split a block or word. */
  Part checked(Layout layout) {
    layout.checkedBits(bits);
    if (stripeBytes % unitBytes(layout) != 0) {
      throw new IllegalArgumentException(
          "stripes of %d bytes would split a unit of %d bytes"
              .formatted(stripeBytes, unitBytes(layout)));
    }
    return this;
  }

  /**
   * Returns the length of stripes for a size: the whole size up to 8 MiB, otherwise the longest
   * divisor, so that most foldings are ORs of whole stripes.
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

  /** Returns the folded part, with stripes of the same length if possible. */
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

  /** Returns the length of a stripe. */
  int length(int stripe) {
    return (int) Math.min(stripeBytes, bytes() - (long) stripe * stripeBytes);
  }

  int stripeOf(long position) {
    return (int) ((position >>> 3) / stripeBytes);
  }

  /** Returns the offset at which Redis stores the bit of a position in its stripe. */
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
