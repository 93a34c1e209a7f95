package dev.bellows.internal.base;

import java.util.Arrays;

/**
 * Encodes any CharSequence in UTF-8 as {@code String.getBytes} does: an unpaired surrogate becomes
 * a question mark.
 */
public final class Utf8 {
  private Utf8() {}

  /** Encodes the whole sequence. */
  public static byte[] encode(CharSequence text) {
    int length = text.length();
    byte[] out = new byte[length + 4];
    int size = 0;
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (out.length - size < 4) {
        out = Arrays.copyOf(out, size + 4 + 3 * (length - i));
      }
      if (c < 0x80) {
        out[size++] = (byte) c;
      } else if (c < 0x800) {
        out[size++] = (byte) (0xc0 | (c >> 6));
        out[size++] = continuation(c);
      } else if (!Character.isSurrogate(c)) {
        out[size++] = (byte) (0xe0 | (c >> 12));
        out[size++] = continuation(c >> 6);
        out[size++] = continuation(c);
      } else if (i + 1 < length && Character.isSurrogatePair(c, text.charAt(i + 1))) {
        int point = Character.toCodePoint(c, text.charAt(++i));
        out[size++] = (byte) (0xf0 | (point >> 18));
        out[size++] = continuation(point >> 12);
        out[size++] = continuation(point >> 6);
        out[size++] = continuation(point);
      } else {
        out[size++] = '?';
      }
    }
    return size == out.length ? out : Arrays.copyOf(out, size);
  }

  private static byte continuation(int bits) {
    return (byte) (0x80 | (bits & 0x3f));
  }
}
