package dev.bellows.internal.files;

import java.util.Arrays;

/** Writes bits to bytes, starting with the lowest bit of the first byte. */
final class BitOutput {
  private byte[] bytes = new byte[64];
  private int count;
  private long word;
  private int used;

  /** Appends the lowest bits of a value, at most 57. */
  void put(long value, int bits) {
    word |= value << used;
    used += bits;
    while (used >= 8) {
      append((byte) word);
      word >>>= 8;
      used -= 8;
    }
  }

  /** Appends this many zeros, followed by a one. */
  void unary(long zeros) {
    long left = zeros;
    while (left >= 32) {
      put(0, 32);
      left -= 32;
    }
    put(1L << left, (int) left + 1);
  }

  /**
   * Appends a number in Rice's code: the part above the lowest {@code low} bits in unary, then
   * these bits.
   */
  void rice(long value, int low) {
    unary(value >>> low);
    put(value & (1L << low) - 1, low);
  }

  private void append(byte next) {
    if (count == bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.addExact(count, Math.max(count >>> 1, 64)));
    }
    bytes[count++] = next;
  }

  /** Returns all bytes, the last one padded with zeros. */
  byte[] toBytes() {
    byte[] all = Arrays.copyOf(bytes, used == 0 ? count : count + 1);
    if (used > 0) {
      all[count] = (byte) word;
    }
    return all;
  }

  /**
   * Returns the number of low bits of the cheapest Rice code for this many numbers with the given
   * sum. Another bit pays off while 2^bits is below the mean times 0.4812, the natural logarithm of
   * the golden ratio. The factor used is 493/1024, so that the result is the same on every
   * platform.
   */
  static int riceBits(long numbers, double range) {
    int bits = 0;
    while (Math.scalb((double) numbers, bits + 10) < 493 * range) {
      bits++;
    }
    return bits;
  }
}
