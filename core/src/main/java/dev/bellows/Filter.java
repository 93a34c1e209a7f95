package dev.bellows;

import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;

/**
 * A filter of this library, with statistics and a description, that can be written to files.
 *
 * <p>The interfaces that its class implements declare its other capabilities: {@link KeyFilter} and
 * {@link KeyFilter.Removable}, {@link Membership}, {@link Foldable}, {@link Mergeable}.
 *
 * <p>The kinds of this library are serializable, for frameworks that ship objects in closures: the
 * serialized form is the file format, and it is validated like a file when it is read. Serializing
 * a filter with a secret key throws a {@link java.io.NotSerializableException}, because the file
 * format does not contain the key: send the result of {@link #toBytes} instead, and pass the key to
 * the reader. A mapped filter is deserialized to the heap.
 */
public interface Filter {
  /** Returns the kind of this filter. */
  FilterKind kind();

  /** Returns the scheme that hashes keys. */
  HashScheme hashScheme();

  /** Returns the current statistics: size, fill, rate and so on. */
  FilterStats stats();

  /**
   * Returns the size of the filter's file in bytes. Partition and fingerprint filters are encoded
   * to determine it.
   */
  long sizeInBytes();

  /** Returns whether the filter is empty and therefore answers "no" to every query. */
  boolean isEmpty();

  /** Returns the current false positive rate; for kinds that document it, an upper bound. */
  double expectedFpp();

  /**
   * Returns a human-readable description of this filter: its kind, its size, its fill and its rate.
   */
  String explain();

  /** Writes the filter in the format specified in spec/FORMAT.md. */
  void writeTo(OutputStream out) throws IOException;

  /**
   * Writes the filter to a file atomically: it writes a temporary file and renames it, so that the
   * path never holds an incomplete filter. To read a file, change the filter and write it back, use
   * {@link dev.bellows.io.Filters#update}, which does not lose concurrent changes.
   */
  default void writeTo(Path path) throws IOException {
    AtomicFile.write(path, this::writeTo);
  }

  /**
   * Returns the bytes that {@link #writeTo(OutputStream)} writes.
   *
   * @throws IllegalStateException if they do not fit into one array (more than 2 GiB)
   */
  default byte[] toBytes() {
    return FilterWriter.toBytes(this::writeTo);
  }

  /**
   * A filter that may have an id, so that a receiver never combines foldings of different filters.
   */
  interface Identified {
    /**
     * Returns the id that was set in the builder, or 0 if none was set; foldings and files carry
     * it.
     */
    long filterId();

    /**
     * Returns a 64-bit hash of the content from which foldings are made, or 0 if the filter has no
     * id.
     */
    long state();
  }
}
