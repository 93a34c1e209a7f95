package dev.bellows.internal.files;

import dev.bellows.io.FilterFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
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
  private static final int KIND = 10;
  private static final int SCHEME = 12;
  private static final int KEY_TYPE = 14;
  private static final int FLAGS = 15;
  private static final int LENGTH = 16;
  private static final int PARAMETER_COUNT = 20;
  private static final int SECTION_COUNT = 22;
  private static final int IDENTITY = 24;
  private static final int FILTER_ID = 32;
  private static final int STATE = 40;
  private static final int RESERVED = 48;
  private static final byte[] MAGIC = {(byte) 0x89, 'B', 'L', 'W', 'S', '\r', '\n', 0x1A};

  private static final HeaderOffsets OFFSETS =
      new HeaderOffsets(
          field ->
              switch (field) {
                case KIND -> KIND;
                case SCHEME -> SCHEME;
                case KEY_TYPE -> KEY_TYPE;
                case IDENTITY -> IDENTITY;
                case FILTER_ID -> FILTER_ID;
                case STATE -> STATE;
                case PARAMETER_COUNT -> PARAMETER_COUNT;
                case SECTION_COUNT -> SECTION_COUNT;
              },
          index -> FIXED_BYTES + 8L * index);

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
    int length = claimedLength(fixed);
    byte[] whole = Arrays.copyOf(fixed, length);
    int read = in.readNBytes(whole, FIXED_BYTES, length - FIXED_BYTES);
    if (read < length - FIXED_BYTES) {
      throw new FilterFormatException(FIXED_BYTES + read, "it ends inside the header");
    }
    return new Opening(decode(whole), OFFSETS, length, null);
  }

  /** Throws if the first bytes, as far as they have arrived, are not those of this format. */
  private static void requireMagic(byte[] start, int bytes) throws FilterFormatException {
    int arrived = Math.min(bytes, MAGIC.length);
    int mismatch = Arrays.mismatch(start, 0, arrived, MAGIC, 0, arrived);
    if (mismatch >= 0) {
      throw new FilterFormatException(mismatch, "it does not begin with the magic bytes");
    }
  }

  /** Returns the header length a file claims, from its first 64 bytes. */
  private static int claimedLength(byte[] fixed) throws FilterFormatException {
    int length = little(fixed).getInt(LENGTH);
    if (length < 2 * FIXED_BYTES || length > FilterHeader.MAX_BYTES || length % 64 != 0) {
      throw new FilterFormatException(LENGTH, "header length " + length + " is impossible");
    }
    return length;
  }

  private static FilterHeader decode(byte[] bytes) throws FilterFormatException {
    ByteBuffer in = little(bytes);
    int last = bytes.length - 4;
    if (in.getInt(last) != FilterHeader.checksum(bytes, last)) {
      throw new FilterFormatException(last, "the header's checksum does not match");
    }
    FilterHeader.requireVersion(Short.toUnsignedInt(in.getShort(VERSION)), VERSION);
    requireZero(bytes, FLAGS, LENGTH);
    requireZero(bytes, RESERVED, FIXED_BYTES);
    int parameters = Short.toUnsignedInt(in.getShort(PARAMETER_COUNT));
    int sections = Short.toUnsignedInt(in.getShort(SECTION_COUNT));
    long needed = headerBytes(parameters + sections);
    if (needed != bytes.length) {
      throw new FilterFormatException(
          LENGTH, "header length " + bytes.length + " but its counts require " + needed);
    }
    in.position(FIXED_BYTES);
    List<Long> values = readLongs(in, parameters);
    List<Long> lengths = readLongs(in, sections);
    requireZero(bytes, in.position(), last);
    return FilterHeader.checked(
        Short.toUnsignedInt(in.getShort(KIND)),
        Short.toUnsignedInt(in.getShort(SCHEME)),
        in.getLong(IDENTITY),
        Byte.toUnsignedInt(bytes[KEY_TYPE]),
        in.getLong(FILTER_ID),
        in.getLong(STATE),
        values,
        lengths,
        OFFSETS);
  }

  private static List<Long> readLongs(ByteBuffer in, int count) {
    List<Long> longs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      longs.add(in.getLong());
    }
    return longs;
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
