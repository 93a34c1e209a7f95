package dev.bellows.io;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Thrown for bytes that are not a valid filter; names the error and its offset. */
public final class FilterFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long offset;
  private final @Nullable String what;

  /** Creates the exception for the byte at {@code offset}. */
  public FilterFormatException(long offset, @Nullable String what) {
    super("not a readable filter: " + what + " (at byte " + offset + ")");
    this.offset = offset;
    this.what = what;
  }

  /** The same error for a filter that begins this many bytes after the first byte. */
  public FilterFormatException shifted(long by) {
    return new FilterFormatException(offset + by, what);
  }

  /** The offset, from the first byte of the filter, of the field that is wrong. */
  public long offset() {
    return offset;
  }
}
