package dev.bellows.internal.files;

import dev.bellows.internal.bits.MappedFile;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Reads filters from a stream, which may hold more bytes after the filter, or from a file or bytes,
 * which may not. A kind adds the function that builds a filter from a checked header and its
 * sections.
 *
 * @param <F> the filter
 */
public final class FilterCodec<F> {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Body<F> body;

  /** Builds a filter of one kind from its parameters and sections. */
  @FunctionalInterface
  public interface Body<F> {
    /** Reads every section. */
    F read(FilterReader reader) throws IOException;
  }

  /** The codec for filters of any kind. */
  public FilterCodec(Body<F> body) {
    this.body = body;
  }

  /** The codec for filters of one kind; other kinds are refused. */
  public FilterCodec(FilterKind kind, Body<F> body) {
    this(reader -> body.read(reader.expect(kind)));
  }

  /** Reads one filter and leaves the stream at the byte after it. */
  public F readFrom(InputStream in, ReadOptions options) throws IOException {
    return body.read(FilterReader.open(requireNonNull(in, "in"), options(options)));
  }

  /** Reads the one filter of a file. */
  public F readFrom(Path path, ReadOptions options) throws IOException {
    InputStream file = PathInput.open(requireNonNull(path, "path"));
    try (InputStream in = new BufferedInputStream(file, BUFFER_BYTES)) {
      return whole(in, options);
    }
  }

  /**
   * Maps the one filter of a regular file, if its kind can be mapped; otherwise reads it. The limit
   * of the options does not count.
   */
  public F map(Path path, ReadOptions options) throws IOException {
    options(options);
    MappedFile file = MappedFile.open(requireNonNull(path, "path"));
    boolean isMapped = false;
    try {
      FilterReader reader = FilterReader.open(file, options);
      F filter = whole(reader);
      isMapped = reader.isMapped();
      return filter;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    } finally {
      if (!isMapped) {
        file.close();
      }
    }
  }

  /** Reads the one filter of some bytes. */
  public F fromBytes(byte[] bytes, ReadOptions options) throws FilterFormatException {
    try {
      return whole(new ByteArrayInputStream(requireNonNull(bytes, "bytes")), options);
    } catch (FilterFormatException e) {
      throw e;
    } catch (IOException e) {
      throw new AssertionError("an array cannot fail", e);
    }
  }

  private F whole(InputStream in, ReadOptions options) throws IOException {
    return whole(FilterReader.open(in, options(options)));
  }

  private F whole(FilterReader reader) throws IOException {
    F filter = body.read(reader);
    reader.requireEnd();
    return filter;
  }

  private static ReadOptions options(ReadOptions options) {
    return requireNonNull(options, "options");
  }

  private static <T> T requireNonNull(T value, String name) {
    return Objects.requireNonNull(value, name);
  }
}
