package dev.bellows.parquet;

import java.io.IOException;

/** Thrown for a file that is not a Parquet file this module can use; names the error. */
public final class ParquetFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long offset;

  /** Creates the exception for the byte at {@code offset} of the file. */
  public ParquetFormatException(long offset, String what) {
    super(what + " (at byte " + offset + ")");
    this.offset = offset;
  }

  /** Returns the offset, from the first byte of the file, of what is wrong. */
  public long offset() {
    return offset;
  }
}
