package dev.bellows.io;

import dev.bellows.Filter;
import dev.bellows.internal.files.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The format of one kind of filter: its kind, the class of its filters, and how they are read.
 * Every kind has a constant {@code FORMAT}; {@link Filters} reads filters of any kind.
 *
 * <pre>{@code
 * BloomFilter filter = BloomFilter.FORMAT.readFrom(in, ReadOptions.UNLIMITED);
 * }</pre>
 *
 * @param <F> the filters of the kind
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
   * Creates the format of a kind of this library; other code cannot name the type of {@code body}.
   */
  @SuppressWarnings("exports")
  public static <F extends Filter> FilterFormat<F> of(
      FilterKind kind, Class<F> type, FilterReader.Body<F> body) {
    return new FilterFormat<>(kind, type, Objects.requireNonNull(body, "body"), null, null);
  }

  /** The format of a durable kind: {@code empty} makes an empty filter of a header. */
  @SuppressWarnings("exports")
  public static <F extends Filter> FilterFormat<F> of(
      FilterKind kind, Class<F> type, FilterReader.Body<F> body, FilterReader.Body<F> empty) {
    return new FilterFormat<>(kind, type, Objects.requireNonNull(body, "body"), empty, null);
  }

  /**
   * Returns a format of this kind that also reads filters of another kind of the same class. Used
   * by this library for a class over two kinds of content.
   */
  public FilterFormat<F> alsoReading(FilterFormat<F> second) {
    return new FilterFormat<>(kind, type, body, empty, Objects.requireNonNull(second, "second"));
  }

  /** Returns the kind, with its id in files and its name. */
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
   * An empty filter with settings that were stored: those of a folder of {@code DurableFilter}, or
   * of a {@code Delta}.
   *
   * @throws FilterFormatException if they are not the settings of this kind, or those of a filter
   *     that is larger than the limit
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

  /** Reads a filter whose header was already read; this library uses it for nested filters. */
  @SuppressWarnings("exports")
  public F read(FilterReader reader) throws IOException {
    if (other != null && reader.header().kind() == other.kind) {
      return other.read(reader);
    }
    return body.read(reader.expect(kind, Filter.Identified.class.isAssignableFrom(type)));
  }

  @Override
  public String toString() {
    return "FilterFormat[" + kind.word() + "]";
  }
}
