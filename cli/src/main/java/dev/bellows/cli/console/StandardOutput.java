package dev.bellows.cli.console;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;

/** Buffered output that distinguishes a closed pipe ({@code | head}) from a real failure. */
public final class StandardOutput extends BufferedOutputStream {
  /** The reader closed the pipe: not an error, there is nothing left to do. */
  public static final class ReaderGone extends IOException {
    private static final long serialVersionUID = 1L;

    ReaderGone(IOException cause) {
      super(cause);
    }
  }

  public StandardOutput(OutputStream out) {
    super(
        new FilterOutputStream(out) {
          @Override
          public void write(byte[] bytes, int from, int length) throws IOException {
            try {
              out.write(bytes, from, length);
            } catch (IOException e) {
              String message = String.valueOf(e.getMessage());
              throw message.toLowerCase(Locale.ROOT).contains("pipe")
                  ? new ReaderGone(e)
                  : new IOException("standard output: " + message, e);
            }
          }
        },
        1 << 16);
  }
}
