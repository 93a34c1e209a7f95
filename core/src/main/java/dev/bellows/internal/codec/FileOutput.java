package dev.bellows.internal.codec;

import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;

/** A stream into a file that can also copy regions of other files without holding them. */
public final class FileOutput extends BufferedOutputStream {
  private static final int BUFFER_BYTES = 1 << 16;

  private final FileChannel file;

  FileOutput(FileChannel file) {
    super(Channels.newOutputStream(file), BUFFER_BYTES);
    this.file = file;
  }

  /** Writes a region of another file, as the system copies files. */
  public void copy(FileChannel source, long from, long length) throws IOException {
    flush();
    for (long done = 0; done < length; ) {
      long copied = source.transferTo(from + done, length - done, file);
      if (copied <= 0) {
        throw new EOFException(
            "the file ends at byte %d, before byte %d: was it changed meanwhile?"
                .formatted(from + done, from + length));
      }
      done += copied;
    }
  }
}
