package dev.bellows.internal.codec;

import dev.bellows.KeyType;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * The first bytes of a filter file: what it is, how its keys were hashed, its parameters and the
 * length of each section. spec/FORMAT.md specifies it byte by byte.
 *
 * @param kind the kind of filter
 * @param hashScheme the fixed id of the hash scheme
 * @param hashIdentity the seed, or the tag of a secret key
 * @param keyType the fixed id of the type of its keys, 0 if nobody said
 * @param filterId the id that the owner gave to it, 0 for none
 * @param state the hash of the content that foldings were made from, 0 without an id
 * @param parameters the kind's own numbers, in the order the kind defines
 * @param sectionBytes the payload length of each section, in file order
 */
public record FilterHeader(
    FilterKind kind,
    int hashScheme,
    long hashIdentity,
    int keyType,
    long filterId,
    long state,
    List<Long> parameters,
    List<Long> sectionBytes) {
  /** The version this library writes. */
  public static final int VERSION = 1;

  static final int FIXED_BYTES = 64;
  static final int MAX_BYTES = 1 << 16;
  static final int VERSION_OFFSET = 8;
  static final int KIND_OFFSET = 10;
  static final int SCHEME_OFFSET = 12;
  static final int KEY_TYPE_OFFSET = 14;
  static final int FLAGS_OFFSET = 15;
  static final int LENGTH_OFFSET = 16;
  static final int PARAMETER_COUNT_OFFSET = 20;
  static final int SECTION_COUNT_OFFSET = 22;
  static final int IDENTITY_OFFSET = 24;
  static final int FILTER_ID_OFFSET = 32;
  static final int STATE_OFFSET = 40;
  static final int RESERVED_OFFSET = 48;
  private static final byte[] MAGIC = {(byte) 0x89, 'B', 'L', 'W', 'S', '\r', '\n', 0x1A};

  /** Copies the lists; refuses a header that no reader would accept. */
  public FilterHeader {
    parameters = List.copyOf(parameters);
    sectionBytes = List.copyOf(sectionBytes);
    long length = headerBytes(parameters.size() + sectionBytes.size());
    if (length > MAX_BYTES) {
      throw new IllegalStateException(
          "a header of %d bytes where files have at most %d".formatted(length, MAX_BYTES));
    }
  }

  /** The offset of parameter {@code index}, for messages about its value. */
  public static long parameterOffset(int index) {
    return FIXED_BYTES + 8L * index;
  }

  /** The exception for a hash scheme that is unknown or not the caller's. */
  public FilterFormatException schemeError(String what) {
    return new FilterFormatException(SCHEME_OFFSET, what);
  }

  /** The whole file's length: header, and every section padded and checked. */
  public long fileBytes() {
    long bytes = headerBytes();
    for (long section : sectionBytes) {
      bytes += SectionChecks.sectionBytes(section);
    }
    return bytes;
  }

  /** The length of the header itself. */
  int headerBytes() {
    return (int) headerBytes(parameters.size() + sectionBytes.size());
  }

  private static long headerBytes(int numbers) {
    return (FIXED_BYTES + 8L * numbers + 4 + 63) / 64 * 64;
  }

  byte[] encode() {
    int length = headerBytes();
    ByteBuffer out = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC);
    out.putShort((short) VERSION).putShort((short) kind.id()).putShort((short) hashScheme);
    out.put((byte) keyType).put((byte) 0);
    out.putInt(length);
    out.putShort((short) parameters.size()).putShort((short) sectionBytes.size());
    out.putLong(hashIdentity).putLong(filterId).putLong(state);
    out.position(FIXED_BYTES);
    parameters.forEach(out::putLong);
    sectionBytes.forEach(out::putLong);
    out.putInt(length - 4, checksum(out.array(), length - 4));
    return out.array();
  }

  /** Reads and checks the header of a filter, and no byte more. */
  static FilterHeader read(InputStream in) throws IOException {
    byte[] fixed = in.readNBytes(FIXED_BYTES);
    requireMagic(fixed);
    if (fixed.length < FIXED_BYTES) {
      throw new FilterFormatException(fixed.length, "it ends inside the header");
    }
    int length = claimedLength(fixed);
    byte[] whole = Arrays.copyOf(fixed, length);
    int read = in.readNBytes(whole, fixed.length, length - fixed.length);
    if (read < length - fixed.length) {
      throw new FilterFormatException(fixed.length + read, "it ends inside the header");
    }
    return decode(whole);
  }

  /** Refuses a file whose first bytes, as far as they arrived, are not those of this format. */
  private static void requireMagic(byte[] start) throws FilterFormatException {
    int arrived = Math.min(start.length, MAGIC.length);
    int mismatch = Arrays.mismatch(start, 0, arrived, MAGIC, 0, arrived);
    if (mismatch >= 0) {
      throw new FilterFormatException(mismatch, "it does not begin with the magic bytes");
    }
  }

  /** The header length a file claims, from its first 64 bytes. */
  private static int claimedLength(byte[] fixed) throws FilterFormatException {
    int length = little(fixed).getInt(LENGTH_OFFSET);
    if (length < 2 * FIXED_BYTES || length > MAX_BYTES || length % 64 != 0) {
      throw new FilterFormatException(LENGTH_OFFSET, "header length " + length + " is impossible");
    }
    return length;
  }

  private static FilterHeader decode(byte[] bytes) throws FilterFormatException {
    ByteBuffer in = little(bytes);
    int last = bytes.length - 4;
    if (in.getInt(last) != checksum(bytes, last)) {
      throw new FilterFormatException(last, "the header's checksum does not match");
    }
    int version = Short.toUnsignedInt(in.getShort(VERSION_OFFSET));
    if (version != VERSION) {
      throw new FilterFormatException(
          VERSION_OFFSET, "format version " + version + "; this library reads " + VERSION);
    }
    FilterKind kind = kind(Short.toUnsignedInt(in.getShort(KIND_OFFSET)));
    requireZero(bytes, FLAGS_OFFSET, LENGTH_OFFSET);
    requireZero(bytes, RESERVED_OFFSET, FIXED_BYTES);
    int parameters = Short.toUnsignedInt(in.getShort(PARAMETER_COUNT_OFFSET));
    int sections = Short.toUnsignedInt(in.getShort(SECTION_COUNT_OFFSET));
    long needed = headerBytes(parameters + sections);
    if (needed != bytes.length) {
      throw new FilterFormatException(
          LENGTH_OFFSET, "header length " + bytes.length + " where its counts need " + needed);
    }
    in.position(FIXED_BYTES);
    List<Long> values = readLongs(in, parameters);
    List<Long> lengths = readLongs(in, sections);
    requireZero(bytes, in.position(), last);
    long total = 0;
    for (int i = 0; i < sections; i++) {
      long length = lengths.get(i);
      total += length;
      if (length < 0 || length > Long.MAX_VALUE / 4 || total < 0) {
        throw new FilterFormatException(
            parameterOffset(parameters + i), "section length " + length + " is impossible");
      }
    }
    return new FilterHeader(
        kind,
        Short.toUnsignedInt(in.getShort(SCHEME_OFFSET)),
        in.getLong(IDENTITY_OFFSET),
        keyType(bytes[KEY_TYPE_OFFSET]),
        in.getLong(FILTER_ID_OFFSET),
        in.getLong(STATE_OFFSET),
        values,
        lengths);
  }

  private static int keyType(int id) throws FilterFormatException {
    if (KeyType.ofId(id).id() != id) {
      throw new FilterFormatException(KEY_TYPE_OFFSET, "unknown key type " + id);
    }
    return id;
  }

  private static FilterKind kind(int id) throws FilterFormatException {
    for (FilterKind kind : FilterKind.values()) {
      if (kind.id() == id) {
        return kind;
      }
    }
    throw new FilterFormatException(KIND_OFFSET, "unknown kind " + id);
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

  private static int checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return (int) crc.getValue();
  }
}
