package dev.bellows.web.browser;

import java.io.InputStream;
import java.util.Arrays;

/**
 * Replaces {@link java.io.ByteArrayInputStream}: that of the compiler reads the first bytes again
 * after {@code readNBytes}.
 */
public final class ByteArrayInputStream extends InputStream {
  private final byte[] bytes;
  private int at;

  /** The bytes, from the first on. */
  public ByteArrayInputStream(byte[] bytes) {
    this.bytes = bytes;
  }

  @Override
  public int read() {
    return at < bytes.length ? bytes[at++] & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int from, int length) {
    int count = readNBytes(target, from, length);
    return count == 0 && length > 0 ? -1 : count;
  }

  @Override
  public int readNBytes(byte[] target, int from, int length) {
    int count = Math.min(length, available());
    System.arraycopy(bytes, at, target, from, count);
    at += count;
    return count;
  }

  @Override
  public byte[] readNBytes(int length) {
    int from = at;
    at += Math.min(length, available());
    return Arrays.copyOfRange(bytes, from, at);
  }

  @Override
  public int available() {
    return bytes.length - at;
  }
}
