package dev.bellows.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Lines to print, put together so that they are written at once. */
final class LinePage {
  private byte[] bytes = {};
  private int length;

  void reset() {
    length = 0;
  }

  /** Adds one of the lines and its end. */
  void add(Lines lines, int index) {
    int size = lines.length(index);
    if (bytes.length - length <= size) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(length, size + 1)));
    }
    System.arraycopy(lines.buffer(), lines.from(index), bytes, length, size);
    length += size;
    bytes[length++] = '\n';
  }

  void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, length);
  }
}
