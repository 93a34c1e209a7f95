package dev.bellows.internal.files;

import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * An output stream to a file that can also copy regions of other files without buffering them.
 * Exceptions contain the name of the file.
 */
public final class FileOutput extends BufferedOutputStream {
  private static final int BUFFER_BYTES = 1 << 16;

  private final FileChannel file;
  private final Path name;

  FileOutput(FileChannel file, Path name) {
    super(naming(Channels.newOutputStream(file), name), BUFFER_BYTES);
    this.file = file;
    this.name = name;
  }

  private static OutputStream naming(OutputStream out, Path name) {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        try {
          out.write(bytes, from, length);
        } catch (IOException e) {
          throw AtomicFile.named(e, name);
        }
      }
    };
  }

  /** Writes a region of another file, using the copy operation of the operating system. */
  public void copy(FileChannel source, long from, long length) throws IOException {
    flush();
    for (long done = 0; done < length; ) {
      long copied = copyOnce(source, from + done, length - done);
      if (copied <= 0) {
        throw new EOFException(
            "the file ends at byte %d, before byte %d: was it changed in the meantime?"
                .formatted(from + done, from + length));
      }
      done += copied;
    }
  }

  private long copyOnce(FileChannel source, long from, long length) throws IOException {
    try {
      return source.transferTo(from, length, file);
    } catch (IOException e) {
      throw AtomicFile.named(e, name);
    }
  }
}
