package dev.bellows.cli.keys;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;

/** Lines to print, put together so that they are written at once. */
public final class LinePage {
  private byte[] bytes = {};
  private int length;

  public void reset() {
    length = 0;
  }

  /** Adds one of the keys and a line end. */
  public void add(Lines lines, int index) {
    add(lines.buffer(), lines.from(index), lines.to(index));
  }

  /** Adds the whole line of one of the keys, as it was read, and its end. */
  public void addWhole(Lines lines, int index) {
    add(lines.buffer(), lines.lineFrom(index), lines.lineTo(index));
  }

  private void add(byte[] buffer, int from, int to) {
    int size = to - from;
    if (bytes.length - length <= size) {
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, Math.addExact(length, size + 1)));
    }
    System.arraycopy(buffer, from, bytes, length, size);
    length += size;
    bytes[length++] = '\n';
  }

  public void writeTo(OutputStream out) throws IOException {
    out.write(bytes, 0, length);
  }
}
