package dev.bellows.internal.files;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;

/**
 * A byte buffer that is written once and allocated in one step where its size is known in advance.
 */
final class ExactBytes extends ByteArrayOutputStream {
  private static final long MAX_LENGTH = Integer.MAX_VALUE - 8;

  ExactBytes() {
    super(0);
  }

  /** Makes room for exactly this many more bytes. */
  void reserve(long more) {
    if (count + more > MAX_LENGTH) {
      throw new IllegalStateException(
          "a filter of %d bytes does not fit into one array: write it to a stream or a file"
              .formatted(count + more));
    }
    buf = Arrays.copyOf(buf, count + (int) more);
  }

  byte[] toBytes() {
    return count == buf.length ? buf : toByteArray();
  }
}
