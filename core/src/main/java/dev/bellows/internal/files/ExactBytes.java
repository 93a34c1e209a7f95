package dev.bellows.internal.files;

import java.io.OutputStream;
import java.util.Arrays;
import java.util.Objects;

/**
 * A byte buffer that is written once and allocated in one step where its size is known in advance.
 */
final class ExactBytes extends OutputStream {
  private static final long MAX_LENGTH = Integer.MAX_VALUE - 8;

  private byte[] bytes = new byte[0];
  private int size;

  /** Makes room for exactly this many more bytes. */
  void reserve(long more) {
    bytes = Arrays.copyOf(bytes, checked(size + more));
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] from, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, from.length);
    if (length > bytes.length - size) {
      bytes = Arrays.copyOf(bytes, checked(Math.max(2L * bytes.length, (long) size + length)));
    }
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  private static int checked(long length) {
    if (length > MAX_LENGTH) {
      throw new IllegalStateException(
          "a filter of %d bytes does not fit into one array: write it to a stream or a file"
              .formatted(length));
    }
    return (int) length;
  }

  byte[] toBytes() {
    return size == bytes.length ? bytes : Arrays.copyOf(bytes, size);
  }
}
