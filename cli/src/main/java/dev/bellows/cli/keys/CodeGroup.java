package dev.bellows.cli.keys;

import java.io.IOException;

/** Takes the codes of several keys; the array is valid until it returns. */
@FunctionalInterface
public interface CodeGroup {
  void accept(long[] codes, int count) throws IOException;
}
