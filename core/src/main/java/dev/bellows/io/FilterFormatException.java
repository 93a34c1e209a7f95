package dev.bellows.io;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Bytes that are not a filter: says what is wrong and at which offset. */
public final class FilterFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long offset;

  /** Creates the exception for the byte at {@code offset}. */
  public FilterFormatException(long offset, @Nullable String what) {
    super("not a readable filter: " + what + " (at byte " + offset + ")");
    this.offset = offset;
  }

  /** The offset, from the first byte of the filter, of the field that is wrong. */
  public long offset() {
    return offset;
  }
}
