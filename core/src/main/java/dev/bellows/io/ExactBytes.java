package dev.bellows.io;

import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/** Memory that is written to once, taken at once where its size is known before. */
final class ExactBytes extends OutputStream {
  private byte[] bytes = new byte[0];
  private int size;

  /** Makes room for so many more bytes and no others. */
  void reserve(long more) {
    bytes = Arrays.copyOf(bytes, Math.toIntExact(size + more));
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, from.length);
    if (length > bytes.length - size) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(size, length)));
    }
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  byte[] toBytes() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }
}
