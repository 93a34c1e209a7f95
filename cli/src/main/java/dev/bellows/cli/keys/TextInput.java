package dev.bellows.cli.keys;

import dev.bellows.cli.console.CommandFailure;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The text of a file of keys: what is compressed with gzip is decompressed, once, and a UTF-8 byte
 * order mark is dropped. Text in UTF-16 or UTF-32, text that is compressed in another way or twice,
 * Parquet files and filters are refused, because their bytes would become other keys than those the
 * user sees.
 */
final class TextInput {
  private static final String GZIP = "\u001f\u008b";
  private static final String UTF_8 = "\u00ef\u00bb\u00bf";

  /** Any byte but 0 and a line end: a typed empty line is answered without waiting for more. */
  private static final char SOME = '\uffff';

  /** How many bytes are examined, if available without waiting. */
  private static final int LOOK_BYTES = 4096;

  /** First bytes, as characters, of what is not text in UTF-8, and what to do about it. */
  private record Refused(String mark, String what, String wayOut) {
    static Refused text(String mark, String form, String order) {
      return new Refused(
          mark, "text in " + form, "iconv -f %s%s -t UTF-8 FILE".formatted(form, order) + PIPED);
    }

    static Refused packed(String mark, String what, String tool) {
      return new Refused(mark, what, tool + " FILE" + PIPED);
    }
  }

  private static final String PIPED = " | bellows ... -";

  private static final List<Refused> REFUSED =
      List.of(
          Refused.text("\u00ff\u00fe\0\0", "UTF-32", ""),
          Refused.text("\0\0\u00fe\u00ff", "UTF-32", ""),
          Refused.text(SOME + "\0\0\0", "UTF-32", "LE"),
          Refused.text("\0\0\0" + SOME, "UTF-32", "BE"),
          Refused.text("\u00ff\u00fe", "UTF-16", ""),
          Refused.text("\u00fe\u00ff", "UTF-16", ""),
          Refused.text(SOME + "\0" + SOME + "\0", "UTF-16", "LE"),
          Refused.text(SOME + "\0\n\0", "UTF-16", "LE"),
          Refused.text("\0" + SOME + "\0" + SOME, "UTF-16", "BE"),
          Refused.text("\0" + SOME + "\0\n", "UTF-16", "BE"),
          Refused.packed("(\u00b5/\u00fd", "compressed with zstd", "zstd -dc"),
          // a frame to skip, which pzstd and others write first
          Refused.packed("\u0050*M\u0018", "compressed with zstd", "zstd -dc"),
          Refused.packed("\u0004\"M\u0018", "compressed with lz4", "lz4 -dc"),
          Refused.packed("\u001f\u009d", "compressed with compress", "gzip -dc"),
          Refused.packed("7z\u00bc\u00af'\u001c", "a 7z archive", "7z e -so"),
          Refused.packed("BZh" + SOME + "1AY&SY", "compressed with bzip2", "bzcat"),
          Refused.packed("BZh" + SOME + "\u0017rE8P\u0090", "compressed with bzip2", "bzcat"),
          Refused.packed("\u00fd7zXZ\0", "compressed with xz", "xzcat"),
          Refused.packed("]\0\0", "compressed with lzma", "xzcat"),
          Refused.packed("PK\3\4", "a zip archive", "unzip -p"),
          Refused.packed("PK\5\6", "a zip archive", "unzip -p"),
          new Refused(
              "\u0089BLWS", "a Bellows filter", "give a file of keys, or see bellows union --help"),
          // after the mark comes a field of type i32, which no line of text begins with
          new Refused(
              "PAR1\u0015",
              "a Parquet file",
              "write its column as text first, or see bellows parquet --help"));

  private TextInput() {}

  /**
   * Returns the text of an input; looks at its first bytes, and waits only for those that follow a
   * mark.
   */
  static InputStream of(InputStream input, String name) throws IOException {
    // the buffer makes all bytes available that came with the first one
    BufferedInputStream in = new BufferedInputStream(input);
    if (!starts(in, GZIP)) {
      return text(in, name);
    }
    try {
      BufferedInputStream unpacked = new BufferedInputStream(new Gzip(new Gzip.Source(in), name));
      if (starts(unpacked, GZIP)) {
        throw refused(name, Refused.packed("", "compressed with gzip twice", "gzip -dc"));
      }
      return text(unpacked, name);
    } catch (EOFException | ZipException e) {
      throw damaged(name, e);
    }
  }

