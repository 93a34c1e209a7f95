package dev.bellows.cli.keys;

import dev.bellows.HashScheme;
import java.io.IOException;

/** How keys become the 64 bits by which verbs carry them to a filter. */
public interface KeyCode {
  /** Returns the code of a key that is bytes. */
  long of(byte[] buffer, int from, int length);

  /** Returns the code of a key that is a long. */
  long of(long key);

  /** Hashes, which most filters use. */
  static KeyCode hashes(HashScheme scheme) {
    return new KeyCode() {
      @Override
      public long of(byte[] buffer, int from, int length) {
        return scheme.hash(buffer, from, length);
      }

      @Override
      public long of(long key) {
        return scheme.hash(key);
      }
    };
  }

  /** Takes the codes of several keys. */
  @FunctionalInterface
  interface Group {
    /** Takes the first codes of the array, which is valid until this method returns. */
    void accept(long[] codes, int count) throws IOException;
  }
}
