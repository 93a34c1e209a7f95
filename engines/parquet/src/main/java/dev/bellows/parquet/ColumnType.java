package dev.bellows.parquet;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The type of a column: how its values are stored, and what they mean.
 *
 * @param physical how values are stored
 * @param meaning what they mean
 * @param length the bytes of a value of fixed length, otherwise 0
 * @param scale the digits after the point of a decimal, otherwise 0
 */
public record ColumnType(Physical physical, Meaning meaning, int length, int scale) {
  /** For maps of types from untrusted files, whose hash codes may collide on purpose. */
  static final Comparator<ColumnType> ORDER =
      Comparator.comparing(ColumnType::physical)
          .thenComparing(ColumnType::meaning)
          .thenComparingInt(ColumnType::length)
          .thenComparingInt(ColumnType::scale);

  /** How Parquet stores a value, in the order of its numbers. */
  public enum Physical {
    /** Truth values; they have no filters. */
    BOOLEAN,
    /** 4 bytes, little endian. */
    INT32,
    /** 8 bytes, little endian. */
    INT64,
    /** 12 bytes; times of old writers. */
    INT96,
    /** 4 bytes, IEEE 754. */
    FLOAT,
    /** 8 bytes, IEEE 754. */
    DOUBLE,
    /** Any number of bytes. */
    BYTE_ARRAY,
    /** Always the same number of bytes. */
    FIXED_LEN_BYTE_ARRAY;

    boolean isFloatingPoint() {
      return this == FLOAT || this == DOUBLE;
    }
  }

  /** What a stored value means, as far as it changes how a text becomes its bytes. */
  public enum Meaning {
    /** A number, or bytes without a meaning. */
    PLAIN,
    /** Text as UTF-8; also ENUM and JSON. */
    TEXT,
    /** A number without sign. */
    UNSIGNED,
    /** A decimal: its digits without the point. */
    DECIMAL,
    /** Days since 1970-01-01. */
    DATE,
    /** Milliseconds since 1970-01-01T00:00. */
    MILLIS,
    /** Microseconds since 1970-01-01T00:00. */
    MICROS,
    /** Nanoseconds since 1970-01-01T00:00. */
    NANOS,
    /** 16 bytes, as RFC 9562 orders them. */
    UUID,
    /** Something that is only compared by its bytes here, such as times of day or intervals. */
    OTHER
  }

  // fields of SchemaElement
  private static final int TYPE = 1;
  private static final int TYPE_LENGTH = 2;
  private static final int CONVERTED_TYPE = 6;
  private static final int SCALE = 7;
  private static final int LOGICAL_TYPE = 10;

  // members of the union LogicalType
  private static final int STRING = 1;
  private static final int ENUM = 4;
  private static final int DECIMAL = 5;
  private static final int DATE = 6;
  private static final int TIMESTAMP = 8;
  private static final int INTEGER = 10;
  private static final int JSON = 12;
  private static final int BSON = 13;
  private static final int UUID = 14;

  static ColumnType of(ThriftStruct element) throws ParquetFormatException {
    long number = element.number(TYPE, "type");
    if (number < 0 || number >= Physical.values().length) {
      throw element.error("unknown type %d of a column".formatted(number));
    }
    Physical physical = Physical.values()[(int) number];
    long length = element.number(TYPE_LENGTH).orElse(0);
    if (physical != Physical.FIXED_LEN_BYTE_ARRAY) {
      length = 0;
    } else if (length < 1 || length > Integer.MAX_VALUE) {
      throw element.error("values of %d bytes".formatted(length));
    }
    ThriftStruct logical = element.struct(LOGICAL_TYPE);
    Meaning meaning =
        logical == null
            ? converted((int) element.number(CONVERTED_TYPE).orElse(-1))
            : meaning(logical);
    long scale = meaning == Meaning.DECIMAL ? scale(element, logical) : 0;
    if (scale != (short) scale) {
      throw element.error("a decimal with %d digits after the point".formatted(scale));
    }
    return new ColumnType(physical, meaning, (int) length, (int) scale);
  }

  /** Returns whether a column can have this type, for a type that was not read from a schema. */
  boolean isPossible() {
    boolean hasLength = physical == Physical.FIXED_LEN_BYTE_ARRAY;
    boolean hasScale = meaning == Meaning.DECIMAL;
    return (hasLength ? length > 0 : length == 0)
        && (hasScale ? scale == (short) scale : scale == 0);
  }

  private static Meaning meaning(ThriftStruct logical) throws ParquetFormatException {
    if (logical.has(STRING) || logical.has(ENUM) || logical.has(JSON)) {
      return Meaning.TEXT;
    }
    if (logical.has(DECIMAL)) {
      return Meaning.DECIMAL;
    }
    if (logical.has(DATE)) {
      return Meaning.DATE;
    }
    if (logical.has(UUID)) {
      return Meaning.UUID;
    }
    if (logical.has(BSON)) {
      return Meaning.PLAIN;
    }
    ThriftStruct integer = logical.struct(INTEGER);
    if (integer != null) {
      return integer.isTrue(2) ? Meaning.PLAIN : Meaning.UNSIGNED;
    }
    ThriftStruct timestamp = logical.struct(TIMESTAMP);
    ThriftStruct unit = timestamp == null ? null : timestamp.struct(2);
    if (unit == null) {
      return Meaning.OTHER;
    }
    return unit.has(1) ? Meaning.MILLIS : unit.has(2) ? Meaning.MICROS : Meaning.NANOS;
  }

  /** Returns the older form, which every writer still adds if possible. */
  private static Meaning converted(int type) {
    return switch (type) {
      case -1, 15, 16, 17, 18, 20 -> Meaning.PLAIN; // none, signed numbers, BSON
      case 0, 4, 19 -> Meaning.TEXT;
      case 5 -> Meaning.DECIMAL;
      case 6 -> Meaning.DATE;
      case 9 -> Meaning.MILLIS;
      case 10 -> Meaning.MICROS;
      case 11, 12, 13, 14 -> Meaning.UNSIGNED;
      default -> Meaning.OTHER;
    };
  }

  private static long scale(ThriftStruct element, @Nullable ThriftStruct logical)
      throws ParquetFormatException {
    ThriftStruct decimal = logical == null ? null : logical.struct(DECIMAL);
    return decimal == null ? element.number(SCALE).orElse(0) : decimal.number(1).orElse(0);
  }

  /** Returns its name for people. */
  @Override
  public String toString() {
    String stored =
        physical == Physical.FIXED_LEN_BYTE_ARRAY ? "BYTES(" + length + ")" : physical.name();
    return switch (meaning) {
      case PLAIN -> stored;
      case DECIMAL -> stored + " as DECIMAL with scale " + scale;
      default -> stored + " as " + meaning;
    };
  }
}
