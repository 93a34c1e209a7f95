package dev.bellows.io;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown for bytes that are not a valid filter, and for a filter whose keys were hashed in another
 * way than the reader said; names the error and its offset.
 */
public final class FilterFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long offset;
  private final @Nullable String what;
  private final boolean isOtherScheme;

  /** Creates the exception for the byte at {@code offset}. */
  public FilterFormatException(long offset, @Nullable String what) {
    this(offset, what, false);
  }

  private FilterFormatException(long offset, @Nullable String what, boolean isOtherScheme) {
    super(
        (isOtherScheme ? "not a filter of this hash scheme: " : "not a readable filter: ")
            + what
            + " (at byte "
            + offset
            + ")");
    this.offset = offset;
    this.what = what;
    this.isOtherScheme = isOtherScheme;
  }

  /** The exception for a filter that is whole, and hashed in another way than was given. */
  public static FilterFormatException otherScheme(long offset, String what) {
    return new FilterFormatException(offset, what, true);
  }

  /** The same error for a filter that begins this many bytes after the first byte. */
  public FilterFormatException shifted(long by) {
    return new FilterFormatException(offset + by, what, isOtherScheme);
  }

  /** The offset, from the first byte of the filter, of the field that is wrong. */
  public long offset() {
    return offset;
  }

  /** Whether the bytes are a filter, only with another hash scheme, or key, than was given. */
  public boolean isOtherScheme() {
    return isOtherScheme;
  }
}
