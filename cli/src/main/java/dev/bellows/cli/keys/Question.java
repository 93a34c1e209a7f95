package dev.bellows.cli.keys;

import java.io.IOException;

/** Answers whether a filter has the keys that lines or arguments write. */
@FunctionalInterface
public interface Question {
  /**
   * Writes the answer for each of the lines to its index of {@code hits}.
   *
   * @throws RefusedKey if one cannot be asked for; the answers before it are written
   */
  void ask(Lines lines, boolean[] hits) throws IOException;

  /** Answers one after the other. */
  static Question each(Single single) {
    return (lines, hits) -> {
      int[] next = {0};
      lines.forEach((buffer, from, length) -> hits[next[0]++] = single.ask(buffer, from, length));
    };
  }

  /** Answers for one key. */
  @FunctionalInterface
  interface Single {
    boolean ask(byte[] buffer, int from, int length);
  }
}
