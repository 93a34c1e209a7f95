package dev.bellows.io;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldedFilters;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.frozen.FrozenPart;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.PathLock;
import dev.bellows.window.WindowFilter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;

/**
 * Static methods that read filters of any kind. Programs that know the kind should use the methods
 * of its class instead, and then do not depend on the other kinds.
 */
public final class Filters {
  private Filters() {}

  /** The formats of other modules, which are looked up when the first file needs one. */
  private static final class Found {
    /** Found with the loader of this class; the one of a thread may see other modules, or none. */
    static final List<FilterFormat<?>> FORMATS = new ArrayList<>();

    static {
      for (FilterFormat.Provider provider :
          ServiceLoader.load(FilterFormat.Provider.class, Filters.class.getClassLoader())) {
        FORMATS.addAll(provider.formats());
      }
    }
  }

  /**
   * Returns the formats of all kinds that can be read, in the order of {@link FilterKind}: those of
   * this module, and those of the other modules that are present.
   */
  public static List<FilterFormat<?>> formats() {
    return Arrays.stream(FilterKind.values())
        .<FilterFormat<?>>flatMap(kind -> find(kind).stream())
        .toList();
  }

  /**
   * Returns the format of a kind.
   *
   * @throws IllegalStateException if the module of the kind is absent; the message names its
   *     artifact
   */
  public static FilterFormat<?> format(FilterKind kind) {
    return find(kind).orElseThrow(() -> new IllegalStateException(absent(kind)));
  }

  private static Optional<FilterFormat<?>> find(FilterKind kind) {
    return switch (kind) {
      case BLOOM -> Optional.of(BloomFilter.FORMAT);
      case COUNTING -> Optional.of(CountingBloomFilter.FORMAT);
      case ELASTIC -> Optional.of(ElasticBloomFilter.FORMAT);
      case FOLDED -> Optional.of(FoldedFilters.FORMAT);
      case PARTS -> Optional.of(FoldedFilters.PARTS_FORMAT);
      case FINGERPRINT -> Optional.of(FingerprintFilter.FORMAT);
      case FROZEN -> Optional.of(FrozenFilter.FORMAT);
      case FROZEN_PART -> Optional.of(FrozenPart.FORMAT);
      case WINDOW -> Optional.of(WindowFilter.FORMAT);
      case WINDOW_PREFIXES -> Optional.of(WindowFilter.PREFIX_FORMAT);
      default -> Found.FORMATS.stream().filter(format -> format.kind() == kind).findFirst();
    };
  }

  private static String absent(FilterKind kind) {
    return "filters of kind "
        + kind.word()
        + " are read by dev.bellows:"
        + kind.artifact()
        + ", which is not present: add it (a shaded jar must merge META-INF/services)";
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
    FilterKind kind = reader.header().kind();
    return find(kind).orElseThrow(() -> reader.kindError(absent(kind))).read(reader);
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
