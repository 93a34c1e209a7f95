package dev.bellows.io;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Bytes that are not a filter: says what is wrong and at which offset. */
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

  /** The same fault of a filter that begins so many bytes behind the first byte. */
  public FilterFormatException shifted(long by) {
    return new FilterFormatException(offset + by, what);
  }

  /** The offset, from the first byte of the filter, of the field that is wrong. */
  public long offset() {
    return offset;
  }
}
