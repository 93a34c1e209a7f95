package dev.bellows.internal.files;

import dev.bellows.internal.files.HeaderFields.Field;
import dev.bellows.io.FilterFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.EnumSet;
import java.util.List;

/**
 * The form of a small filter: its numbers are packed, followed by the payload of the sections
 * without padding and one checksum of everything.
 */
final class CompactForm {
  /** The magic of the full form begins with the same five bytes. */
  static final byte[] MAGIC = {(byte) 0x89, 'B', 'L', 'W', 'S', 'c'};

  /**
   * The maximum number of bytes of all sections together. Below it, a fifth or more of the full
   * form would be padding.
   */
  static final int MAX_BODY = 1024;

  private static final List<Field> PACKED =
      List.copyOf(EnumSet.complementOf(EnumSet.of(Field.STATE)));
  private static final int MORE = 0x80;
  private static final int BITS = 7;
  static final int CHECKSUM_BYTES = 4;

  private CompactForm() {}

  /** Returns all numbers of a header in order, packed. */
  private static byte[] packed(FilterHeader header) {
    PackedLongs.Writer out = new PackedLongs.Writer();
    out.put(header.kind().id());
    out.put(header.hashScheme());
    out.put(header.keyType());
    out.put(header.hashIdentity());
    out.put(header.filterId());
    out.put(header.parameters().size());
    out.put(header.sectionBytes().size());
    header.parameters().forEach(out::put);
    header.sectionBytes().forEach(out::put);
    return out.toBytes();
  }

  /**
   * Returns the length of a file. The state is not packed, so that the length does not depend on
   * the content.
   */
  static long fileBytes(FilterHeader header) {
    return MAGIC.length
        + 1
        + packed(header).length
        + (header.filterId() == 0 ? 0 : Long.BYTES)
        + header.bodyBytes()
        + CHECKSUM_BYTES;
  }

  static byte[] encode(FilterHeader header, byte[] body) {
    ByteBuffer out = ByteBuffer.allocate((int) fileBytes(header)).order(ByteOrder.LITTLE_ENDIAN);
    out.put(MAGIC).put((byte) FilterHeader.VERSION).put(packed(header));
    if (header.filterId() != 0) {
      out.putLong(header.state());
    }
    out.put(body);
    out.putInt(FilterHeader.checksum(out.array(), out.position()));
    return out.array();
  }

  /** Reads and checks a filter, starting after the magic bytes. */
  static Opening read(InputStream in) throws IOException {
    Input input = new Input(in);
    FilterHeader.requireVersion(input.next(), MAGIC.length);
    HeaderFields fields = new HeaderFields();
    for (Field field : PACKED) {
      fields.put(field, input.offset(), input.number());
    }
    int parameters = fields.small(Field.PARAMETER_COUNT);
    int sections = fields.small(Field.SECTION_COUNT);
    if (FullForm.headerBytes(parameters + sections) > FilterHeader.MAX_BYTES) {
      throw new FilterFormatException(
          fields.of(Field.PARAMETER_COUNT),
          "%d parameters and %d sections do not fit into a header".formatted(parameters, sections));
    }
    for (int i = 0; i < parameters + sections; i++) {
      fields.addNumber(input.offset(), input.number());
    }
    boolean hasState = fields.value(Field.FILTER_ID) != 0;
    fields.put(Field.STATE, input.offset(), hasState ? input.fixed() : 0);
    FilterHeader header = fields.header();
    if (!header.isCompact()) {
      throw new FilterFormatException(
          input.offset(),
          "sections of %d bytes in the compact form, which has at most %d"
              .formatted(header.bodyBytes(), MAX_BODY));
    }
    byte[] body = input.bytes((int) header.bodyBytes());
    input.requireChecksum();
    return new Opening(header, fields, input.offset(), new ByteArrayInputStream(body));
  }

  /** Reads bytes and keeps them for the checksum. */
  private static final class Input {
    private final InputStream in;
    private final ByteArrayOutputStream read = new ByteArrayOutputStream();

    Input(InputStream in) {
      this.in = in;
      read.write(MAGIC, 0, MAGIC.length);
    }

    long offset() {
      return read.size();
    }

    int next() throws IOException {
      int next = in.read();
      if (next < 0) {
        throw new FilterFormatException(offset(), "it ends inside the header");
      }
      if (read.size() >= FilterHeader.MAX_BYTES) {
        throw new FilterFormatException(
            offset(), "a header of more than " + FilterHeader.MAX_BYTES + " bytes");
      }
      read.write(next);
      return next;
    }

    /** Reads a packed number of up to 64 bits, which must be in its shortest form. */
    long number() throws IOException {
      long value = 0;
      for (int shift = 0; ; shift += BITS) {
        long offset = offset();
        long part = next();
        long bits = part & (MORE - 1);
        if (bits << shift >>> shift != bits || (part == 0 && shift > 0)) {
          throw new FilterFormatException(
              offset, "a packed number is not in its shortest form or has more than 64 bits");
        }
        value |= bits << shift;
        if (part < MORE) {
          return value;
        }
        if (shift + BITS >= Long.SIZE) {
          throw new FilterFormatException(offset, "a packed number has more than 64 bits");
        }
      }
    }

    /** Reads a number of 8 bytes. */
    long fixed() throws IOException {
      return ByteBuffer.wrap(bytes(Long.BYTES)).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    byte[] bytes(int count) throws IOException {
      byte[] bytes = in.readNBytes(count);
      if (bytes.length < count) {
        throw new FilterFormatException(offset() + bytes.length, "it ends inside a section");
      }
      read.write(bytes, 0, bytes.length);
      return bytes;
    }

    void requireChecksum() throws IOException {
      byte[] covered = read.toByteArray();
      long offset = offset();
      int stored = ByteBuffer.wrap(bytes(CHECKSUM_BYTES)).order(ByteOrder.LITTLE_ENDIAN).getInt();
      if (stored != FilterHeader.checksum(covered, covered.length)) {
        throw new FilterFormatException(offset, "its checksum does not match");
      }
    }
  }
}
