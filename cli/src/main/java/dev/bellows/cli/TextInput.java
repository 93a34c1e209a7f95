package dev.bellows.cli;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.zip.GZIPInputStream;

/**
 * The text of a file of keys: what is compressed with gzip is read as such, a UTF-8 byte order mark
 * is dropped, and text in UTF-16 or compressed with zstd is refused, because its bytes would become
 * other keys than those the user sees.
 */
final class TextInput {
  private static final int[] GZIP = {0x1f, 0x8b};
  private static final int[] UTF_8 = {0xef, 0xbb, 0xbf};
  private static final int[] UTF_16_LITTLE = {0xff, 0xfe};
  private static final int[] UTF_16_BIG = {0xfe, 0xff};
  private static final int[] ZSTD = {0x28, 0xb5, 0x2f, 0xfd};
  private static final int LONGEST = 4;
  private static final int BUFFER_BYTES = 1 << 16;

  private TextInput() {}

  /** The text of an input; reads no more than its first bytes, and only while they match a mark. */
  static InputStream of(InputStream input, String name) throws IOException {
    PushbackInputStream in = new PushbackInputStream(input, LONGEST);
    if (starts(in, UTF_8)) {
      skip(in, UTF_8.length);
      return in;
    }
    if (starts(in, UTF_16_LITTLE) || starts(in, UTF_16_BIG)) {
      throw new CommandFailure(
          name + " is text in UTF-16: make it UTF-8 first, for instance iconv -f UTF-16 -t UTF-8");
    }
    if (starts(in, ZSTD)) {
      throw new CommandFailure(name + " is compressed with zstd: give the output of zstd -dc");
    }
    if (starts(in, GZIP)) {
      return of(new GZIPInputStream(new Waiting(in), BUFFER_BYTES), name);
    }
    return in;
  }

  /**
   * Input that does not claim to be at its end: a pipe has nothing for a moment, and
   * GZIPInputStream would take this for the end of all its parts.
   */
  private static final class Waiting extends FilterInputStream {
    Waiting(InputStream in) {
      super(in);
    }

    @Override
    public int available() throws IOException {
      return Math.max(1, super.available());
    }
  }

  private static boolean starts(PushbackInputStream in, int[] mark) throws IOException {
    byte[] read = new byte[mark.length];
    int count = 0;
    boolean matches = true;
    while (matches && count < mark.length) {
      int next = in.read();
      if (next < 0) {
        matches = false;
        break;
      }
      read[count] = (byte) next;
      matches = next == mark[count++];
    }
    in.unread(read, 0, count);
    return matches;
  }

  private static void skip(InputStream in, int count) throws IOException {
    in.skipNBytes(count);
  }
}
