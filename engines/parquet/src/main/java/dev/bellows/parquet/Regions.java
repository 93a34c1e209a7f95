package dev.bellows.parquet;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Reads whole regions of a file. */
final class Regions {
  private Regions() {}

  /** Returns the bytes of a region that lies inside the file. */
  static byte[] read(FileChannel file, long offset, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    fill(file, offset, bytes);
    return bytes.array();
  }

  /** Fills a buffer from an offset of the file. */
  static void fill(FileChannel file, long offset, ByteBuffer buffer) throws IOException {
    long at = offset;
    while (buffer.hasRemaining()) {
      int read = file.read(buffer, at);
      if (read < 0) {
        throw new EOFException(
            "the file ends at byte %d, before byte %d: was it changed in the meantime?"
                .formatted(at, at + buffer.remaining()));
      }
      at += read;
    }
  }
}
