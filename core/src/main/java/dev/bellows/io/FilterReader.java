package dev.bellows.io;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads one filter from bytes nobody vouches for. The header is checked before anything else; a
 * section's memory grows with the bytes that really arrive; a section is handed out only after its
 * checksum matched; bytes after the end are refused.
 */
public final class FilterReader {
  private static final int CHUNK_BYTES = 1 << 16;

  private final InputStream in;
  private final FilterHeader header;
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private long offset;
  private int section;

  private FilterReader(InputStream in, FilterHeader header, long offset) {
    this.in = in;
    this.header = header;
    this.offset = offset;
  }

  /** Reads and checks the header. */
  public static FilterReader open(InputStream in, ReadLimits limits) throws IOException {
    byte[] fixed = in.readNBytes(FilterHeader.FIXED_BYTES);
    FilterHeader.requireMagic(fixed);
    if (fixed.length < FilterHeader.FIXED_BYTES) {
      throw new FilterFormatException(fixed.length, "it ends inside the header");
    }
    int length = FilterHeader.claimedLength(fixed);
    byte[] whole = Arrays.copyOf(fixed, length);
    int read = in.readNBytes(whole, fixed.length, length - fixed.length);
    if (read < length - fixed.length) {
      throw new FilterFormatException(fixed.length + read, "it ends inside the header");
    }
    FilterHeader header = FilterHeader.decode(whole);
    long body = header.sectionBytes().stream().mapToLong(Long::longValue).sum();
    if (body > limits.maxBytes()) {
      throw new FilterFormatException(
          FilterHeader.parameterOffset(header.parameters().size()),
          "its body takes " + body + " bytes where the caller's limit is " + limits.maxBytes());
    }
    return new FilterReader(in, header, length);
  }

  /** What the header says. */
  public FilterHeader header() {
    return header;
  }

  /** Refuses a filter of another kind. */
  public FilterReader expect(FilterKind kind) throws FilterFormatException {
    if (header.kind() != kind) {
      throw new FilterFormatException(
          FilterHeader.KIND_OFFSET,
          "a filter of kind " + header.kind().word() + " where " + kind.word() + " was asked for");
    }
    return this;
  }

  /** Refuses an identity in a filter of a kind that has none. */
  public FilterReader expectAnonymous() throws FilterFormatException {
    if (header.filterId() != 0 || header.epoch() != 0) {
      throw new FilterFormatException(
          header.filterId() != 0 ? FilterHeader.FILTER_ID_OFFSET : FilterHeader.EPOCH_OFFSET,
          "a filter of kind " + header.kind().word() + " has no id and no epoch");
    }
    return this;
  }

  /** Parameter {@code index}, if it lies in {@code [low, high]}. */
  public long parameter(int index, String name, long low, long high) throws FilterFormatException {
    if (index >= header.parameters().size()) {
      throw new FilterFormatException(
          FilterHeader.PARAMETER_COUNT_OFFSET, "parameter '" + name + "' is missing");
    }
    long value = header.parameters().get(index);
    if (value < low || value > high) {
      throw parameterError(
          index, name + " " + value + " does not lie in [" + low + ", " + high + "]");
    }
    return value;
  }

  /** Parameter {@code index} as a finite double. */
  public double real(int index) throws FilterFormatException {
    double value = Double.longBitsToDouble(header.parameters().get(index));
    if (!Double.isFinite(value)) {
      throw parameterError(index, "a parameter is " + value);
    }
    return value;
  }

  /** The exception for a value of parameter {@code index} that cannot be. */
  public FilterFormatException parameterError(int index, @Nullable String what) {
    return new FilterFormatException(FilterHeader.parameterOffset(index), what);
  }

  /** What the supplier makes of parameter {@code index}; its refusal becomes the file's fault. */
  public <T> T checked(int index, Supplier<T> supplier) throws FilterFormatException {
    try {
      return supplier.get();
    } catch (IllegalArgumentException e) {
      throw parameterError(index, e.getMessage());
    }
  }

