package dev.bellows.io;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if bytes are not a valid filter, or if the keys of a filter were hashed with a scheme
 * other than the expected one. The message contains the error and its offset, and the file if one
 * was read.
 */
public final class FilterFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  private final long offset;
  private final @Nullable String what;
  private final boolean isOtherScheme;
  private final String file;

  /** Creates the exception for the byte at {@code offset}. */
  public FilterFormatException(long offset, @Nullable String what) {
    this(offset, what, false, "");
  }

  private FilterFormatException(
      long offset, @Nullable String what, boolean isOtherScheme, String file) {
    super(
        file
            + (isOtherScheme ? "not a filter of this hash scheme: " : "not a readable filter: ")
            + what
            + " (at byte "
            + offset
            + ")");
    this.offset = offset;
    this.what = what;
    this.isOtherScheme = isOtherScheme;
    this.file = file;
  }

  /** Creates the exception for a valid filter with a hash scheme other than the expected one. */
  public static FilterFormatException otherScheme(long offset, String what) {
    return new FilterFormatException(offset, what, true, "");
  }

  /**
   * Returns this exception with its offset increased, for a filter that does not begin at the first
   * byte.
   */
  public FilterFormatException shifted(long by) {
    return new FilterFormatException(offset + by, what, isOtherScheme, file);
  }

  /** Returns this exception with a message that begins with the file that was read. */
  public FilterFormatException in(Path path) {
    FilterFormatException named =
        new FilterFormatException(offset, what, isOtherScheme, path + ": ");
    named.setStackTrace(getStackTrace());
    return named;
  }

  /** Returns the offset of the invalid field from the first byte of the filter. */
  public long offset() {
    return offset;
  }

  /**
   * Returns whether the bytes are a valid filter, but with a hash scheme or secret key other than
   * the expected one.
   */
  public boolean isOtherScheme() {
    return isOtherScheme;
  }
}
