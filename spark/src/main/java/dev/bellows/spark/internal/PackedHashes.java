package dev.bellows.spark.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.function.LongConsumer;

/**
 * A set of hashes as bytes: the gaps between the sorted hashes in Rice code, about {@code 66 - log2
 * n} bits each instead of 64. The gaps of n hashes average 2^64/n, so each is cut at the bit below:
 * what is above, mostly 0 to 3, goes in unary, the rest as it is.
 */
final class PackedHashes {
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int PADDING = Long.BYTES;

  private PackedHashes() {}

  /** Where a gap is cut: the highest power of two that is at most the mean gap. */
  private static int lowBits(int count) {
    return Math.min(63, Long.SIZE - 1 - (31 - Integer.numberOfLeadingZeros(count)));
  }

  /** Writes the hashes after so many bytes of room. */
  static byte[] pack(long[] sorted, int room) {
    int low = sorted.length == 0 ? 0 : lowBits(sorted.length);
    long bits = (long) sorted.length * (low + 1);
    long last = 0;
    for (long hash : sorted) {
      bits += (hash - last) >>> low;
      last = hash;
    }
    int header = room + Integer.BYTES;
    byte[] bytes = new byte[Math.toIntExact(header + (bits + 7) / 8 + PADDING)];
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(room, sorted.length);
    long position = 8L * header;
    last = 0;
    for (long hash : sorted) {
      long gap = hash - last;
      last = hash;
      position += gap >>> low;
      or(bytes, position++, 1);
      int first = Math.min(low, 32);
      or(bytes, position, gap & ((1L << first) - 1));
      or(bytes, position + first, (gap & ((1L << low) - 1)) >>> first);
      position += low;
    }
    return bytes;
  }

  static int count(byte[] bytes, int room) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(room);
  }

  /** Hands every hash on, ascending. */
  static void forEach(byte[] bytes, int room, LongConsumer consumer) {
    int count = count(bytes, room);
    int low = count == 0 ? 0 : lowBits(count);
    int first = Math.min(low, 32);
    long position = 8L * (room + Integer.BYTES);
    long hash = 0;
    for (int i = 0; i < count; i++) {
      long high = 0;
      long ahead = ahead(bytes, position);
      while (ahead == 0) { // at least 57 zeros
        high += 57;
        position += 57;
        ahead = ahead(bytes, position);
      }
      int zeros = Long.numberOfTrailingZeros(ahead);
      high += zeros;
      position += zeros + 1;
      long gap = high << low;
      gap += ahead(bytes, position) & ((1L << first) - 1);
      gap += (ahead(bytes, position + first) & ((1L << (low - first)) - 1)) << first;
      position += low;
      hash += gap;
      consumer.accept(hash);
    }
  }

  /** At least the next 57 bits. */
  private static long ahead(byte[] bytes, long position) {
    return (long) WORD.get(bytes, (int) (position >>> 3)) >>> (position & 7);
  }

  /** Sets at most 57 bits. */
  private static void or(byte[] bytes, long position, long value) {
    int at = (int) (position >>> 3);
    WORD.set(bytes, at, (long) WORD.get(bytes, at) | value << (position & 7));
  }
}
