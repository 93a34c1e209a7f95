package dev.bellows;

import dev.bellows.internal.base.Utf8;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.UUID;

/**
 * The bytes of a key of several fields, in the order they are put. Fields of varying length are
 * followed by their length, so that ("ab", "c") and ("a", "bc") differ.
 */
public final class KeySink {
  private ByteBuffer bytes = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);

  KeySink() {}

  /** Puts 8 bytes, little endian. */
  public KeySink putLong(long value) {
    room(Long.BYTES).putLong(value);
    return this;
  }

  /** Puts the int as a long: a field keeps its bytes when its type is widened. */
  public KeySink putInt(int value) {
    return putLong(value);
  }

  /** Puts the IEEE 754 bits as a long; -0.0 is 0.0 and every NaN is the same. */
  public KeySink putDouble(double value) {
    return putLong(HashScheme.canonicalBits(value));
  }

  /** Puts one byte, 0 or 1. */
  public KeySink putBoolean(boolean value) {
    room(1).put((byte) (value ? 1 : 0));
    return this;
  }

  /** Puts 16 bytes, big endian. */
  public KeySink putUuid(UUID value) {
    return putLong(Long.reverseBytes(value.getMostSignificantBits()))
        .putLong(Long.reverseBytes(value.getLeastSignificantBits()));
  }

  /** Puts the bytes, then their number as 4 bytes little endian. */
  public KeySink putBytes(byte[] value) {
    room(value.length + Integer.BYTES).put(value).putInt(value.length);
    return this;
  }

  /** Puts the UTF-8 bytes, then their number as 4 bytes little endian. */
  public KeySink putText(CharSequence value) {
    return putBytes(Utf8.encode(value));
  }

  long hash(HashScheme scheme) {
    return scheme.hash(bytes.array(), 0, bytes.position());
  }

  private ByteBuffer room(int needed) {
    if (bytes.remaining() < needed) {
      int capacity = Math.max(2 * bytes.capacity(), bytes.position() + needed);
      bytes =
          ByteBuffer.wrap(Arrays.copyOf(bytes.array(), capacity))
              .order(ByteOrder.LITTLE_ENDIAN)
              .position(bytes.position());
    }
    return bytes;
  }
}
