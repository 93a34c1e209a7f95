package dev.bellows.foreign;

import dev.bellows.Foldable;
import dev.bellows.Foldable.FoldSize;
import dev.bellows.MappedFilter;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.MappedFile;
import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.PathInput;
import dev.bellows.internal.math.Divisors;
import dev.bellows.internal.math.Ladder;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.ReadOptions;
import java.io.ByteArrayInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An immutable, thread-safe Bloom filter of Guava, Spark, Parquet or Hadoop, read from its
 * serialized form.
 *
 * <p>It gives the same answers as its library, folds to every divisor of its size that its format
 * can store, and is written in the library's own format. A folded filter is bit for bit identical
 * to one that the library would have built at that size, so no key is lost.
 *
 * <pre>{@code
 * ForeignFilter filter = ForeignFilter.readFrom(Path.of("users.guava"), Format.GUAVA);
 * filter.mightContain("alice");
 * filter.foldToFpp(0.03).writeTo(Path.of("small.guava"));
 * }</pre>
 */
public final class ForeignFilter implements Foldable<ForeignFilter> {
  private final Dialect dialect;
  private final Ladder ladder;
  private final BitStore store;

  ForeignFilter(Dialect dialect, BitStore store) {
    this.dialect = dialect;
    this.ladder = new Ladder(store.bits(), dialect.unitBits());
    this.store = store;
  }

  /**
   * Reads a filter of the format; it must extend to the end of the stream, because foreign formats
   * do not store their length. Of the options, only the size limit is used.
   */
  public static ForeignFilter readFrom(InputStream in, Format format, ReadOptions options)
      throws IOException {
    return format.read(new ForeignInput(in, options));
  }

  /**
   * Reads a filter of at most 1 GiB ({@link ReadOptions#DEFAULT}) that extends to the end of the
   * stream.
   */
  public static ForeignFilter readFrom(InputStream in, Format format) throws IOException {
    return readFrom(in, format, ReadOptions.DEFAULT);
  }

  /** Reads a filter from a file. */
  public static ForeignFilter readFrom(Path path, Format format, ReadOptions options)
      throws IOException {
    try (InputStream in = PathInput.open(path)) {
      return readFrom(in, format, options);
    } catch (FilterFormatException e) {
      throw e.in(path);
    }
  }

  /** Reads a filter of at most 1 GiB ({@link ReadOptions#DEFAULT}) from a file. */
  public static ForeignFilter readFrom(Path path, Format format) throws IOException {
    return readFrom(path, format, ReadOptions.DEFAULT);
  }

  /**
   * Maps a file of Guava, Spark or Parquet instead of reading it: the file opens immediately at any
   * size, and processes that map it share its memory. These formats have no checksums, so only the
   * header and the length are checked. If the file is truncated later, queries throw {@link
   * UncheckedIOException}. To replace a file, rename another one to its path: this filter keeps
   * using the old file, and {@link MappedFilter#isStale} returns true.
   */
  public static MappedFilter<ForeignFilter> map(Path path, Format format) throws IOException {
    if (format == Format.HADOOP) {
      throw new IllegalArgumentException(
          "a Hadoop filter cannot be mapped, because it may end in the middle of a word: read it");
    }
    MappedFile file = MappedFile.open(path);
    boolean isMapped = false;
    try {
      ForeignFilter filter = format.read(new ForeignInput(file));
      isMapped = true;
      return MappedFilter.of(filter, filter.store);
    } catch (FilterFormatException e) {
      throw e.in(path);
    } finally {
      if (!isMapped) {
        file.close();
      }
    }
  }

  /** Reads a filter from bytes. */
  public static ForeignFilter fromBytes(byte[] bytes, Format format, ReadOptions options)
      throws FilterFormatException {
    return FilterReader.ofArray(() -> readFrom(new ByteArrayInputStream(bytes), format, options));
  }

  /** Reads a filter from bytes. */
  public static ForeignFilter fromBytes(byte[] bytes, Format format) throws FilterFormatException {
    return fromBytes(bytes, format, ReadOptions.DEFAULT);
  }

  /** Returns the format of this filter, which identifies the library. */
  public Format format() {
    return dialect.format();
  }

  /** Returns the size in bits. */
  @Override
  public long bits() {
    return ladder.bits();
  }

  /** Returns the number of bits that a key sets. */
  @Override
  public int hashes() {
    return dialect.hashes();
  }

  /** Returns whether text, which was put as UTF-8, may be in the set. */
  public boolean mightContain(CharSequence key) {
    return mightContain(key, Format.KeyType.UTF8);
  }

  /**
   * Returns whether a character, which was put as text of length one in UTF-8, may be in the set.
   */
  public boolean mightContain(char key) {
    return mightContain(String.valueOf(key));
  }

  /** Returns whether text, which was put as {@code UTF8} or {@code UTF16}, may be in the set. */
  public boolean mightContain(CharSequence key, Format.KeyType type) {
    return mightContain(type.bytes(key, format()));
  }

