package dev.bellows.internal.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** SipHash-2-4 (Aumasson and Bernstein 2012): a keyed hash that resists chosen keys. */
public final class SipHash24 {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final byte[] SINGLE_LONG = {};

  private final long k0;
  private final long k1;

  /** Creates the hash function for a 128-bit key, given as two little-endian halves. */
  public SipHash24(long k0, long k1) {
    this.k0 = k0;
    this.k1 = k1;
  }

  /** Hashes a range of bytes. */
  public long hash(byte[] bytes, int from, int length) {
    return hash(bytes, from, length, 0);
  }

  /** Hashes a long as its 8 bytes, little endian. */
  public long hash(long key) {
    return hash(SINGLE_LONG, 0, Long.BYTES, key);
  }

  private long hash(byte[] bytes, int from, int length, long single) {
    long v0 = k0 ^ 0x736f6d6570736575L;
    long v1 = k1 ^ 0x646f72616e646f6dL;
    long v2 = k0 ^ 0x6c7967656e657261L;
    long v3 = k1 ^ 0x7465646279746573L;
    int wholeWords = length >>> 3;
    for (int i = 0; i <= wholeWords + 1; i++) {
      boolean finish = i > wholeWords;
      long word = finish ? 0 : i == wholeWords ? tail(bytes, from, length) : single;
      if (i < wholeWords && bytes != SINGLE_LONG) {
        word = (long) LONG.get(bytes, from + 8 * i);
      }
      v3 ^= word;
      v2 ^= finish ? 0xff : 0;
      for (int round = finish ? 4 : 2; round > 0; round--) {
        v0 += v1;
        v2 += v3;
        v1 = Long.rotateLeft(v1, 13) ^ v0;
        v3 = Long.rotateLeft(v3, 16) ^ v2;
        v0 = Long.rotateLeft(v0, 32) + v3;
        v2 += v1;
        v1 = Long.rotateLeft(v1, 17) ^ v2;
        v3 = Long.rotateLeft(v3, 21) ^ v0;
        v2 = Long.rotateLeft(v2, 32);
      }
      v0 ^= word;
    }
    return v0 ^ v1 ^ v2 ^ v3;
  }

  /**
   * Returns the last, partial word: the remaining bytes, and the length modulo 256 in the highest
   * byte.
   */
  private static long tail(byte[] bytes, int from, int length) {
    long word = (long) length << 56;
    int start = from + (length & ~7);
    for (int i = 0; i < (length & 7); i++) {
      word |= (bytes[start + i] & 0xffL) << (8 * i);
    }
    return word;
  }
}
