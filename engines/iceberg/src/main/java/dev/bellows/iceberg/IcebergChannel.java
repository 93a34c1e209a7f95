package dev.bellows.iceberg;

import dev.bellows.parquet.RangeChannel;
import java.io.EOFException;
import java.io.IOException;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** A file of a table, read through the table's {@link org.apache.iceberg.io.FileIO}. */
final class IcebergChannel extends RangeChannel {
  private final SeekableInputStream in;
  private final String location;

  /**
   * Opens a file.
   *
   * @param bytes its length, as the table's metadata says
   */
  IcebergChannel(InputFile file, long bytes) {
    super(bytes);
    this.in = file.newStream();
    this.location = file.location();
  }

  /** Seeks, so that a store continues an open request when a file is read in order. */
  @Override
  protected void readFully(long from, byte[] target) throws IOException {
    in.seek(from);
    int read = in.readNBytes(target, 0, target.length);
    if (read < target.length) {
      throw new EOFException(
          "%s ends at byte %d, and the table's metadata says that it has %d bytes"
              .formatted(location, from + read, size()));
    }
  }

  @Override
  protected void implCloseChannel() throws IOException {
    in.close();
  }
}
