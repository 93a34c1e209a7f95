package dev.bellows.foreign;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The header before a bitset in a Parquet file: the length and three choices (split blocks, XXH64,
 * uncompressed) in Thrift's compact protocol. Each choice currently has only one value.
 *
 * @param length the length of the header itself
 * @param bitsetBytes the length of the bitset according to the header
 */
record ParquetHeader(int length, int bitsetBytes) {
  /** The length of the longest header. */
  static final int MAX_BYTES = 19;

  /** Field 1, of type i32. */
  private static final int BITSET_LENGTH = 0x15;

  /** Three structs, each with an empty struct as its field 1, and the end of the header. */
  private static final byte[] CHOICES = {
    0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0x1c, 0x1c, 0, 0, 0,
  };

  /** Returns the header at the start of the bytes; null if there is none. */
  static @Nullable ParquetHeader at(byte[] bytes) {
    if (bytes.length == 0 || bytes[0] != BITSET_LENGTH) {
      return null;
    }
    int zigzag = 0;
    int at = 1;
    boolean more = true;
    for (int shift = 0; more; shift += 7, at++) {
      if (at == bytes.length || shift > 28) {
        return null;
      }
      zigzag |= (bytes[at] & 0x7f) << shift;
      more = bytes[at] < 0;
    }
    int end = at + CHOICES.length;
    if (end > bytes.length || !Arrays.equals(bytes, at, end, CHOICES, 0, CHOICES.length)) {
      return null;
    }
    return new ParquetHeader(end, (zigzag >>> 1) ^ -(zigzag & 1));
  }

  static byte[] encode(int bitsetBytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(MAX_BYTES);
    out.write(BITSET_LENGTH);
    int rest = bitsetBytes << 1;
    for (; (rest & ~0x7f) != 0; rest >>>= 7) {
      out.write(rest | 0x80);
    }
    out.write(rest);
    out.writeBytes(CHOICES);
    return out.toByteArray();
  }
}
