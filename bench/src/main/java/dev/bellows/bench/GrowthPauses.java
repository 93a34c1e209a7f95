package dev.bellows.bench;

import dev.bellows.growth.FingerprintFilter;
import java.util.ArrayList;
import java.util.List;

/** How long single puts of a fingerprint filter take while it grows ({@link PutClock}). */
final class GrowthPauses {
  /** Microseconds of puts of the keys {@code [from, to)}. */
  record Pauses(
      long from, long to, double ownP9999, double ownMost, double wallP9999, double wallMost) {}

  private GrowthPauses() {}

  /** By decades of keys, from the first to the last. */
  static List<Pauses> decades(long max) {
    // a first one, so that the code of the second is compiled
    run(Math.min(max, 1_000_000));
    return run(max);
  }

  private static List<Pauses> run(long max) {
    FingerprintFilter filter = FingerprintFilter.create(Grower.FPP);
    List<Pauses> decades = new ArrayList<>();
    long from = 0;
    for (long to = Math.min(max, 100_000); from < max; to = Math.min(max, to * 10)) {
      PutClock clock = new PutClock();
      for (long key = from; key < to; key += PutClock.BLOCK) {
        int count = (int) Math.min(PutClock.BLOCK, to - key);
        clock.block(GrowthKeys.present(key, count), count, filter::putHash);
      }
      decades.add(
          new Pauses(
              from,
              to,
              clock.own.above(1e-4),
              clock.own.most(),
              clock.wall.above(1e-4),
              clock.wall.most()));
      from = to;
    }
    return decades;
  }
}
