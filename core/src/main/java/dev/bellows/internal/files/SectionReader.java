package dev.bellows.internal.files;

import dev.bellows.internal.bits.MappedBits;
import dev.bellows.internal.bits.MappedFile;
import dev.bellows.io.FilterFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Reads sections from untrusted input and tracks the offset for error messages. */
final class SectionReader {
  private static final int CHUNK_BYTES = 1 << 16;

  private byte[] chunk = new byte[0];
  private InputStream in;

  /** The source of the sections: the same input, unless they came with the header. */
  private InputStream sections;

  /** Whether the sections came with the header, and their checksum matched. */
  private final boolean areChecked;

  private long offset;

  /** The checksums of the section that is being read. */
  private SectionChecks checks = new SectionChecks(0);

  SectionReader(InputStream in, Opening opening) {
    InputStream body = opening.body();
    this.in = in;
    this.areChecked = body != null;
    this.sections = body == null ? in : body;
    this.offset = opening.bytes() - (body == null ? 0 : opening.header().bodyBytes());
  }

  long offset() {
    return offset;
  }

  InputStream input() {
    return in;
  }

  /** Counts bytes that were read from {@link #input}. */
  void passed(long bytes) {
    offset += bytes;
  }

  /**
   * Returns the next section of a file as mapped bits, which are checked when they are accessed.
   */
  MappedBits mapped(MappedFile file, long payload, long bits) throws IOException {
    if (areChecked) {
      long start = offset - CompactForm.CHECKSUM_BYTES;
      byte[] body = bytes(payload);
      int[] checksum = {FilterHeader.checksum(body, body.length)};
      return MappedBits.map(file, start, bits, checksum, 0);
    }
    long start = offset;
    offset += payload;
    if (file.length() < offset) {
      throw new FilterFormatException(file.length(), "it ends inside a section");
    }
    in = file.input(offset);
    sections = in;
    byte[] ending = read(in, SectionChecks.endingBytes(payload));
    if (ending.length < SectionChecks.endingBytes(payload)) {
      throw cut();
    }
    int[] checksums = SectionChecks.stored(payload, ending, start + payload);
    return MappedBits.map(file, start, bits, checksums, SectionChecks.zeros(payload));
  }

  /** Begins a section of words. */
  void begin(long payload) {
    checks = new SectionChecks(payload);
  }

  /**
   * Returns an array with the next words of a section, preceded by {@code zeros} words of 0. Memory
   * for bytes that the stream reports as available is allocated at once; otherwise it doubles as
   * bytes arrive.
   */
  long[] words(int zeros, long count) throws IOException {
    if (chunk.length == 0) {
      chunk = new byte[(int) Math.max(8, Math.min(CHUNK_BYTES, 8 * count))];
    }
    LongBuffer piece = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    long first = Math.max(piece.capacity(), sections.available() / 8);
    long[] words = new long[(int) (zeros + Math.min(count, first))];
    for (long done = 0; done < count; ) {
      int length = (int) Math.min(piece.capacity(), count - done);
      int read = sections.readNBytes(chunk, 0, 8 * length);
      offset += read;
      if (read < 8 * length) {
        throw cut();
      }
      checks.update(chunk, 0, read);
      int at = (int) (zeros + done);
      done += length;
      if (words.length < at + length) {
        words = Arrays.copyOf(words, (int) (zeros + Math.min(count, Math.max(done, 2L * at))));
      }
      piece.get(0, words, at, length);
    }
    return words;
  }

  /** Returns the next section as bytes. */
  byte[] bytes(long payload) throws IOException {
    byte[] bytes = bytesUnlessCut(payload);
    if (bytes == null) {
      throw cut();
    }
    return bytes;
  }

  /** Returns the next section as bytes; null if the input ends before all of it was read. */
  byte @Nullable [] bytesUnlessCut(long payload) throws IOException {
    if (payload > Integer.MAX_VALUE - 8) {
      throw new FilterFormatException(offset, "a byte section of " + payload + " bytes");
    }
    begin(payload);
    byte[] bytes = read(sections, payload);
    checks.update(bytes, 0, bytes.length);
    return endUnlessCut() ? bytes : null;
  }

  /** Returns the next bytes of an input, fewer if it ends before. */
  private byte[] read(InputStream from, long length) throws IOException {
    byte[] bytes = from.readNBytes((int) length);
    offset += bytes.length;
    return bytes;
  }

  /** Throws if bytes follow the last section. */
  void requireEnd() throws IOException {
    if (in.read() >= 0) {
      throw new FilterFormatException(offset, "bytes follow its end");
    }
  }

  /** Reads the bytes after the payload of a section and throws if a checksum is wrong. */
  void end() throws IOException {
    if (!endUnlessCut()) {
      throw cut();
    }
  }

  /** Like {@link #end}, but returns false if the input ends before all of the bytes were read. */
  private boolean endUnlessCut() throws IOException {
    if (areChecked) {
      return true;
    }
    byte[] ending = read(in, SectionChecks.endingBytes(checks.payload()));
    if (ending.length < SectionChecks.endingBytes(checks.payload())) {
      return false;
    }
    checks.require(ending, offset - ending.length);
    return true;
  }

  private FilterFormatException cut() {
    return new FilterFormatException(offset, "it ends inside a section");
  }
}
