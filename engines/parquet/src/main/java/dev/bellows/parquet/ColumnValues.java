package dev.bellows.parquet;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/**
 * The values of the columns of one Parquet file. This module reads footers and filters only; the
 * module {@code bellows-parquet-java} reads values, through parquet-java, and is found as a
 * service.
 */
public interface ColumnValues extends Closeable {
  /**
   * Passes on every value of a column in a row group that is not null, in the plain encoding of its
   * type (without the length of a variable-length value). The array may be reused for the next
   * value.
   */
  void forEach(int rowGroup, String column, Consumer<byte[]> values) throws IOException;

  /** Opens files; the service that {@link ParquetFilterAdder} looks up. */
  interface Reader {
    /** Opens a file to read values of it. */
    ColumnValues open(Path file) throws IOException;

    /**
     * Returns the reader on the class path or module path.
     *
     * @throws IllegalStateException if there is none
     */
    static Reader find() {
      return ServiceLoader.load(Reader.class)
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalStateException(
                      "adding filters reads values through parquet-java: add bellows-parquet-java"
                          + " to the class path"));
    }
  }
}
