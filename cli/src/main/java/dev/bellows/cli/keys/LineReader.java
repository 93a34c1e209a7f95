package dev.bellows.cli.keys;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Cuts an input into lines of bytes, up to a limit of their length, without their ends ({@code \n}
 * or {@code \r\n}); a last line needs no end. It holds little more than one line of that length,
 * however long a line of the input is.
 */
final class LineReader {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long NEWLINES = 0x0a0a0a0a0a0a0a0aL;
  private static final long ALL_BUT_TOPS = 0x7f7f7f7f7f7f7f7fL;

  private final InputStream in;
  private final int maxLength;

  /** The begun line behind the last whole one. */
  private byte[] pending = {};

  private int pendingLength;
  private int lineFrom;
  private boolean ended;
  private boolean stopped;

  /**
   * Lines of at most this many bytes.
   *
   * @param maxLength at most {@link Lines#MAX_LENGTH}
   */
  LineReader(InputStream in, int maxLength) {
    this.in = in;
    this.maxLength = maxLength;
  }

  /** Whether the line after the last one that was read is longer than the limit. */
  boolean isStopped() {
    return stopped;
  }

  /**
   * Reads lines until the buffer is full or no more input is at hand, so that whoever types a line
   * is answered; false if there is none left, or the next one is too long.
   */
  boolean read(Lines lines) throws IOException {
    lines.begin(pending, stopped ? 0 : pendingLength);
    int filled = pendingLength;
    lineFrom = 0;
    while (!ended && !stopped) {
      if (filled == lines.buffer().length) {
        if (lines.count() > 0) {
          break;
        }
        lines.widen();
      }
      int read = in.read(lines.buffer(), filled, lines.buffer().length - filled);
      if (read <= 0) {
        ended = true;
        break;
      }
      lines.read(read);
      cut(lines, filled, filled + read);
      filled += read;
      stopped |= filled - lineFrom > maxLength + 1; // the byte after the last may be \r
      if (lines.count() > 0 && filled < lines.buffer().length && !hasMore()) {
        break;
      }
    }
    keep(lines, filled);
    return lines.count() > 0;
  }

  private boolean hasMore() {
    try {
      return in.available() > 0;
    } catch (IOException e) {
      return false; // some devices do not say
    }
  }

  /** The rest behind the last whole line waits for the next call; at the end it is a line. */
  private void keep(Lines lines, int filled) {
    if (stopped) {
      return;
    }
    pendingLength = filled - lineFrom;
    if (ended && pendingLength > 0) {
      addLine(lines, filled);
      pendingLength = 0;
      return;
    }
    if (pending.length < pendingLength) {
      pending = new byte[Math.max(2 * pending.length, pendingLength)];
    }
    System.arraycopy(lines.buffer(), lineFrom, pending, 0, pendingLength);
  }

  /** Adds the lines that end in the range: eight bytes at a time are searched for line ends. */
  private void cut(Lines lines, int searchFrom, int searchTo) {
    byte[] buffer = lines.buffer();
    int i = searchFrom;
    for (; i <= searchTo - Long.BYTES; i += Long.BYTES) {
      long word = (long) WORDS.get(buffer, i) ^ NEWLINES;
      // the top bit of every byte that is zero, and no other
      long ends = ~(((word & ALL_BUT_TOPS) + ALL_BUT_TOPS) | word | ALL_BUT_TOPS);
      while (ends != 0) {
        addLine(lines, i + (Long.numberOfTrailingZeros(ends) >>> 3));
        ends &= ends - 1;
      }
    }
    for (; i < searchTo; i++) {
      if (buffer[i] == '\n') {
        addLine(lines, i);
      }
    }
  }

  private void addLine(Lines lines, int end) {
    boolean hasReturn = end > lineFrom && lines.buffer()[end - 1] == '\r';
    int keyEnd = hasReturn ? end - 1 : end;
    stopped |= keyEnd - lineFrom > maxLength;
    if (!stopped) {
      lines.add(lineFrom, keyEnd, end);
      lineFrom = end + 1;
    }
  }
}
