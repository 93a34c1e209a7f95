package dev.bellows;

import dev.bellows.internal.codec.AtomicFile;
import dev.bellows.internal.codec.FilterWriter;
import dev.bellows.internal.kinds.Kinds;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Every filter of this library: it explains itself and goes through files. */
public interface Filter {
  /** What it is, and so what it can. */
  FilterKind kind();

  /** Its numbers, as they are now. */
  FilterStats stats();

  /** The false positive rate as it is now; of some kinds a bound, which their own Javadoc says. */
  double expectedFpp();

  /** A page a person reads: what this filter is, how full it is, what it promises. */
  String explain();

  /** Writes the filter in the format of spec/FORMAT.md. */
  void writeTo(OutputStream out) throws IOException;

  /** Writes a file aside and renames it: the path never holds half a filter. */
  default void writeTo(Path path) throws IOException {
    AtomicFile.write(path, this::writeTo);
  }

  /**
   * The bytes of {@link #writeTo(OutputStream)}.
   *
   * @throws IllegalStateException if they do not fit into one array, past 2 GiB
   */
  default byte[] toBytes() {
    try {
      return FilterWriter.toBytes(this::writeTo);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads one filter of whatever kind the stream holds, and leaves the stream behind its last byte.
   *
   * @throws FilterFormatException if the bytes are no filter, or one larger than the limit
   */
  static Filter readFrom(InputStream in, ReadOptions options) throws IOException {
    return Kinds.CODEC.readFrom(in, options);
  }

  /** Reads one filter of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  static Filter readFrom(InputStream in) throws IOException {
    return readFrom(in, ReadOptions.DEFAULT);
  }

  /** Reads the filter of whatever kind the file holds. */
  static Filter readFrom(Path path, ReadOptions options) throws IOException {
    return Kinds.CODEC.readFrom(path, options);
  }

  /** Reads the filter of a file, of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  static Filter readFrom(Path path) throws IOException {
    return readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads the filter of whatever kind the bytes hold. */
  static Filter fromBytes(byte[] bytes, ReadOptions options) throws FilterFormatException {
    return Kinds.CODEC.fromBytes(bytes, options);
  }

  /** Reads the filter of whatever kind the bytes hold. */
  static Filter fromBytes(byte[] bytes) throws FilterFormatException {
    return fromBytes(bytes, ReadOptions.DEFAULT);
  }
}
