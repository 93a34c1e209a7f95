package dev.bellows;

import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Any filter of this library: it has statistics and a description, and can be written to files.
 *
 * <p>Its other capabilities are the interfaces that its class implements: {@link KeyFilter} and
 * {@link RemovableKeys}, {@link Membership}, {@link Foldable}, {@link Mergeable}.
 *
 * <p>The kinds of this library are serializable, for frameworks that ship objects in closures: the
 * serialized form is the file format, and it is checked like a file when it is read. Serializing a
 * filter with a secret key throws a {@link java.io.NotSerializableException}, because the file
 * format does not contain the key: send {@link #toBytes} instead, and give the key to the reader. A
 * mapped filter is deserialized to the heap.
 */
public interface Filter {
  /** Returns the kind of this filter. */
  FilterKind kind();

  /** Returns the scheme that hashes keys. */
  HashScheme hashScheme();

  /** Returns its current statistics: size, fill, rate and so on. */
  FilterStats stats();

  /**
   * Returns the size of its file in bytes. For the kinds partition and fingerprint this encodes the
   * filter.
   */
  long sizeInBytes();

  /** Returns whether the filter is empty, so that the answer to every query is "no". */
  boolean isEmpty();

  /**
   * Returns the current false positive rate; for some kinds, as documented there, an upper bound.
   */
  double expectedFpp();

  /** Returns a description for humans: what this filter is, how full it is and what its rate is. */
  String explain();

  /** Writes the filter in the format of spec/FORMAT.md. */
  void writeTo(OutputStream out) throws IOException;

  /**
   * Writes a temporary file and renames it, so that the path never holds an incomplete filter. To
   * read a file, change the filter and write it back, use {@link dev.bellows.io.Filters#update},
   * which loses no concurrent change.
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
    try {
      return FilterWriter.toBytes(this::writeTo);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A filter that may carry an id, so that a receiver never combines parts of two filters. */
  interface Identified {
    /** Returns the id given to its builder, or 0 if there is none; foldings and files carry it. */
    long filterId();

    /** Returns a 64-bit hash of the content that foldings come from; 0 without an id. */
    long state();
  }
}