  /**
   * Returns whether a character, which was put as text of length one, as {@code UTF8} or {@code
   * UTF16}, may be in the set.
   */
  public boolean mightContain(char key, Format.KeyType type) {
    return mightContain(String.valueOf(key), type);
  }

  /** Returns whether a number, which was put as a long, may be in the set. */
  public boolean mightContain(long key) {
    return mightContain(key, Format.KeyType.LONG);
  }

  /** Returns whether a number, which was put as {@code LONG} or {@code INT}, may be in the set. */
  public boolean mightContain(long key, Format.KeyType type) {
    return mightContain(type.bytes(key, format()));
  }

  /** Returns whether a key with these bytes may be in the set. */
  public boolean mightContain(byte[] key) {
    try {
      return dialect.test(store, key);
    } catch (InternalError e) {
      throw store.fault(e);
    }
  }

  /**
   * Returns the false positive rate, from the actual fill. It is {@code fill^hashes}, as the
   * library computes it; for Parquet, whose libraries do not compute it, it is the average over all
   * blocks of the product of the fills of their lanes.
   */
  @Override
  public double expectedFpp() {
    return store.reading(() -> dialect.fpp(store));
  }

  /** Returns whether the filter is empty and therefore answers "no" to every query. */
  public boolean isEmpty() {
    return store.reading(store::ones) == 0;
  }

  /**
   * Returns the rate for which the library probably sized the filter: {@code 2^-hashes}, the rate
   * with half of the bits set; for Parquet, 1 %, for which writers of Parquet files size their
   * filters.
   */
  public double designFpp() {
    return format() == Format.PARQUET ? 0.01 : Math.scalb(1.0, -hashes());
  }

  /** Returns the estimated number of distinct keys; a lower bound for a full filter. */
  @Override
  public long approximateElementCount() {
    return Math.round(store.reading(() -> dialect.keys(store)));
  }

  /** Returns all statistics. */
  public Stats stats() {
    long ones = store.ones();
    return new Stats(
        format(),
        dialect.variant(),
        dialect.seedOfHashes(),
        bits(),
        hashes(),
        ones,
        (double) ones / bits(),
        store.reading(() -> dialect.keys(store)),
        expectedFpp(),
        sizeInBytes());
  }

  @Override
  public long sizeInBytes() {
    return dialect.bytes(bits());
  }

  /**
   * Returns all sizes to which this filter folds, in ascending order and including its own, each
   * with its expected rate.
   */
  @Override
  public List<FoldSize> ladder() {
    return store.reading(
        () -> {
          var fpp = dialect.fppAfterFolding(store);
          return ladder
              .factors()
              .mapToObj(factor -> new FoldSize(bits() / factor, factor, fpp.applyAsDouble(factor)))
              .toList();
        });
  }

  /**
   * Returns this filter folded by a factor, which must divide the number of its words, blocks or
   * bits.
   */
  @Override
  public ForeignFilter foldBy(long factor) {
    if (!ladder.hasFactor(factor)) {
      throw new IllegalArgumentException(
          "cannot fold %d bits by %d: it does not divide its %s"
              .formatted(bits(), factor, describeDivisors()));
    }
    return new ForeignFilter(
        dialect, factor == 1 ? store : store.reading(() -> dialect.fold(store, factor)));
  }

  /** Returns this filter folded to a size on its ladder. */
  @Override
  public ForeignFilter foldTo(long bits) {
    if (!ladder.hasSize(bits)) {
      throw new IllegalArgumentException(
          "cannot fold %d bits to %d: the nearest sizes on its ladder are %s (its %s)"
              .formatted(bits(), bits, ladder.nearestSizes(bits), describeDivisors()));
    }
    return foldBy(bits() / bits);
  }

  /**
   * Returns the smallest folding that meets the rate. Guava and Spark choose bits by double
   * hashing, which at small sizes accepts more absent keys than {@link #expectedFpp} predicts; a
   * folding must meet the rate including the maximum that double hashing may add. If no folding
   * does, this filter itself is returned if its expected rate is low enough.
   */
  @Override
  public ForeignFilter foldToFpp(double fpp) {
    Checks.probability(fpp, "fpp");
    for (FoldSize size : ladder()) {
      // the expected rate is only a prediction: the rate from the actual fill decides
      if (size.factor() > 1 && size.expectedFpp() <= 2 * fpp) {
        ForeignFilter folded = foldBy(size.factor());
        if (folded.highestFpp() <= fpp) {
          return folded;
        }
      }
    }
    if (expectedFpp() > fpp) {
      throw new IllegalArgumentException(
          "no folding has fpp %s: even the unfolded %d bits have %s"
              .formatted(fpp, bits(), Prose.fpp(expectedFpp())));
    }
    return this;
  }

