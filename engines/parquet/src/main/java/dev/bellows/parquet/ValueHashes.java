package dev.bellows.parquet;

import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.layout.SplitBlocks;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.UUID;

/**
 * The hashes under which the filter of a column may have a value. Parquet hashes the plain-encoded
 * bytes of a value.
 *
 * <p>Floating point numbers have more bytes than values: 0.0 and -0.0 are equal, so both are looked
 * up; a NaN has many forms, so no filter can exclude it.
 */
final class ValueHashes {
  private static final ValueHashes ANY = new ValueHashes(true);

  /** More zeros than a decimal in any engine has; a huge exponent is short to write. */
  private static final int MOST_ZEROS = 10_000;

  /**
   * More bytes and digits than decimals have in any engine; beyond that, filters are not queried.
   */
  private static final int MOST_DECIMAL_BYTES = 1 << 10;

  private static final int MOST_SCALE = 1 << 10;

  private static final ValueHashes NONE = new ValueHashes(false);

  /** Whether a filter cannot tell. */
  private final boolean isAny;

  /** None if no value of the column's type is equal to this one. */
  private final long[] hashes;

  private ValueHashes(boolean isAny, long... hashes) {
    this.isAny = isAny;
    this.hashes = hashes;
  }

  /** Returns whether a filter may have the value. */
  boolean mayBeIn(BitStore filter) {
    for (long hash : hashes) {
      if (SplitBlocks.test(filter, hash)) {
        return true;
      }
    }
    return isAny;
  }

  /**
   * Returns the probe for a value: its plain-encoded bytes, or anything whose text is a value of
   * the type, as numbers, texts, dates, instants, decimals and UUIDs.
   */
  static ValueHashes of(ColumnType type, Object value) {
    if (value instanceof byte[] bytes) {
      return ofBytes(type, bytes);
    }
    if (value instanceof Float real && type.physical() == ColumnType.Physical.DOUBLE) {
      return ofDouble(real);
    }
    if (type.meaning() == ColumnType.Meaning.DECIMAL
        && (type.length() > MOST_DECIMAL_BYTES || Math.abs(type.scale()) > MOST_SCALE)) {
      return ANY;
    }
    String text = value.toString();
    try {
      return switch (type.physical()) {
        case INT32 -> ofInteger(type, text, Integer.SIZE);
        case INT64 -> ofInteger(type, text, Long.SIZE);
        case FLOAT -> ofFloat(Float.parseFloat(text));
        case DOUBLE -> ofDouble(Double.parseDouble(text));
        case BYTE_ARRAY, FIXED_LEN_BYTE_ARRAY -> ofText(type, text);
        case BOOLEAN, INT96 -> throw new IllegalArgumentException("no text form");
      };
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException e) {
      throw new IllegalArgumentException(
          "%s is not a value of a column of type %s: %s"
              .formatted(Prose.quote(text), type, forms(type)),
          e);
    }
  }

  private static String forms(ColumnType type) {
    return switch (type.meaning()) {
      case DATE -> "write it as 2026-01-31";
      case MILLIS, MICROS, NANOS -> "write it as 2026-01-31T12:00:00Z or as a number";
      case DECIMAL ->
          "write it as 12.50, with at most %d digits after the point".formatted(type.scale());
      case UUID -> "write it as 123e4567-e89b-12d3-a456-426614174000";
      case UNSIGNED -> "write a whole number that is not negative";
      default ->
          switch (type.physical()) {
            case INT32, INT64 -> "write a whole number";
            case FLOAT, DOUBLE -> "write a number";
            default -> "give its plain-encoded bytes";
          };
    };
  }

  private static ValueHashes ofBytes(ColumnType type, byte[] bytes) {
    int length =
        switch (type.physical()) {
          case BOOLEAN -> 1;
          case INT32, FLOAT -> 4;
          case INT64, DOUBLE -> 8;
          case INT96 -> 12;
          case BYTE_ARRAY -> bytes.length;
          case FIXED_LEN_BYTE_ARRAY -> type.length();
        };
    if (bytes.length != length) {
      throw new IllegalArgumentException(
          "%d bytes are not a value of a column of type %s, which has %d"
              .formatted(bytes.length, type, length));
    }
    return new ValueHashes(false, SplitBlocks.hash(bytes));
  }

