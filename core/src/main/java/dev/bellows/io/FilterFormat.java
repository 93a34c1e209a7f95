package dev.bellows.io;

import dev.bellows.Filter;
import dev.bellows.internal.files.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The format of one kind of filter, which knows the class of the filters and reads them. The class
 * of every kind has a constant {@code FORMAT}; {@link Filters} reads filters of any kind.
 *
 * <pre>{@code
 * BloomFilter filter = BloomFilter.FORMAT.readFrom(in, ReadOptions.UNLIMITED);
 * }</pre>
 *
 * @param <F> the class of the filters
 */
public final class FilterFormat<F extends Filter> {
  private final FilterKind kind;
  private final Class<F> type;
  private final FilterReader.Body<F> body;
  private final FilterReader.@Nullable Body<F> empty;

  /** The format of another kind whose filters have the same class; null if there is none. */
  private final @Nullable FilterFormat<F> other;

  private FilterFormat(
      FilterKind kind,
      Class<F> type,
      FilterReader.Body<F> body,
      FilterReader.@Nullable Body<F> empty,
      @Nullable FilterFormat<F> other) {
    this.kind = kind;
    this.type = type;
    this.body = body;
    this.empty = empty;
    this.other = other;
  }

  /**
   * Creates the format of a kind; for use by this library only, because the type of {@code body} is
   * internal.
   */
  @SuppressWarnings("exports")
  public static <F extends Filter> FilterFormat<F> of(
      FilterKind kind, Class<F> type, FilterReader.Body<F> body) {
    return new FilterFormat<>(kind, type, Objects.requireNonNull(body, "body"), null, null);
  }

  /**
   * Creates the format of a durable kind, where {@code empty} creates an empty filter from a
   * header.
   */
  @SuppressWarnings("exports")
  public static <F extends Filter> FilterFormat<F> of(
      FilterKind kind, Class<F> type, FilterReader.Body<F> body, FilterReader.Body<F> empty) {
    return new FilterFormat<>(kind, type, Objects.requireNonNull(body, "body"), empty, null);
  }

  /**
   * Returns a format of this kind that also reads another kind of the same class. This library uses
   * it for classes whose filters are of one of two kinds.
   */
  public FilterFormat<F> alsoReading(FilterFormat<F> second) {
    return new FilterFormat<>(kind, type, body, empty, Objects.requireNonNull(second, "second"));
  }

  /** Returns the kind, which has an id in files and a name. */
  public FilterKind kind() {
    return kind;
  }

  /** Returns the class of the filters. */
  public Class<F> type() {
    return type;
  }

  /**
   * Reads one filter and leaves the stream at the byte after it.
   *
   * @throws FilterFormatException if the bytes are not a filter of this kind, or the filter is
   *     larger than the limit
   */
  public F readFrom(InputStream in, ReadOptions options) throws IOException {
    return FilterReader.readFrom(in, options, this::read);
  }

  /** Reads a filter from a file that contains nothing else. */
  public F readFrom(Path path, ReadOptions options) throws IOException {
    return FilterReader.readFrom(path, options, this::read);
  }

  /** Reads a filter from the bytes that {@link Filter#toBytes} returned. */
  public F fromBytes(byte[] bytes, ReadOptions options) throws FilterFormatException {
    return FilterReader.fromBytes(bytes, options, this::read);
  }

  /**
   * Returns an empty filter with settings that were stored in the folder of a {@code DurableFilter}
   * or in a {@code Delta}.
   *
   * @throws FilterFormatException if the bytes are not the settings of this kind, or if the filter
   *     is larger than the limit
   * @throws UnsupportedOperationException if the kind is not durable
   */
  public F empty(byte[] settings, ReadOptions options) throws FilterFormatException {
    FilterReader.Body<F> maker = empty;
    if (maker == null) {
      throw new UnsupportedOperationException("kind " + kind.word() + " is not durable");
    }
    FilterReader reader = FilterReader.ofHeader(settings, options);
    if (other != null && reader.header().kind() == other.kind) {
      return other.empty(settings, options);
    }
    return FilterReader.ofArray(
        () -> maker.read(reader.expect(kind, Filter.Identified.class.isAssignableFrom(type))));
  }

  /** Reads a filter whose header has already been read; for nested filters inside this library. */
  @SuppressWarnings("exports")
  public F read(FilterReader reader) throws IOException {
    if (other != null && reader.header().kind() == other.kind) {
      return other.read(reader);
    }
    return body.read(reader.expect(kind, Filter.Identified.class.isAssignableFrom(type)));
  }

  /**
   * The formats of a module, found by {@link Filters} as a service ({@link
   * java.util.ServiceLoader}). Only modules of this project can create formats.
   */
  public interface Provider {
    /** Returns the formats. */
    List<FilterFormat<?>> formats();
  }

  @Override
  public String toString() {
    return "FilterFormat[" + kind.word() + "]";
  }
}
