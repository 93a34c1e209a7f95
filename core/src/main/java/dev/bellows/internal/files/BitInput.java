package dev.bellows.internal.files;

/** Reads bits from untrusted input; every error is an IllegalArgumentException. */
final class BitInput {
  private final byte[] bytes;
  private long at;

  BitInput(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the next bits as a number, at most 57. */
  long get(int bits) {
    long end = at + bits;
    if (end > 8L * bytes.length) {
      throw new IllegalArgumentException("its coded prefixes are truncated");
    }
    long value = 0;
    int shift = -(int) (at & 7);
    for (int i = (int) (at >>> 3); shift < bits; i++, shift += 8) {
      long next = bytes[i] & 0xFF;
      value |= shift < 0 ? next >>> -shift : next << shift;
    }
    at = end;
    return bits == 0 ? 0 : value & -1L >>> (64 - bits);
  }

  /** Returns the number of zeros before the next one bit. */
  long unary() {
    long zeros = 0;
    while (true) {
      int index = (int) (at >>> 3);
      if (index >= bytes.length) {
        throw new IllegalArgumentException("its coded prefixes are truncated");
      }
      int rest = (bytes[index] & 0xFF) >>> (at & 7);
      if (rest != 0) {
        int more = Integer.numberOfTrailingZeros(rest);
        at += more + 1;
        return zeros + more;
      }
      int more = 8 - (int) (at & 7);
      zeros += more;
      at += more;
    }
  }

  /** Returns a number in Rice's code, which must be at most {@code most}. */
  long rice(int low, long most) {
    long high = unary();
    if (high > most >>> low) {
      throw new IllegalArgumentException("a coded prefix is too large");
    }
    long value = high << low | get(low);
    if (value > most) {
      throw new IllegalArgumentException("a coded prefix is too large");
    }
    return value;
  }

  /** Throws if anything but the zeros that fill the last byte is left. */
  void end() {
    long left = 8L * bytes.length - at;
    if (left > 7 || get((int) left) != 0) {
      throw new IllegalArgumentException("bits follow its coded prefixes");
    }
  }
}