  /** Returns the rate including the maximum amount that the library's choice of positions adds. */
  private double highestFpp() {
    return expectedFpp() + store.reading(() -> dialect.excess(store));
  }

  /**
   * Returns a description of the possible fold factors, for messages: the number of units and its
   * divisors above 1.
   */
  public String describeDivisors() {
    return "%d %s (divisors: %s)"
        .formatted(ladder.cells(), dialect.unitName(), Divisors.describe(ladder.cells()));
  }

  /** Returns a description for humans. */
  public String explain() {
    Stats stats = stats();
    return Prose.format(
        """
        A Bloom filter of %s (%s%s).

          size               %,d bits (%s in a file)
          hashes             %d per key
          ones               %,d of %,d (%.2f %%)
          keys, estimated    %s%,.0f
          bits per key       %s
          false positives    %s of the keys that are not in it
          folds by           %s (divisors of its %,d %s)
        """,
        format().library(),
        stats.variant(),
        stats.seed() == null ? "" : ", seed " + stats.seed(),
        stats.bits(),
        Prose.bytes(stats.bytes()),
        stats.hashes(),
        stats.ones(),
        stats.bits(),
        100 * stats.fill(),
        stats.ones() == stats.bits() ? "at least " : "",
        stats.approximateKeys(),
        stats.ones() == 0
            ? "no keys yet"
            : Prose.format("%.2f", stats.bits() / stats.approximateKeys()),
        Prose.rate(stats.expectedFpp()),
        Divisors.describe(ladder.cells()),
        ladder.cells(),
        dialect.unitName());
  }

  /** Writes this filter in the library's own format. */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    DataOutputStream data = new DataOutputStream(out);
    try {
      dialect.write(data, store);
      store.confirm();
    } catch (InternalError e) {
      throw store.fault(e);
    }
    data.flush();
  }

  /**
   * Writes this filter to a file atomically, in the library's own format: it writes a temporary
   * file and renames it.
   */
  public void writeTo(Path path) throws IOException {
    AtomicFile.write(path, this::writeTo);
  }

  /** Returns the bytes of this filter in the library's own format. */
  public byte[] toBytes() {
    return FilterWriter.toBytes(this::writeTo);
  }

  /**
   * Returns whether the other object is a filter of the same format, variant and size with the same
   * bits.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof ForeignFilter filter
        && dialect.equals(filter.dialect)
        && store.equals(filter.store);
  }

  @Override
  public int hashCode() {
    return 31 * dialect.hashCode() + store.hashCode();
  }

  @Override
  public String toString() {
    return "ForeignFilter[%s %s, %d bits, %d hashes]"
        .formatted(format().library(), dialect.variant(), bits(), hashes());
  }

  /**
   * The statistics of a foreign filter.
   *
   * @param format the format, which identifies the library
   * @param variant the library's own name for the variant of its format
   * @param seed the seed of the hash function, or null if the variant has none
   * @param bits the size in bits
   * @param hashes the number of bits that a key sets
   * @param ones the number of bits that are one
   * @param fill the fraction of bits that are one
   * @param approximateKeys the estimated number of distinct keys
   * @param expectedFpp the false positive rate, from the actual fill
   * @param bytes the length of the file in bytes
   */
  public record Stats(
      Format format,
      String variant,
      @Nullable Integer seed,
      long bits,
      int hashes,
      long ones,
      double fill,
      double approximateKeys,
      double expectedFpp,
      long bytes) {}

  /**
   * The format of another library whose filters can be read and written. The caller specifies the
   * format of a file; it is never guessed.
   */
  public enum Format {
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

    Format(String library) {
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
      byte[] bytes(CharSequence text, Format format) {
        requireIn(format);
        return switch (this) {
          case UTF8 -> text.toString().getBytes(StandardCharsets.UTF_8);
          case UTF16 -> {
            ByteBuffer chars =
                ByteBuffer.allocate(2 * text.length()).order(ByteOrder.LITTLE_ENDIAN);
            text.chars().forEach(c -> chars.putChar((char) c));
            yield chars.array();
          }
          default ->
              throw new IllegalArgumentException("a key of type " + word() + " cannot be a text");
        };
      }

      /** Returns the bytes that the format's library hashes for a whole number. */
      byte[] bytes(long number, Format format) {
        requireIn(format);
        if (this != LONG && this != INT) {
          throw new IllegalArgumentException("a key of type " + word() + " cannot be a number");
        }
        if (this == INT && number != (int) number) {
          throw new IllegalArgumentException(number + " is not an int: it has more than 32 bits");
        }
        ByteOrder order = format == Format.HADOOP ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
        boolean wide = this == LONG || format == Format.SPARK;
        ByteBuffer bytes = ByteBuffer.allocate(wide ? Long.BYTES : Integer.BYTES).order(order);
        return (wide ? bytes.putLong(number) : bytes.putInt((int) number)).array();
      }

      private void requireIn(Format format) {
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
}
