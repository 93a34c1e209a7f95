package dev.bellows.cli;

import java.io.IOException;

/** Takes the codes of several keys; the array is valid until it returns. */
@FunctionalInterface
interface CodeGroup {
  void accept(long[] codes, int count) throws IOException;
}
