package dev.bellows.bench.peers;

import java.util.function.LongConsumer;

/** Something to find in the filters whose whole stores are read and written. */
final class Fill {
  private static final long MOST = 1_000_000;

  private Fill() {}

  /** Puts some of the keys that two filters are made for, a quarter of them shared. */
  static void both(long keys, LongConsumer first, LongConsumer second) {
    long some = Math.min(keys / 4, MOST);
    for (long i = 0; i < some; i++) {
      first.accept(Keys.mix(i));
      second.accept(Keys.mix(i + some * 3 / 4));
    }
  }
}
