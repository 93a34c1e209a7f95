package dev.bellows.cli.keys;

import java.util.function.LongPredicate;

/** Changes a filter by groups of keys. */
@FunctionalInterface
public interface GroupChange {
  /**
   * Puts or removes the codes in {@code [from, to)} and returns how many changed the filter.
   *
   * @throws RefusedKey if the filter does not take one of them
   */
  int change(long[] codes, int from, int to);

  /** Changes by one after the other. */
  static GroupChange each(LongPredicate change) {
    return (codes, from, to) -> {
      int changed = 0;
      for (int i = from; i < to; i++) {
        try {
          changed += change.test(codes[i]) ? 1 : 0;
        } catch (IllegalArgumentException e) {
          throw new RefusedKey(i, e);
        }
      }
      return changed;
    };
  }
}
