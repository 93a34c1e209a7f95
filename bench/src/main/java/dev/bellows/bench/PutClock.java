package dev.bellows.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.function.LongConsumer;

/**
 * How long single puts take. Every put is timed by the wall clock. The clock of the thread is read
 * around blocks of 64 puts, because it costs more than a put: of a put that took over 20
 * microseconds it says how much of that was the thread's own, which is what the block took less the
 * puts below 20 microseconds. It excludes other work on the machine, including the garbage
 * collector.
 */
final class PutClock {
  static final int BLOCK = 64;
  private static final long LONG_NANOS = 20_000;
  private static final int STEP = 50;
  private static final int STEPS = 200_000;

  /** Times in nanoseconds. */
  static final class Histogram {
    private final long[] counts = new long[STEPS + 1];
    private long all;
    private long most;

    private void add(long nanos) {
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
      return step == STEPS ? most() : Math.min(most, (step + 1.0) * STEP) / 1e3;
    }

    /** Returns the longest time in microseconds. */
    double most() {
      return most / 1e3;
    }
  }

  /** The thread's own time, and that of the wall clock. */
  final Histogram own = new Histogram();

  final Histogram wall = new Histogram();

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final long[] walls = new long[BLOCK];

  /** Times the puts of the first hashes, at most a block. */
  void block(long[] hashes, int count, LongConsumer put) {
    long ownStart = threads.getCurrentThreadCpuTime();
    long last = System.nanoTime();
    for (int i = 0; i < count; i++) {
      put.accept(hashes[i]);
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
