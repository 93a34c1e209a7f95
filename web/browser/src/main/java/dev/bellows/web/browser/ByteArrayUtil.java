package dev.bellows.web.browser;

/** Replaces hash4j's access to numbers in bytes, little-endian. */
public final class ByteArrayUtil {
  private ByteArrayUtil() {}

  /** Returns four bytes as a number. */
  public static int getInt(byte[] bytes, int at) {
    return (bytes[at] & 0xff)
        | (bytes[at + 1] & 0xff) << 8
        | (bytes[at + 2] & 0xff) << 16
        | bytes[at + 3] << 24;
  }

  /** Returns eight bytes as a number. */
  public static long getLong(byte[] bytes, int at) {
    return (getInt(bytes, at) & 0xffff_ffffL) | (long) getInt(bytes, at + 4) << 32;
  }
}
