package dev.bellows.foreign;

import dev.bellows.internal.bits.MappedFile;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The format of another library whose filters can be read and written. The caller specifies the
 * format of a file; it is never guessed.
 */
public enum ForeignFormat {
  /** Guava's {@code BloomFilter.writeTo}, both strategies. */
  GUAVA("Guava"),

  /** Spark's {@code org.apache.spark.util.sketch.BloomFilter}, V1 and V2. */
  SPARK("Spark"),

  /**
   * Parquet's split-block filter: only the bitset, or the bitset with the header that precedes it
   * in a Parquet file.
   */
  PARQUET("Parquet"),

  /** Hadoop's {@code org.apache.hadoop.util.bloom.BloomFilter}, a Writable. */
  HADOOP("Hadoop");

  private final String library;

  ForeignFormat(String library) {
    this.library = library;
  }

  /** Returns the name of this format in flags and JSON. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the library's name. */
  public String library() {
    return library;
  }

  /** Returns the possible types of keys, which files do not store; only Guava has UTF-16. */
  public List<KeyType> keyTypes() {
    return Arrays.stream(KeyType.values())
        .filter(type -> this == GUAVA || type != KeyType.UTF16)
        .toList();
  }

  ForeignFilter read(InputStream in, ReadOptions limits) throws IOException {
    return read(new ForeignInput(in, limits));
  }

  private ForeignFilter read(ForeignInput input) throws IOException {
    ForeignFilter filter =
        switch (this) {
          case GUAVA -> GuavaDialect.read(input);
          case SPARK -> SparkDialect.read(input);
          case PARQUET -> ParquetDialect.read(input);
          case HADOOP -> HadoopDialect.read(input);
        };
    input.end();
    return filter;
  }

  ForeignFilter map(Path path) throws IOException {
    if (this == HADOOP) {
      throw new IllegalArgumentException(
          "a Hadoop filter cannot be mapped, because it may end in the middle of a word: read it");
    }
    MappedFile file = MappedFile.open(path);
    boolean isMapped = false;
    try {
      ForeignFilter filter = read(new ForeignInput(file));
      isMapped = true;
      return filter;
    } finally {
      if (!isMapped) {
        file.close();
      }
    }
  }

  /**
   * The type of a foreign filter's keys when they were put. Libraries hash the bytes of a key,
   * which depend on its type, so a query with the wrong type does not find the key.
   */
  public enum KeyType {
    /** Text as UTF-8: Guava's {@code stringFunnel(UTF_8)}, Spark's and Parquet's strings. */
    UTF8,

    /** Text as UTF-16, little endian: Guava's {@code unencodedCharsFunnel()}. */
    UTF16,

    /**
     * Whole numbers as 8 bytes: Guava's {@code longFunnel()}, every integral type of Spark,
     * Parquet's INT64; for Hadoop, whose keys are bytes, as {@code LongWritable} writes them.
     */
    LONG,

    /**
     * Whole numbers as 4 bytes: Guava's {@code integerFunnel()}, Parquet's INT32, Hadoop's {@code
     * IntWritable}. Spark widens them to longs, so this type is the same as {@link #LONG} for
     * Spark.
     */
    INT,

    /** Raw bytes. */
    BYTES;

    /** Returns the name of this type in flags and messages. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the bytes that the format's library hashes for text. */
    byte[] bytes(CharSequence text, ForeignFormat format) {
      requireIn(format);
      return switch (this) {
        case UTF8 -> text.toString().getBytes(StandardCharsets.UTF_8);
        case UTF16 -> {
          ByteBuffer chars = ByteBuffer.allocate(2 * text.length()).order(ByteOrder.LITTLE_ENDIAN);
          text.chars().forEach(c -> chars.putChar((char) c));
          yield chars.array();
        }
        default ->
            throw new IllegalArgumentException("a key of type " + word() + " cannot be a text");
      };
    }

    /** Returns the bytes that the format's library hashes for a whole number. */
    byte[] bytes(long number, ForeignFormat format) {
      requireIn(format);
      if (this != LONG && this != INT) {
        throw new IllegalArgumentException("a key of type " + word() + " cannot be a number");
      }
      if (this == INT && number != (int) number) {
        throw new IllegalArgumentException(number + " is not an int: it has more than 32 bits");
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
            "%s does not support keys of type %s: use %s"
                .formatted(
                    format.library(),
                    word(),
                    format.keyTypes().stream()
                        .map(KeyType::word)
                        .collect(Collectors.joining(", "))));
      }
    }
  }
}
