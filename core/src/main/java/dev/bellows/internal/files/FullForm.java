package dev.bellows.internal.files;

import dev.bellows.internal.files.HeaderFields.Field;
import dev.bellows.io.FilterFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;

/**
 * The full form of a filter: a header with fields at fixed offsets, padded to a multiple of 64
 * bytes, followed by the sections. Each section has its own checksums and begins at a multiple of
 * 64, so that it can be mapped.
 */
final class FullForm {
  static final int FIXED_BYTES = 64;
  private static final int VERSION = 8;
  private static final int FLAGS = 15;
  private static final int LENGTH = 16;
  private static final int RESERVED = 48;
  private static final byte[] MAGIC = {(byte) 0x89, 'B', 'L', 'W', 'S', '\r', '\n', 0x1A};

  private FullForm() {}

  /** Returns the length of a header with this many parameters and section lengths. */
  static long headerBytes(int numbers) {
    return (FIXED_BYTES + 8L * numbers + 4 + 63) / 64 * 64;
  }

  static long headerBytes(FilterHeader header) {
    return headerBytes(header.parameters().size() + header.sectionBytes().size());
  }

  /** Returns the length of header and sections. */
  static long fileBytes(FilterHeader header) {
    long bytes = headerBytes(header);
    for (long section : header.sectionBytes()) {
      bytes += SectionChecks.sectionBytes(section);
    }
    return bytes;
  }

  static byte[] encode(FilterHeader header) {
    List<Long> parameters = header.parameters();
    List<Long> sectionBytes = header.sectionBytes();
    int length = (int) headerBytes(header);
    ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC);
    out.putShort((short) FilterHeader.VERSION);
    out.putShort((short) header.kind().id()).putShort((short) header.hashScheme());
    out.put((byte) header.keyType()).put((byte) 0);
    out.putInt(length);
    out.putShort((short) parameters.size()).putShort((short) sectionBytes.size());
    out.putLong(header.hashIdentity()).putLong(header.filterId()).putLong(header.state());
    out.position(FIXED_BYTES);
    parameters.forEach(out::putLong);
    sectionBytes.forEach(out::putLong);
    out.putInt(length - 4, FilterHeader.checksum(out.array(), length - 4));
    return out.array();
  }

  /** Reads and checks a header whose first bytes have already been read. */
  static Opening read(InputStream in, byte[] start) throws IOException {
    byte[] fixed = Arrays.copyOf(start, FIXED_BYTES);
    int arrived = start.length + in.readNBytes(fixed, start.length, FIXED_BYTES - start.length);
    requireMagic(fixed, arrived);
    if (arrived < FIXED_BYTES) {
      throw new FilterFormatException(arrived, "it ends inside the header");
    }
    int length = little(fixed).getInt(LENGTH);
    if (length < 2 * FIXED_BYTES || length > FilterHeader.MAX_BYTES || length % 64 != 0) {
      throw new FilterFormatException(LENGTH, "header length " + length + " is impossible");
    }
    byte[] whole = Arrays.copyOf(fixed, length);
    int read = in.readNBytes(whole, FIXED_BYTES, length - FIXED_BYTES);
    if (read < length - FIXED_BYTES) {
      throw new FilterFormatException(FIXED_BYTES + read, "it ends inside the header");
    }
    HeaderFields fields = decode(whole);
    return new Opening(fields.header(), fields, length, null);
  }

  /** Throws if the first bytes, as far as they have arrived, are not those of this format. */
  private static void requireMagic(byte[] start, int bytes) throws FilterFormatException {
    int arrived = Math.min(bytes, MAGIC.length);
    int mismatch = Arrays.mismatch(start, 0, arrived, MAGIC, 0, arrived);
    if (mismatch >= 0) {
      throw new FilterFormatException(mismatch, "it does not begin with the magic bytes");
    }
  }

  private static HeaderFields decode(byte[] bytes) throws FilterFormatException {
    ByteBuffer in = little(bytes);
    int last = bytes.length - 4;
    if (in.getInt(last) != FilterHeader.checksum(bytes, last)) {
      throw new FilterFormatException(last, "the header's checksum does not match");
    }
    FilterHeader.requireVersion(Short.toUnsignedInt(in.getShort(VERSION)), VERSION);
    requireZero(bytes, FLAGS, LENGTH);
    requireZero(bytes, RESERVED, FIXED_BYTES);
    HeaderFields fields = new HeaderFields();
    for (Field field : Field.values()) {
      long mask = -1L >>> (Long.SIZE - Byte.SIZE * field.bytes);
      fields.put(field, field.offset, in.getLong(field.offset) & mask);
    }
    int numbers = fields.small(Field.PARAMETER_COUNT) + fields.small(Field.SECTION_COUNT);
    long needed = headerBytes(numbers);
    if (needed != bytes.length) {
      throw new FilterFormatException(
          LENGTH, "header length " + bytes.length + " but its counts require " + needed);
    }
    in.position(FIXED_BYTES);
    for (int i = 0; i < numbers; i++) {
      fields.addNumber(in.position(), in.getLong());
    }
    requireZero(bytes, in.position(), last);
    return fields;
  }

  private static void requireZero(byte[] bytes, int from, int to) throws FilterFormatException {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        throw new FilterFormatException(i, "a reserved byte is " + bytes[i] + ", not 0");
      }
    }
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
