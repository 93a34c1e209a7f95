package dev.bellows.cli.parquet;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Compares written bytes with a file; the first difference is an exception. */
final class SameBytes extends OutputStream {
  private final InputStream file;

  SameBytes(Path file) throws IOException {
    this.file = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
  }

  /** The file has other bytes. */
  static final class DifferentException extends IOException {
    private static final long serialVersionUID = 1;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    byte[] there = file.readNBytes(length);
    if (!Arrays.equals(there, 0, there.length, bytes, from, from + length)) {
      throw new DifferentException();
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
