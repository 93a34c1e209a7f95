package dev.bellows;

import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Any filter of this library: it has statistics and a description, and is written to files.
 *
 * <p>What it can do is what its class implements: {@link KeyFilter} and {@link RemovableKeys},
 * {@link Membership}, {@link Foldable}, {@link Mergeable}.
 *
 * <p>The kinds of this library are serializable, for frameworks that ship objects in closures: the
 * serialized form is the format of their files, checked as a file is when it is read. A filter with
 * a secret key is refused with a {@link java.io.NotSerializableException}, because no file carries
 * the key: send {@link #toBytes} and give the key to the reader. A mapped filter arrives on the
 * heap.
 */
public interface Filter {
  /** The kind of filter. */
  FilterKind kind();

  /** How keys become hashes. */
  HashScheme hashScheme();

  /** Its present numbers: size, fill, rate and so on. */
  FilterStats stats();

  /** The length of its file in bytes; for the kinds partition and fingerprint it is encoded. */
  long sizeInBytes();

  /** Whether it holds nothing, so that every query is answered with no. */
  boolean isEmpty();

  /** The present false positive rate; for some kinds an upper bound, as their own Javadoc says. */
  double expectedFpp();

  /** A description for people: what this filter is, how full it is and which rate it keeps. */
  String explain();

  /** Writes the filter in the format of spec/FORMAT.md. */
  void writeTo(OutputStream out) throws IOException;

  /**
   * Writes a temporary file and renames it, so that the path never holds an incomplete filter. A
   * program that reads a file before it writes it uses {@link dev.bellows.io.Filters#update}, which
   * loses no change of others.
   */
  default void writeTo(Path path) throws IOException {
    AtomicFile.write(path, this::writeTo);
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

  /** A filter that may carry an id, so that a receiver never combines parts of two filters. */
  interface Identified {
    /** The id that was given to its builder, 0 for none; foldings and files carry it. */
    long filterId();

    /** The content that foldings come from, as a 64-bit hash; 0 without an id. */
    long state();
  }
}
