package dev.bellows;

import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterReader;
import dev.bellows.io.FilterWriter;
import dev.bellows.io.ReadLimits;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Every filter of this library: it explains itself and goes through files. */
public interface Filter {
  /** Its numbers, as they are now. */
  FilterStats stats();

  /** A page a person reads: what this filter is, how full it is, what it promises. */
  String explain();

  /** Writes the filter in the format of spec/FORMAT.md. */
  void writeTo(OutputStream out) throws IOException;

  /** Writes a file aside and renames it: the path never holds half a filter. */
  default void writeTo(Path path) throws IOException {
    FilterWriter.writeFile(path, this::writeTo);
  }

  /** The bytes of {@link #writeTo(OutputStream)}. */
  default byte[] toBytes() {
    try {
      return FilterWriter.toBytes(this::writeTo);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads a filter of whatever kind the bytes hold, to their end.
   *
   * @param scheme the keyed scheme it was built with, or null to take what the file says
   * @throws FilterFormatException if the bytes are not exactly one filter
   */
  static Filter readFrom(InputStream in, ReadLimits limits, @Nullable HashScheme scheme)
      throws IOException {
    FilterReader reader = FilterReader.open(in, limits);
    return switch (reader.header().kind()) {
      case BLOOM -> BloomFilter.read(reader, scheme);
      case COUNTING -> CountingBloomFilter.read(reader, scheme);
      case PARTITION -> DynamicPartitionBloomFilter.read(reader, scheme);
      case PARTITION_VIEW -> PartitionView.read(reader, scheme);
      case SCALABLE -> ScalableBloomFilter.read(reader, scheme);
      case AUTOSCALING -> AutoscalingBloomFilter.read(reader, scheme);
      case BINARIZED -> BinarizedFilter.read(reader, scheme);
      case ELASTIC -> ElasticBloomFilter.read(reader, scheme);
      case FOLDED -> FoldedFilters.read(reader, scheme);
      case RANGE -> RangeBloomFilter.read(reader, scheme);
    };
  }

  /** Reads a filter of whatever kind the file holds. */
  static Filter readFrom(Path path, ReadLimits limits, @Nullable HashScheme scheme)
      throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path), 1 << 16)) {
      return readFrom(in, limits, scheme);
    }
  }

  /** Reads a filter of whatever kind the bytes hold. */
  static Filter fromBytes(byte[] bytes) throws IOException {
    return readFrom(new ByteArrayInputStream(bytes), ReadLimits.NONE, null);
  }
}