  private static InputStream text(BufferedInputStream in, String name) throws IOException {
    if (starts(in, UTF_8)) {
      in.skipNBytes(UTF_8.length());
      return in;
    }
    for (Refused refused : REFUSED) {
      if (starts(in, refused.mark)) {
        throw refused(name, refused);
      }
    }
    in.mark(LOOK_BYTES);
    byte[] first = in.readNBytes(Math.min(LOOK_BYTES, in.available()));
    in.reset();
    for (Charset form : List.of(StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      if (isLines(first, form)) {
        throw refused(name, Refused.text("", "UTF-16", form.name().substring("UTF-16".length())));
      }
    }
    return in;
  }

  private static CommandFailure refused(String name, Refused refused) {
    return new CommandFailure(
        "%s is %s, not text in UTF-8: %s", name, refused.what, refused.wayOut);
  }

  private static boolean starts(BufferedInputStream in, String mark) throws IOException {
    in.mark(mark.length());
    boolean matches = true;
    for (int i = 0; matches && i < mark.length(); i++) {
      int next = in.read();
      matches = mark.charAt(i) == SOME ? next > 0 && next != '\n' : next == mark.charAt(i);
    }
    in.reset();
    return matches;
  }

  /**
   * Returns whether bytes are lines in a form of UTF-16 without a byte order mark: they have a line
   * end in it, which has a zero, and only characters that lines of text have. The last character
   * may be cut.
   */
  private static boolean isLines(byte[] bytes, Charset form) {
    int even = bytes.length & ~1;
    CharBuffer text = CharBuffer.allocate(even);
    if (form.newDecoder().decode(ByteBuffer.wrap(bytes, 0, even), text, false).isError()) {
      return false;
    }
    text.flip();
    return text.chars().anyMatch(c -> c == '\n')
        && text.codePoints()
            .allMatch(
                c ->
                    "\n\r\t".indexOf(c) >= 0
                        || Character.isDefined(c) && !Character.isISOControl(c));
  }

  private static CommandFailure damaged(String name, IOException e) {
    return new CommandFailure(
        "%s is damaged: its gzip data %s; fetch or compress it again"
            .formatted(
                name,
                e instanceof EOFException
                    ? "are truncated"
                    : "cannot be decompressed or do not match their checksum (%s)"
                        .formatted(e.getMessage())),
        e);
  }

  /**
   * The text of all members of a gzip file. Bytes after the last one are refused, except zeros,
   * which are padding.
   */
  private static final class Gzip extends GZIPInputStream {
    private static final int TRAILER_BYTES = 8;

    private final Source source;
    private final String name;

    Gzip(Source source, String name) throws IOException {
      super(source, 1 << 16);
      this.source = source;
      this.name = name;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      try {
        int count = super.read(into, from, length);
        if (count < 0) {
          requireEnd();
        }
        return count;
      } catch (EOFException | ZipException e) {
        throw damaged(name, e);
      }
    }

    @Override
    protected void fill() throws IOException {
      super.fill();
      source.beginCount();
    }

    /**
     * Bytes after the trailer are in the buffer, or were taken one by one for the header of a
     * further member, or are still to be read. The trailer itself may end behind the buffer.
     */
    private void requireEnd() throws IOException {
      int trailerEnd = len - inf.getRemaining() + TRAILER_BYTES;
      boolean isEnd = len + source.lastNonzero <= Math.max(len, trailerEnd);
      for (int i = trailerEnd; i < len; i++) {
        isEnd &= buf[i] == 0;
      }
      for (int next = source.read(); next >= 0; next = source.read()) {
        isEnd &= next == 0;
      }
      if (!isEnd) {
        throw new CommandFailure(
            name
                + " has bytes after its gzip data that are not gzip: cut them off, or give the"
                + " output of gzip -dc if they do not matter");
      }
    }

    /** Whether something can be read without waiting, so that a typed line is answered. */
    @Override
    public int available() throws IOException {
      boolean isReady = inf.getRemaining() > 0 || source.isReady();
      return isReady ? super.available() : 0;
    }

    /** The compressed bytes; remembers which of those that were read singly was not zero. */
    private static final class Source extends FilterInputStream {
      private int single;

      /** The number of the last byte since the buffer was filled that was not zero. */
      private int lastNonzero;

      Source(BufferedInputStream in) {
        super(in);
      }

      void beginCount() {
        single = 0;
        lastNonzero = 0;
      }

      boolean isReady() throws IOException {
        return super.available() > 0;
      }

      @Override
      public int read() throws IOException {
        int next = super.read();
        single++;
        lastNonzero = next > 0 ? single : lastNonzero;
        return next;
      }

      /** Reports available bytes until its end; otherwise a slow pipe would end early. */
      @Override
      public int available() throws IOException {
        in.mark(1);
        int next = in.read();
        in.reset();
        return next < 0 ? 0 : 1;
      }
    }
  }
}
