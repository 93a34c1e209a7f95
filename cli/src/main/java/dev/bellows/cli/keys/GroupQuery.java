package dev.bellows.cli.keys;

import java.util.function.LongPredicate;

/** Asks a filter for groups of keys. */
@FunctionalInterface
public interface GroupQuery {
  /**
   * Asks for the codes in {@code [from, to)}, writes each answer to the same index of {@code hits}
   * and returns the number of hits.
   *
   * @throws RefusedKey if one cannot be asked for; the answers before it are written
   */
  int ask(long[] codes, int from, int to, boolean[] hits);

  /** Asks for one after the other. */
  static GroupQuery each(LongPredicate test) {
    return (codes, from, to, hits) -> {
      int found = 0;
      for (int i = from; i < to; i++) {
        try {
          hits[i] = test.test(codes[i]);
        } catch (IllegalArgumentException e) {
          throw new RefusedKey(i, e);
        }
        found += hits[i] ? 1 : 0;
      }
      return found;
    };
  }
}
