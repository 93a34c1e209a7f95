package dev.bellows.bench;

import dev.bellows.growth.FingerprintFilter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;

/**
 * How long single puts of a fingerprint filter take while it grows. Every put is timed by the wall
 * clock. The clock of the thread is read around blocks of 64 puts, because it costs more than a
 * put: of a put that took over 20 microseconds it says how much of that was the thread's own, which
 * is what the block took less the puts below 20 microseconds. What others do on the machine, the
 * collector among them, is not in it.
 */
final class GrowthPauses {
  private static final int BLOCK = 64;
  private static final long LONG_NANOS = 20_000;
  private static final int STEP = 50;
  private static final int STEPS = 200_000;

  /** Microseconds of puts of the keys {@code [from, to)}. */
  record Pauses(
      long from, long to, double ownP9999, double ownMost, double wallP9999, double wallMost) {}

  private static final class Histogram {
    private final long[] counts = new long[STEPS + 1];
    private long all;
    private long most;

    void add(long nanos) {
      counts[(int) Math.min(STEPS, nanos / STEP)]++;
      all++;
      most = Math.max(most, nanos);
    }

    /** Returns the least time in microseconds that all but this share do not exceed. */
    double above(double share) {
      long left = (long) (share * all);
      int step = STEPS;
      while (step > 0 && counts[step] <= left) {
        left -= counts[step--];
      }
      return step == STEPS ? most / 1e3 : Math.min(most, (step + 1.0) * STEP) / 1e3;
    }
  }

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final FingerprintFilter filter = FingerprintFilter.create(Grower.FPP);
  private final long[] walls = new long[BLOCK];
  private Histogram own = new Histogram();
  private Histogram wall = new Histogram();

  private GrowthPauses() {}

  /** By decades of keys, from the first to the last. */
  static List<Pauses> decades(long max) {
    // a first one, so that the code of the second is compiled
    new GrowthPauses().run(Math.min(max, 1_000_000));
    return new GrowthPauses().run(max);
  }

  private List<Pauses> run(long max) {
    List<Pauses> decades = new ArrayList<>();
    long from = 0;
    for (long to = Math.min(max, 100_000); from < max; to = Math.min(max, to * 10)) {
      own = new Histogram();
      wall = new Histogram();
      for (long key = from; key < to; key += BLOCK) {
        block(key, (int) Math.min(BLOCK, to - key));
      }
      decades.add(
          new Pauses(from, to, own.above(1e-4), own.most / 1e3, wall.above(1e-4), wall.most / 1e3));
      from = to;
    }
    return decades;
  }

  private void block(long first, int count) {
    long[] hashes = GrowthKeys.present(first, count);
    long ownStart = threads.getCurrentThreadCpuTime();
    long last = System.nanoTime();
    for (int i = 0; i < count; i++) {
      filter.putHash(hashes[i]);
      long now = System.nanoTime();
      walls[i] = now - last;
      last = now;
    }
    long ownOfLong = threads.getCurrentThreadCpuTime() - ownStart;
    for (int i = 0; i < count; i++) {
      ownOfLong -= walls[i] < LONG_NANOS ? walls[i] : 0;
    }
    for (int i = 0; i < count; i++) {
      wall.add(walls[i]);
      own.add(walls[i] < LONG_NANOS ? walls[i] : Math.max(0, Math.min(walls[i], ownOfLong)));
    }
  }
}
