package dev.bellows.foreign;

import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.bits.MappedBits;
import dev.bellows.internal.bits.MappedFile;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A reader of untrusted bytes, field by field. Foreign formats have no checksums, so every number
 * is checked against its valid range, and memory grows with the bytes that actually arrive. The
 * bits of a file that will be mapped are not read; the length of the file limits them.
 */
final class ForeignInput {
  /** The maximum number of words in an array. */
  static final int MAX_WORDS = Integer.MAX_VALUE - 8;

  /** The maximum number of hashes, more than any library uses. */
  private static final int MAX_HASHES = 1 << 16;

  private static final int CHUNK_BYTES = 1 << 16;

  private final InputStream in;
  private final ReadOptions options;
  private final @Nullable MappedFile file;
  private long offset;
  private long field;

  ForeignInput(InputStream in, ReadOptions options) {
    this.in = in;
    this.options = options;
    this.file = null;
  }

  ForeignInput(MappedFile file) throws IOException {
    this.in = file.input(0);
    this.options = ReadOptions.UNLIMITED;
    this.file = file;
  }

  int unsignedByte(String what) throws IOException {
    return Byte.toUnsignedInt(field(Byte.BYTES, what).get());
  }

  /** Returns the next four bytes, big endian. */
  int int32(String what) throws IOException {
    return field(Integer.BYTES, what).getInt();
  }

  private ByteBuffer field(int length, String what) throws IOException {
    field = offset;
    byte[] bytes = in.readNBytes(length);
    offset += bytes.length;
    if (bytes.length < length) {
      throw new FilterFormatException(offset, "it ends inside its " + what);
    }
    return ByteBuffer.wrap(bytes);
  }

  /** Returns the value of the last field as a number of hashes; throws if it is out of range. */
  int hashes(int value) throws FilterFormatException {
    return (int) checked(value, MAX_HASHES, "hashes");
  }

  /** Returns the value of the last field as a number of words; throws if it is out of range. */
  int wordCount(int value) throws FilterFormatException {
    return (int) checked(value, MAX_WORDS, "words");
  }

  /** Returns the value of the last field; throws unless it is in {@code [1, most]}. */
  long checked(long value, long most, String what) throws FilterFormatException {
    if (value < 1 || value > most) {
      throw error("%d %s: a filter has 1 to %d".formatted(value, what, most));
    }
    return value;
  }

  /** Returns the exception for the last field read. */
  FilterFormatException error(String what) {
    return new FilterFormatException(field, what);
  }

  /** Returns the bits in the next words, which have the given byte order. */
  BitStore bits(int words, ByteOrder order) throws IOException {
    long bytes = 8L * words;
    if (file == null) {
      return HeapBits.over(8 * bytes, words(bytes, order), 0);
    }
    if (file.length() - offset < bytes) {
      throw new FilterFormatException(
          file.length(), "it ends inside its bits, which should take " + bytes + " bytes");
    }
    if (file.length() - offset > bytes) {
      throw new FilterFormatException(offset + bytes, "bytes follow its end");
    }
    return MappedBits.map(file, offset, 8 * bytes, order);
  }

  /**
   * Returns the next bytes as words in the given byte order; an incomplete last word is filled with
   * zeros.
   */
  long[] words(long bytes, ByteOrder order) throws IOException {
    requireAllowed(bytes);
    int count = (int) ((bytes + 7) >>> 3);
    byte[] chunk = new byte[(int) Math.min(CHUNK_BYTES, 8L * count)];
    long[] words = new long[Math.min(count, CHUNK_BYTES >>> 3)];
    int filled = 0;
    while (filled < count) {
      int length = (int) Math.min(chunk.length, bytes - 8L * filled);
      int read = in.readNBytes(chunk, 0, length);
      offset += read;
      if (read < length) {
        throw new FilterFormatException(
            offset, "it ends inside its bits, which should take " + bytes + " bytes");
      }
      Arrays.fill(chunk, length, Math.min(chunk.length, length + 7), (byte) 0);
      int arrived = (length + 7) >>> 3;
      if (words.length < filled + arrived) {
        words = Arrays.copyOf(words, (int) Math.min(count, 2L * words.length));
      }
      ByteBuffer.wrap(chunk).order(order).asLongBuffer().get(words, filled, arrived);
      filled += arrived;
    }
    return words;
  }

  /**
   * Returns all bytes up to the end, for a format that does not store their number. If the file is
   * to be mapped, returns only as many bytes as a header may have.
   */
  byte[] rest(int headerBytes) throws IOException {
    if (file != null) {
      offset = file.length();
      return in.readNBytes(headerBytes);
    }
    long most = Math.min(options.maxBytes(), Integer.MAX_VALUE - 64) + headerBytes;
    byte[] bytes = in.readNBytes((int) Math.min(most, Integer.MAX_VALUE - 8));
    offset = bytes.length;
    if (bytes.length == most && in.read() >= 0) {
      throw new FilterFormatException(
          most, "its bits take more than the limit of %d bytes".formatted(most - headerBytes));
    }
    return bytes;
  }

  /** Returns the total number of bytes up to the end; call it after {@link #rest}. */
  long restBytes() {
    return offset;
  }

  /** Returns the bits that start at an index of {@link #rest}, in whole words. */
  BitStore restBits(byte[] rest, int from, ByteOrder order) throws IOException {
    long bytes = offset - from;
    if (file != null) {
      return MappedBits.map(file, from, 8 * bytes, order);
    }
    requireAllowed(bytes);
    long[] words = new long[(int) (bytes / 8)];
    ByteBuffer.wrap(rest, from, (int) bytes).order(order).asLongBuffer().get(words);
    return HeapBits.over(8 * bytes, words, 0);
  }

  /** Throws if the bits exceed the caller's limit. */
  void requireAllowed(long bytes) throws FilterFormatException {
    if (bytes > options.maxBytes()) {
      throw error(
          "its bits take %d bytes, more than the caller's limit of %d"
              .formatted(bytes, options.maxBytes()));
    }
  }

  /** Throws if bytes follow the end; for a mapped file, {@link #bits} has already checked this. */
  void end() throws IOException {
    if (file == null && in.read() >= 0) {
      throw new FilterFormatException(offset, "bytes follow its end");
    }
  }
}
