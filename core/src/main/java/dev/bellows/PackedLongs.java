package dev.bellows;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Non-negative numbers in 7 bits per byte, lowest first, the top bit set on all but the last byte
 * (LEB128, always in its shortest form), and words of 8 bytes little endian.
 */
final class PackedLongs {
  private static final int MORE = 0x80;
  private static final int BITS = 7;
  private static final int LAST_SHIFT = 56;

  private PackedLongs() {}

  /** Writes numbers one after the other. */
  static final class Writer {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    void put(long value) {
      long rest = value;
      while (rest >= MORE) {
        out.write((int) (rest | MORE));
        rest >>>= BITS;
      }
      out.write((int) rest);
    }

    void putWords(long[] words) {
      ByteBuffer bytes = ByteBuffer.allocate(8 * words.length).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asLongBuffer().put(words);
      out.write(bytes.array(), 0, bytes.capacity());
    }

    byte[] toBytes() {
      return out.toByteArray();
    }
  }

  /** Reads numbers nobody vouches for; whatever is wrong is an IllegalArgumentException. */
  static final class Reader {
    private final ByteBuffer in;

    Reader(byte[] bytes) {
      this.in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The next number, which must lie in {@code [0, most]}. */
    long next(long most) {
      long value = 0;
      for (int shift = 0; ; shift += BITS) {
        require(1);
        long part = in.get();
        value |= (part & (MORE - 1)) << shift;
        if (part >= 0) {
          if ((part == 0 && shift > 0) || value < 0 || value > most) {
            throw new IllegalArgumentException(
                "a packed number is not in its shortest form or exceeds " + most);
          }
          return value;
        }
        if (shift == LAST_SHIFT) {
          throw new IllegalArgumentException("a packed number has more than 63 bits");
        }
      }
    }

    /** The next number as a count of things of at least a byte each, which must still be there. */
    int count() {
      return (int) next(in.remaining());
    }

    void require(int bytes) {
      if (in.remaining() < bytes) {
        throw new IllegalArgumentException(
            "its packed numbers end early: "
                + in.remaining()
                + " bytes where "
                + bytes
                + " belong");
      }
    }

    long[] words(int count) {
      if (in.remaining() / 8 < count) {
        require(Integer.MAX_VALUE);
      }
      long[] words = new long[count];
      in.asLongBuffer().get(words);
      in.position(in.position() + 8 * count);
      return words;
    }

    void end() {
      if (in.hasRemaining()) {
        throw new IllegalArgumentException(in.remaining() + " bytes follow its packed numbers");
      }
    }
  }
}
