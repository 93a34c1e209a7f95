package dev.bellows.cli.console;

import org.jspecify.annotations.Nullable;

/** What stops a command: its message is the one line the user sees. */
public class CommandFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A failure with values in its message, if it has any, as {@link String#format} inserts them. */
  public CommandFailure(String message, @Nullable Object... values) {
    super(Messages.of(message, values));
  }

  public CommandFailure(String message, Throwable cause) {
    super(message, cause);
  }
}
