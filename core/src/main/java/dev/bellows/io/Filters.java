package dev.bellows.io;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldedFilters;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.durable.Delta;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.frozen.FrozenPart;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.growth.ScalableBloomFilter;
import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.PathLock;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.window.WindowFilter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Static methods that read filters of any kind. Programs that know the kind should use the methods
 * of its class instead, and then do not depend on the other kinds.
 */
public final class Filters {
  private static final List<FilterFormat<?>> FORMATS =
      List.of(
          BloomFilter.FORMAT,
          CountingBloomFilter.FORMAT,
          ElasticBloomFilter.FORMAT,
          AutoscalingBloomFilter.FORMAT,
          BinarizedFilter.FORMAT,
          DynamicPartitionBloomFilter.FORMAT,
          PartitionView.FORMAT,
          ScalableBloomFilter.FORMAT,
          RangeBloomFilter.FORMAT,
          FoldedFilters.FORMAT,
          FingerprintFilter.FORMAT,
          FrozenFilter.FORMAT,
          WindowFilter.FORMAT,
          WindowFilter.PREFIX_FORMAT,
          PartitionView.COMPACT_FORMAT,
          BinarizedFilter.COUNTING_FORMAT,
          FoldedFilters.PARTS_FORMAT,
          Delta.FORMAT,
          FrozenPart.FORMAT);

  private Filters() {}

  /** Returns the formats of all kinds, in the order of {@link FilterKind}. */
  public static List<FilterFormat<?>> formats() {
    return FORMATS;
  }

  /** Returns the format of a kind. */
  public static FilterFormat<?> format(FilterKind kind) {
    return FORMATS.stream().filter(format -> format.kind() == kind).findFirst().orElseThrow();
  }

  /**
   * Reads one filter of any kind from the stream and leaves the stream at the byte after it.
   *
   * @throws FilterFormatException if the bytes are not a filter, or the filter is larger than the
   *     limit
   */
  public static Filter readFrom(InputStream in, ReadOptions options) throws IOException {
    return FilterReader.readFrom(in, options, Filters::read);
  }

  /** Reads a filter of any kind from a file. */
  public static Filter readFrom(Path path, ReadOptions options) throws IOException {
    return FilterReader.readFrom(path, options, Filters::read);
  }

  /** Reads a filter of any kind and of at most 1 GiB ({@link ReadOptions#DEFAULT}) from a file. */
  public static Filter readFrom(Path path) throws IOException {
    return readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a filter of any kind from bytes. */
  public static Filter fromBytes(byte[] bytes, ReadOptions options) throws FilterFormatException {
    return FilterReader.fromBytes(bytes, options, Filters::read);
  }

  /** Reads a filter of any kind and of at most 1 GiB from bytes. */
  public static Filter fromBytes(byte[] bytes) throws FilterFormatException {
    return fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static Filter read(FilterReader reader) throws IOException {
    return format(reader.header().kind()).read(reader);
  }

  /**
   * Reads a filter from a file, applies a function that modifies or replaces it, and writes the
   * result back. Other updates of the file, by any thread or process that uses this library, wait
   * in the meantime, so that no update is lost.
   *
   * @return the filter that was written
   * @throws IOException if reading or writing fails, or if a program that does not acquire the lock
   *     has changed the file in the meantime
   */
  public static Filter update(Path path, ReadOptions options, UnaryOperator<Filter> change)
      throws IOException {
    Objects.requireNonNull(change, "change");
    try (AtomicFile file = AtomicFile.open(path, PathLock.Waiting.SILENT)) {
      Filter changed = Objects.requireNonNull(change.apply(readFrom(path, options)), "change");
      file.replace(changed::writeTo);
      return changed;
    }
  }
}
