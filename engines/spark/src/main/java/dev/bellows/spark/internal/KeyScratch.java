package dev.bellows.spark.internal;

import dev.bellows.HashScheme;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;

/**
 * Reused bytes of one thread for keys that are not hashed in place: decimals, and keys of several
 * fields, byte for byte as core's KeyHasher.Sink writes them (spec/HASHING.md).
 */
final class KeyScratch {
  private static final ThreadLocal<KeyScratch> OF_THREAD = ThreadLocal.withInitial(KeyScratch::new);

  private ByteBuffer bytes = ByteBuffer.allocate(256).order(ByteOrder.LITTLE_ENDIAN);
  private final byte[] digits = new byte[24];

  private KeyScratch() {}

  static KeyScratch cleared() {
    KeyScratch scratch = OF_THREAD.get();
    scratch.bytes.clear();
    return scratch;
  }

  long hash(HashScheme scheme) {
    return scheme.hash(bytes.array(), 0, bytes.position());
  }

  void putLong(long value) {
    room(Long.BYTES).putLong(value);
  }

  void putText(UTF8String text) {
    int length = text.numBytes();
    room(length + Integer.BYTES);
    long at = Platform.BYTE_ARRAY_OFFSET + (long) bytes.position();
    text.writeToMemory(bytes.array(), at);
    bytes.position(bytes.position() + length).putInt(length);
  }

  void putBytes(byte[] value) {
    room(value.length + Integer.BYTES).put(value).putInt(value.length);
  }

  /** Puts a decimal's canonical text, then its length. */
  void putDecimalField(Decimal value) {
    int from = bytes.position();
    putDecimal(value);
    int length = bytes.position() - from;
    room(Integer.BYTES).putInt(length);
  }

  /**
   * Puts the text of {@code stripTrailingZeros().toPlainString()}: 1.0 and 1.00 are the same key.
   */
  void putDecimal(Decimal value) {
    if (value.precision() > Decimal.MAX_LONG_DIGITS()) {
      String text = value.toJavaBigDecimal().stripTrailingZeros().toPlainString();
      for (int i = 0; i < text.length(); i++) {
        room(1).put((byte) text.charAt(i));
      }
      return;
    }
    long unscaled = value.toUnscaledLong();
    int scale = value.scale();
    while (scale > 0 && unscaled % 10 == 0) {
      unscaled /= 10;
      scale--;
    }
    putPlain(unscaled, scale);
  }

  private void putPlain(long unscaled, int scale) {
    int at = digits.length;
    int fraction = scale;
    long rest = Math.abs(unscaled); // at most 18 digits
    do {
      digits[--at] = (byte) ('0' + rest % 10);
      rest /= 10;
      if (--fraction == 0) {
        digits[--at] = '.';
      }
    } while (rest != 0 || fraction >= 0);
    if (unscaled < 0) {
      digits[--at] = '-';
    }
    room(digits.length).put(digits, at, digits.length - at);
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
