package dev.bellows.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Lines of bytes, of any length, without their ends ({@code \n} or {@code \r\n}); a last line needs
 * no end. The current line is a range of a buffer that the next one overwrites.
 */
final class LineReader {
  private static final int FIRST_BYTES = 1 << 16;
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  /** Called before every read, which may wait, with the bytes that the last one brought. */
  interface BeforeRead {
    void run(int bytes) throws IOException;
  }

  private final InputStream in;
  private final BeforeRead beforeRead;
  private byte[] buffer = new byte[FIRST_BYTES];
  private int filled;
  private int next;
  private int from;
  private int to;
  private int lastRead;
  private boolean ended;

  LineReader(InputStream in, BeforeRead beforeRead) {
    this.in = in;
    this.beforeRead = beforeRead;
  }

  /** Moves to the next line; false at the end. */
  boolean next() throws IOException {
    from = next;
    int searched = from;
    while (true) {
      for (int i = searched; i < filled; i++) {
        if (buffer[i] == '\n') {
          endLine(i);
          next = i + 1;
          return true;
        }
      }
      int pending = filled - from;
      if (ended || !fill()) {
        endLine(filled);
        next = filled;
        return pending > 0;
      }
      searched = from + pending;
    }
  }

  private void endLine(int end) {
    to = end > from && buffer[end - 1] == '\r' ? end - 1 : end;
  }

  /** Reads more behind the pending bytes, which move to the front. */
  private boolean fill() throws IOException {
    int pending = filled - from;
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, pending);
      from = 0;
    } else if (pending == buffer.length) {
      if (pending == MOST_BYTES) {
        throw new IOException("a line is longer than 2 GiB");
      }
      buffer = Arrays.copyOf(buffer, (int) Math.min(MOST_BYTES, 2L * pending));
    }
    filled = pending;
    beforeRead.run(lastRead);
    lastRead = Math.max(0, in.read(buffer, filled, buffer.length - filled));
    filled += lastRead;
    ended = lastRead == 0;
    return !ended;
  }

  byte[] buffer() {
    return buffer;
  }

  /** Where the line begins in the buffer. */
  int from() {
    return from;
  }

  /** Where the line ends in the buffer. */
  int to() {
    return to;
  }
}
