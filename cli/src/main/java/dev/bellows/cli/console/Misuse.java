package dev.bellows.cli.console;

import org.jspecify.annotations.Nullable;

/** A command line that makes no sense: the user is told where to read about the command. */
public final class Misuse extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** A misuse with values in its message, if it has any, as {@link String#format} inserts them. */
  public Misuse(String message, @Nullable Object... values) {
    super(Messages.of(message, values));
  }
}
