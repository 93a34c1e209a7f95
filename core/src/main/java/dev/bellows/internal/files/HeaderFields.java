package dev.bellows.internal.files;

import dev.bellows.HashScheme.KeyType;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The numbers of a header as they were read, and their offsets for error messages. */
final class HeaderFields {
  /** The fields before the parameters, in the order of {@link CompactForm}. */
  enum Field {
    KIND(10, Short.BYTES),
    SCHEME(12, Short.BYTES),
    KEY_TYPE(14, Byte.BYTES),
    IDENTITY(24, Long.BYTES),
    FILTER_ID(32, Long.BYTES),
    PARAMETER_COUNT(20, Short.BYTES),
    SECTION_COUNT(22, Short.BYTES),
    STATE(40, Long.BYTES);

    /** The offset in the {@link FullForm}. */
    final int offset;

    /** The number of bytes in the full form. */
    final int bytes;

    Field(int offset, int bytes) {
      this.offset = offset;
      this.bytes = bytes;
    }
  }

  private record Read(long value, long offset) {}

  private final Map<Field, Read> fields = new EnumMap<>(Field.class);

  /** The parameters, followed by the section lengths. */
  private final List<Read> numbers = new ArrayList<>();

  void put(Field field, long offset, long value) {
    fields.put(field, new Read(value, offset));
  }

  /** Adds the next parameter or, after the last one, section length. */
  void addNumber(long offset, long value) {
    numbers.add(new Read(value, offset));
  }

  /** Returns the offset of a field that was read. */
  long of(Field field) {
    return read(field).offset;
  }

  /** Returns the offset of a parameter or, after the last one, of a section length. */
  long number(int index) {
    return numbers.get(index).offset;
  }

  private Read read(Field field) {
    return fields.getOrDefault(field, new Read(0, 0));
  }

  /** Returns the value of a field. */
  long value(Field field) {
    return read(field).value;
  }

  /** Returns the value of a field; throws unless it fits into 16 bits. */
  int small(Field field) throws FilterFormatException {
    long value = value(field);
    if (value < 0 || value > 0xFFFF) {
      throw new FilterFormatException(
          of(field), Long.toUnsignedString(value) + " is more than 65535");
    }
    return (int) value;
  }

  /** Returns the header with these numbers, after checking them. */
  FilterHeader header() throws FilterFormatException {
    int id = small(Field.KIND);
    int scheme = small(Field.SCHEME);
    int keyType = small(Field.KEY_TYPE);
    int parameters = small(Field.PARAMETER_COUNT);
    long total = 0;
    for (Read length : numbers.subList(parameters, numbers.size())) {
      total += length.value;
      if (length.value < 0 || length.value > Long.MAX_VALUE / 4 || total < 0) {
        throw new FilterFormatException(
            length.offset, "section length " + length.value + " is impossible");
      }
    }
    if (KeyType.ofId(keyType).id() != keyType) {
      throw new FilterFormatException(of(Field.KEY_TYPE), "unknown key type " + keyType);
    }
    FilterKind kind =
        Arrays.stream(FilterKind.values())
            .filter(any -> any.id() == id)
            .findFirst()
            .orElseThrow(() -> new FilterFormatException(of(Field.KIND), "unknown kind " + id));
    List<Long> values = numbers.stream().map(Read::value).toList();
    return new FilterHeader(
        kind,
        scheme,
        value(Field.IDENTITY),
        keyType,
        value(Field.FILTER_ID),
        value(Field.STATE),
        values.subList(0, parameters),
        values.subList(parameters, values.size()));
  }
}
