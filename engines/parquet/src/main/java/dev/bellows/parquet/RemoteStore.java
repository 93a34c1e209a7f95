package dev.bellows.parquet;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ServiceLoader;

/**
 * A store of files that have addresses, e.g. {@code hdfs://namenode/sales} or {@code
 * s3a://bucket/sales}. The files of a store have ordinary {@link Path paths}, which everything in
 * this package accepts:
 *
 * <pre>{@code
 * Path path = RemoteStore.path("s3a://bucket/sales/day.parquet");
 * ParquetFilters.read(path).filters().forEach(System.out::println);
 * }</pre>
 *
 * <p>The file system of such a path is a {@code RemoteStore}. This module knows no store; the
 * module {@code bellows-parquet-java} opens those of Hadoop, and is found as a service.
 */
public interface RemoteStore {
  /**
   * Writes a file: readers see all of it under its name or nothing, whatever happens to this
   * process.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is such a file, and the store does
   *     not {@link #replaces replace} files
   */
  void write(Path path, Content content) throws IOException;

  /**
   * Returns whether a file can be replaced by another one in one step, as HDFS does by renaming.
   * Object stores copy and delete instead, and readers that have opened the old object would
   * continue in the new one: there, files are only written under names that are new.
   */
  boolean replaces();

  /** The content of a new file. */
  @FunctionalInterface
  interface Content {
    /** Writes all of it. */
    void writeTo(OutputStream out) throws IOException;
  }

  /** Opens stores by the addresses of their files; a service. */
  interface Opener {
    /**
     * Returns the path of an address. Nothing is read from the store.
     *
     * @throws IOException if the store cannot be opened; the message says what is missing
     */
    Path path(String address) throws IOException;
  }

  /** Returns whether a name is an address (a scheme, a colon and two slashes) and not a path. */
  static boolean isAddress(String name) {
    return name.matches("(?s)[A-Za-z][A-Za-z0-9+.-]+://.*");
  }

  /**
   * Returns the path of an address.
   *
   * @throws IllegalStateException if no module on the class path or module path opens stores
   * @throws IOException if the store cannot be opened; the message says what is missing
   */
  static Path path(String address) throws IOException {
    Opener opener =
        ServiceLoader.load(Opener.class)
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalStateException(
                        address
                            + " is read through Hadoop: add bellows-parquet-java to the class path,"
                            + " or copy the file to this machine first"));
    return opener.path(address);
  }
}