  private static ValueHashes ofInteger(ColumnType type, String text, int width) {
    BigInteger value =
        switch (type.meaning()) {
          case DECIMAL -> unscaled(type, text);
          case DATE -> isNumber(text) ? new BigInteger(text) : days(text);
          case MILLIS -> time(text, ChronoUnit.MILLIS);
          case MICROS -> time(text, ChronoUnit.MICROS);
          case NANOS -> time(text, ChronoUnit.NANOS);
          default -> new BigInteger(text);
        };
    boolean isUnsigned = type.meaning() == ColumnType.Meaning.UNSIGNED;
    if (isUnsigned && value.signum() < 0) {
      throw new IllegalArgumentException("negative");
    }
    if (value.bitLength() > (isUnsigned ? width : width - 1)) {
      return NONE;
    }
    return width == Integer.SIZE
        ? hashes(little(4).putInt(value.intValue()))
        : hashes(little(8).putLong(value.longValue()));
  }

  private static boolean isNumber(String text) {
    return text.matches("-?\\d+");
  }

  private static BigInteger days(String text) {
    return BigInteger.valueOf(LocalDate.parse(text).toEpochDay());
  }

  private static BigInteger time(String text, ChronoUnit unit) {
    if (isNumber(text)) {
      return new BigInteger(text);
    }
    Instant instant =
        text.matches(".*T.*(Z|[+-]\\d\\d(:?\\d\\d)*)")
            ? OffsetDateTime.parse(text).toInstant()
            : LocalDateTime.parse(text.replace(' ', 'T')).toInstant(ZoneOffset.UTC);
    BigInteger nanos =
        BigInteger.valueOf(instant.getEpochSecond())
            .multiply(BigInteger.valueOf(1_000_000_000))
            .add(BigInteger.valueOf(instant.getNano()));
    BigInteger[] parts = nanos.divideAndRemainder(BigInteger.valueOf(unit.getDuration().toNanos()));
    if (parts[1].signum() != 0) {
      throw new ArithmeticException("finer than the column");
    }
    return parts[0];
  }

  private static BigInteger unscaled(ColumnType type, String text) {
    BigDecimal value = new BigDecimal(text);
    if (value.scale() < -MOST_ZEROS) {
      throw new ArithmeticException("it would have billions of digits");
    }
    return value.setScale(type.scale()).unscaledValue();
  }

  private static ValueHashes ofFloat(float value) {
    if (Float.isNaN(value)) {
      return ANY;
    }
    return value == 0
        ? hashes(little(4).putFloat(0.0f), little(4).putFloat(-0.0f))
        : hashes(little(4).putFloat(value));
  }

  private static ValueHashes ofDouble(double value) {
    if (Double.isNaN(value)) {
      return ANY;
    }
    return value == 0
        ? hashes(little(8).putDouble(0.0), little(8).putDouble(-0.0))
        : hashes(little(8).putDouble(value));
  }

  private static ValueHashes ofText(ColumnType type, String text) {
    int length = type.length();
    switch (type.meaning()) {
      case DECIMAL -> {
        byte[] digits = unscaled(type, text).toByteArray();
        if (length == 0) {
          return ofBytes(type, digits); // the shortest form, as the format requires
        }
        if (digits.length > length) {
          return NONE;
        }
        byte[] padded = new byte[length];
        Arrays.fill(padded, 0, length - digits.length, (byte) (digits[0] >> 7));
        System.arraycopy(digits, 0, padded, length - digits.length, digits.length);
        return ofBytes(type, padded);
      }
      case UUID -> {
        UUID uuid = UUID.fromString(text);
        return ofBytes(
            type,
            ByteBuffer.allocate(16)
                .putLong(uuid.getMostSignificantBits())
                .putLong(uuid.getLeastSignificantBits())
                .array());
      }
      case TEXT, PLAIN -> {
        return ofBytes(type, text.getBytes(StandardCharsets.UTF_8));
      }
      default -> throw new IllegalArgumentException("no text form");
    }
  }

  private static ByteBuffer little(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  @SuppressWarnings("ByteBufferBackingArray") // of little()
  private static ValueHashes hashes(ByteBuffer... forms) {
    return new ValueHashes(
        false, Arrays.stream(forms).mapToLong(form -> SplitBlocks.hash(form.array())).toArray());
  }
}
