package dev.bellows.cli.keys;

import java.io.FilterInputStream;
import java.io.InputStream;

/** Streams that belong to someone else. */
public final class InputStreams {
  private InputStreams() {}

  /** The stream, protected from being closed by its reader. */
  public static InputStream unclosed(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public void close() {}
    };
  }
}
