package dev.bellows.cli.keys;

import java.io.IOException;
import java.util.function.Consumer;

/** The keys that a verb was given, one per line; they can be read once. */
public interface KeyInput {
  /** Whether the lines are decimal longs. */
  boolean isLongs();

  /** Passes the codes of all keys, in groups, and returns how many lines there were. */
  long forEach(KeyCode code, CodeGroup group) throws IOException;

  /** Passes every line, or its column, as text and returns how many lines there were. */
  long forEachText(Consumer<String> consumer) throws IOException;

  /** Passes the code of every distinct key once and returns how many lines there were. */
  default long forEachDistinct(KeyCode code, CodeGroup group) throws IOException {
    try (HashSpill distinct = new HashSpill()) {
      long lines = forEach(code, distinct::add);
      int bits = distinct.sliceBits();
      for (long slice = 0; slice < 1L << bits; slice++) {
        distinct.slice(bits, slice, group);
      }
      return lines;
    }
  }
}
