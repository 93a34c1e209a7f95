package dev.bellows.cli.keys;

import dev.bellows.cli.console.CommandFailure;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.List;

/**
 * The text of a file of keys: what is compressed with gzip is read as such, a UTF-8 byte order mark
 * is dropped, and text in UTF-16 or UTF-32, text that is compressed in another way, and Parquet
 * files are refused, because their bytes would become other keys than those the user sees.
 */
final class TextInput {
  private static final int[] GZIP = {0x1f, 0x8b};
  private static final int[] UTF_8 = {0xef, 0xbb, 0xbf};

  /** Any byte but 0 and a line end: a typed empty line is answered without waiting for more. */
  private static final int SOME = -1;

  /** How many bytes are looked at, if they are there without waiting. */
  private static final int LOOK_BYTES = 4096;

  /** First bytes of what is no text in UTF-8, and what to do about it. */
  private record Refused(String what, String wayOut, int... mark) {}

  private static final String UTF_32_AWAY = "iconv -f UTF-32%s -t UTF-8 FILE | bellows ... -";
  private static final String UTF_16_AWAY = "iconv -f UTF-16%s -t UTF-8 FILE | bellows ... -";

  private static final List<Refused> REFUSED =
      List.of(
          new Refused("text in UTF-32", UTF_32_AWAY.formatted(""), 0xff, 0xfe, 0, 0),
          new Refused("text in UTF-32", UTF_32_AWAY.formatted(""), 0, 0, 0xfe, 0xff),
          new Refused("text in UTF-32", UTF_32_AWAY.formatted("LE"), SOME, 0, 0, 0),
          new Refused("text in UTF-32", UTF_32_AWAY.formatted("BE"), 0, 0, 0, SOME),
          new Refused("text in UTF-16", UTF_16_AWAY.formatted(""), 0xff, 0xfe),
          new Refused("text in UTF-16", UTF_16_AWAY.formatted(""), 0xfe, 0xff),
          new Refused("text in UTF-16", UTF_16_AWAY.formatted("LE"), SOME, 0, SOME, 0),
          new Refused("text in UTF-16", UTF_16_AWAY.formatted("LE"), SOME, 0, '\n', 0),
          new Refused("text in UTF-16", UTF_16_AWAY.formatted("BE"), 0, SOME, 0, SOME),
          new Refused("text in UTF-16", UTF_16_AWAY.formatted("BE"), 0, SOME, 0, '\n'),
          new Refused(
              "compressed with zstd", "zstd -dc FILE | bellows ... -", 0x28, 0xb5, 0x2f, 0xfd),
          new Refused(
              "compressed with bzip2",
              "bzcat FILE | bellows ... -",
              'B',
              'Z',
              'h',
              SOME,
              0x31,
              0x41,
              0x59,
              0x26,
              0x53,
              0x59),
          new Refused(
              "compressed with bzip2",
              "bzcat FILE | bellows ... -",
              'B',
              'Z',
              'h',
              SOME,
              0x17,
              0x72,
              0x45,
              0x38,
              0x50,
              0x90),
          new Refused(
              "compressed with xz", "xzcat FILE | bellows ... -", 0xfd, '7', 'z', 'X', 'Z', 0),
          new Refused("a zip archive", "unzip -p FILE | bellows ... -", 'P', 'K', 3, 4),
          new Refused("a zip archive", "unzip -p FILE | bellows ... -", 'P', 'K', 5, 6),
          // after the mark comes a field of type i32, which no line of text begins with
          new Refused(
              "a Parquet file",
              "write its column as text first, or see bellows parquet --help",
              'P',
              'A',
              'R',
              '1',
              0x15));

  private TextInput() {}

  /**
   * The text of an input; looks at its first bytes, and waits only for those that follow a mark.
   */
  static InputStream of(InputStream input, String name) throws IOException {
    // the buffer makes all bytes available that came with the first one
    BufferedInputStream in = new BufferedInputStream(input);
    if (starts(in, UTF_8)) {
      skip(in, UTF_8.length);
      return in;
    }
    for (Refused refused : REFUSED) {
      if (starts(in, refused.mark)) {
        throw new CommandFailure(
            "%s is %s, not text in UTF-8: %s".formatted(name, refused.what, refused.wayOut));
      }
    }
    if (starts(in, GZIP)) {
      return of(new GzipInput(in, name), name);
    }
    refuseUtf16(in, name);
    return in;
  }

  private static void refuseUtf16(BufferedInputStream in, String name) throws IOException {
    in.mark(LOOK_BYTES);
    byte[] first = in.readNBytes(Math.min(LOOK_BYTES, in.available()));
    Charset form = Utf16.of(first);
    if (form != null) {
      throw new CommandFailure(
          "%s is text in UTF-16, not text in UTF-8: %s"
              .formatted(name, UTF_16_AWAY.formatted(form.name().substring("UTF-16".length()))));
    }
    in.reset();
  }

  private static boolean starts(BufferedInputStream in, int[] mark) throws IOException {
    in.mark(mark.length);
    int count = 0;
    boolean matches = true;
    while (matches && count < mark.length) {
      int next = in.read();
      if (next < 0) {
        matches = false;
        break;
      }
      matches = mark[count] == SOME ? next != 0 && next != '\n' : next == mark[count];
      count++;
    }
    in.reset();
    return matches;
  }

  private static void skip(InputStream in, int count) throws IOException {
    in.skipNBytes(count);
  }
}