  /** Refuses a header whose counts differ from what its kind has. */
  public void expect(int parameters, int sections) throws FilterFormatException {
    if (header.parameters().size() != parameters) {
      throw new FilterFormatException(
          FilterHeader.PARAMETER_COUNT_OFFSET,
          header.parameters().size() + " parameters where the kind has " + parameters);
    }
    if (header.sectionBytes().size() != sections) {
      throw new FilterFormatException(
          FilterHeader.SECTION_COUNT_OFFSET,
          header.sectionBytes().size() + " sections where the kind has " + sections);
    }
  }

  /** The next section, which must hold exactly {@code count} words. */
  public long[] words(long count) throws IOException {
    return words(0, count);
  }

  /**
   * The next section, which must hold exactly {@code count} words, behind some words of 0. Where
   * the stream says that bytes are there, their memory is taken at once; else it doubles as they
   * arrive.
   */
  public long[] words(int zeros, long count) throws IOException {
    long payload = nextSection(8 * count);
    CRC32C crc = new CRC32C();
    LongBuffer piece = ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
    long first = Math.max(piece.capacity(), in.available() / 8);
    long[] words = new long[(int) (zeros + Math.min(count, first))];
    for (long done = 0; done < count; ) {
      int length = (int) Math.min(piece.capacity(), count - done);
      readChunk(8 * length, crc);
      int at = (int) (zeros + done);
      done += length;
      if (words.length < at + length) {
        words = Arrays.copyOf(words, (int) (zeros + Math.min(count, Math.max(done, 2L * at))));
      }
      piece.get(0, words, at, length);
    }
    endSection(payload, crc);
    return words;
  }

  /** The next section as bytes. */
  public byte[] bytes() throws IOException {
    long payload = nextSection(header.sectionBytes().get(section));
    if (payload > Integer.MAX_VALUE - 8) {
      throw new FilterFormatException(offset, "a byte section of " + payload + " bytes");
    }
    CRC32C crc = new CRC32C();
    byte[] bytes = in.readNBytes((int) payload);
    if (bytes.length < payload) {
      throw new FilterFormatException(offset + bytes.length, "it ends inside a section");
    }
    offset += payload;
    crc.update(bytes, 0, bytes.length);
    endSection(payload, crc);
    return bytes;
  }

  /** Refuses bytes behind the last section. */
  public void end() throws IOException {
    if (in.read() >= 0) {
      throw new FilterFormatException(offset, "bytes follow its end");
    }
  }

  private long nextSection(long expected) throws FilterFormatException {
    long payload = header.sectionBytes().get(section);
    if (payload != expected) {
      throw new FilterFormatException(
          FilterHeader.parameterOffset(header.parameters().size() + section),
          "a section of " + payload + " bytes where the parameters need " + expected);
    }
    section++;
    return payload;
  }

  private void endSection(long payload, CRC32C crc) throws IOException {
    int padding = (int) (FilterHeader.paddedSection(payload) - payload - 4);
    readChunk(padding, crc);
    for (int i = 0; i < padding; i++) {
      if (chunk[i] != 0) {
        throw new FilterFormatException(offset - padding + i, "a padding byte is not 0");
      }
    }
    int computed = (int) crc.getValue();
    readChunk(4, crc);
    if (ByteBuffer.wrap(chunk).order(ByteOrder.LITTLE_ENDIAN).getInt(0) != computed) {
      throw new FilterFormatException(offset - 4, "a section's checksum does not match");
    }
  }

  private void readChunk(int length, CRC32C crc) throws IOException {
    int read = in.readNBytes(chunk, 0, length);
    if (read < length) {
      throw new FilterFormatException(offset + read, "it ends inside a section");
    }
    crc.update(chunk, 0, length);
    offset += length;
  }
}
