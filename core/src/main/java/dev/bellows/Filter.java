package dev.bellows;

import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.PathLock;
import dev.bellows.internal.kinds.Kinds;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * Any filter of this library: it has statistics and a description, and is written to files.
 *
 * <p>Filters are serializable, for frameworks that ship objects in closures: the serialized form is
 * the format of their files, checked as a file is when it is read. A filter with a secret key is
 * refused with a {@link java.io.NotSerializableException}, because no file carries the key: send
 * {@link #toBytes} and give the key to the reader. A mapped filter arrives on the heap.
 */
public interface Filter extends Serializable {
  /** The kind of filter, which also tells what it can do. */
  FilterKind kind();

  /** Its present numbers: size, fill, rate and so on. */
  FilterStats stats();

  /** The present false positive rate; for some kinds an upper bound, as their own Javadoc says. */
  double expectedFpp();

  /** A description for people: what this filter is, how full it is and which rate it keeps. */
  String explain();

  /** Writes the filter in the format of spec/FORMAT.md. */
  void writeTo(OutputStream out) throws IOException;

  /**
   * Writes a temporary file and renames it, so that the path never holds an incomplete filter.
   * Whoever reads a file before writing it uses {@link #update}, which loses no change of others.
   */
  default void writeTo(Path path) throws IOException {
    AtomicFile.write(path, this::writeTo);
  }

  /**
   * Reads the filter of a file, lets the caller change it or replace it by another one, and writes
   * it back. Other updates of the file, by any thread or process that uses this library, wait
   * meanwhile, so that none is lost.
   *
   * @return what was written
   * @throws IOException if a program that takes no lock changed the file meanwhile, among others
   */
  static Filter update(Path path, ReadOptions options, UnaryOperator<Filter> change)
      throws IOException {
    Objects.requireNonNull(change, "change");
    try (AtomicFile file = AtomicFile.open(path, PathLock.Waiting.SILENT)) {
      Filter changed = Objects.requireNonNull(change.apply(readFrom(path, options)), "change");
      file.replace(changed::writeTo);
      return changed;
    }
  }

  /**
   * The bytes of {@link #writeTo(OutputStream)}.
   *
   * @throws IllegalStateException if they do not fit into one array (more than 2 GiB)
   */
  default byte[] toBytes() {
    try {
      return FilterWriter.toBytes(this::writeTo);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Reads one filter of any kind from the stream and leaves the stream at the byte after it.
   *
   * @throws FilterFormatException if the bytes are not a filter, or the filter is larger than the
   *     limit
   */
  static Filter readFrom(InputStream in, ReadOptions options) throws IOException {
    return Kinds.CODEC.readFrom(in, options);
  }

  /** Reads one filter of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  static Filter readFrom(InputStream in) throws IOException {
    return readFrom(in, ReadOptions.DEFAULT);
  }

  /** Reads the filter of any kind in a file. */
  static Filter readFrom(Path path, ReadOptions options) throws IOException {
    return Kinds.CODEC.readFrom(path, options);
  }

  /** Reads the filter of a file, of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  static Filter readFrom(Path path) throws IOException {
    return readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads the filter of any kind in these bytes. */
  static Filter fromBytes(byte[] bytes, ReadOptions options) throws FilterFormatException {
    return Kinds.CODEC.fromBytes(bytes, options);
  }

  /** Reads the filter of any kind in these bytes. */
  static Filter fromBytes(byte[] bytes) throws FilterFormatException {
    return fromBytes(bytes, ReadOptions.DEFAULT);
  }
}
