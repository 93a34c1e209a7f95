package dev.bellows.foreign;

import dev.bellows.internal.base.Utf8;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The type that the keys of a foreign filter had when they were put. Libraries hash the bytes of a
 * key. The same number or text has other bytes in another type, so a query with a wrong type finds
 * nothing.
 */
public enum ForeignKeyType {
  /** Text as UTF-8: Guava's {@code stringFunnel(UTF_8)}, Spark's and Parquet's strings. */
  UTF8,

  /** Text as UTF-16, little endian: Guava's {@code unencodedCharsFunnel()}. */
  UTF16,

  /**
   * Whole numbers as 8 bytes: Guava's {@code longFunnel()}, every integral type of Spark, Parquet's
   * INT64; for Hadoop, whose keys are bytes, as {@code LongWritable} writes them.
   */
  LONG,

  /**
   * Whole numbers as 4 bytes: Guava's {@code integerFunnel()}, Parquet's INT32, Hadoop's {@code
   * IntWritable}. Spark widens them, so there it is the same as {@link #LONG}.
   */
  INT,

  /** Bytes as they are. */
  BYTES;

  /** Its name in flags and messages. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The bytes that the format's library hashes for a text. */
  byte[] bytes(CharSequence text, ForeignFormat format) {
    requireIn(format);
    return switch (this) {
      case UTF8 -> Utf8.encode(text);
      case UTF16 -> {
        ByteBuffer chars = ByteBuffer.allocate(2 * text.length()).order(ByteOrder.LITTLE_ENDIAN);
        text.chars().forEach(c -> chars.putChar((char) c));
        yield chars.array();
      }
      default -> throw new IllegalArgumentException("a key of type " + word() + " is no text");
    };
  }

  /** The bytes that the format's library hashes for a whole number. */
  byte[] bytes(long number, ForeignFormat format) {
    requireIn(format);
    if (this != LONG && this != INT) {
      throw new IllegalArgumentException("a key of type " + word() + " is no number");
    }
    if (this == INT && number != (int) number) {
      throw new IllegalArgumentException(number + " is no int: it has more than 32 bits");
    }
    ByteOrder order =
        format == ForeignFormat.HADOOP ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    boolean wide = this == LONG || format == ForeignFormat.SPARK;
    ByteBuffer bytes = ByteBuffer.allocate(wide ? Long.BYTES : Integer.BYTES).order(order);
    return (wide ? bytes.putLong(number) : bytes.putInt((int) number)).array();
  }

  private void requireIn(ForeignFormat format) {
    if (!format.keyTypes().contains(this)) {
      throw new IllegalArgumentException(
          "%s has no keys of type %s: it has %s"
              .formatted(
                  format.library(),
                  word(),
                  format.keyTypes().stream()
                      .map(ForeignKeyType::word)
                      .collect(Collectors.joining(", "))));
    }
  }
}
