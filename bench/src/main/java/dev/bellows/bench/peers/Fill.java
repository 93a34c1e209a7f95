package dev.bellows.bench.peers;

import java.util.function.LongConsumer;

/** Something to find in the filters whose whole stores are read and written. */
final class Fill {
  static final int KEYS = 1_000_000;

  private Fill() {}

  /** Puts different keys into two filters, a quarter of them shared. */
  static void both(LongConsumer first, LongConsumer second) {
    for (long i = 0; i < KEYS; i++) {
      first.accept(Keys.mix(i));
      second.accept(Keys.mix(i + KEYS * 3L / 4));
    }
  }
}
