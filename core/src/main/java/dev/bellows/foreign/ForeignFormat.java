package dev.bellows.foreign;

import dev.bellows.internal.bits.MappedFile;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The libraries whose filters are read and written. The caller names the format of a file; it is
 * never guessed.
 */
public enum ForeignFormat {
  /** Guava's {@code BloomFilter.writeTo}, both strategies. */
  GUAVA("Guava"),

  /** Spark's {@code org.apache.spark.util.sketch.BloomFilter}, V1 and V2. */
  SPARK("Spark"),

  /** Parquet's split-block filter: the bitset alone, or with the header it has in a file. */
  PARQUET("Parquet"),

  /** Hadoop's {@code org.apache.hadoop.util.bloom.BloomFilter}, a Writable. */
  HADOOP("Hadoop");

  private final String library;

  ForeignFormat(String library) {
    this.library = library;
  }

  /** Its name in flags and JSON. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The library's name. */
  public String library() {
    return library;
  }

  /** The types its keys may have; files do not store the type. Only Guava hashes UTF-16. */
  public List<ForeignKeyType> keyTypes() {
    return Arrays.stream(ForeignKeyType.values())
        .filter(type -> this == GUAVA || type != ForeignKeyType.UTF16)
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
          "a filter of Hadoop cannot be mapped, because it may end inside a word: read it");
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
}
