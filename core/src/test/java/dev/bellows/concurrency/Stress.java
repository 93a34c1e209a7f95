package dev.bellows.concurrency;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongPredicate;

/**
 * Threads that each change a filter once, and threads that use it concurrently until they are done.
 */
final class Stress {
  static final int WRITERS = 3;

  /** How many of its keys each writer has put, where those puts have returned. */
  private final AtomicLongArray returned = new AtomicLongArray(WRITERS);

  private final List<Task> concurrently = new ArrayList<>();

  /** Something that fails by throwing. */
  @FunctionalInterface
  interface Task {
    void run() throws Exception;
  }

  /** What a writer does with its key number i. */
  @FunctionalInterface
  interface Put {
    void accept(int writer, long key) throws Exception;
  }

  /** The key of a writer; writers have no key in common. */
  static long key(int writer, long number) {
    return number * WRITERS + writer;
  }

  /** Repeats a task, at least once, until all writers have ended. */
  Stress concurrently(Task task) {
    concurrently.add(task);
    return this;
  }

  /** Queries keys whose put has returned: some recent ones and some of all. */
  Stress concurrently(LongPredicate contains) {
    long[] turn = {0};
    return concurrently(
        () -> {
          for (int writer = 0; writer < WRITERS; writer++) {
            long puts = returned.get(writer);
            for (long back = 1; back <= Math.min(puts, 8); back++) {
              require(contains, writer, puts - back);
            }
            if (puts > 0) {
              require(contains, writer, turn[0]++ * 7919 % puts);
            }
          }
        });
  }

  /**
   * Derives something from the filter and requires that it contains all keys whose put had returned
   * before.
   */
  Stress besideMade(Making making) {
    return concurrently(
        () -> {
          long[] puts = new long[WRITERS];
          for (int writer = 0; writer < WRITERS; writer++) {
            puts[writer] = returned.get(writer);
          }
          LongPredicate contains = making.make();
          for (int writer = 0; writer < WRITERS; writer++) {
            long step = 1 + puts[writer] / 2000;
            for (long number = puts[writer] - 1; number >= 0; number -= step) {
              require(contains, writer, number);
            }
          }
        });
  }

  /**
   * Derives a snapshot from the filter: it contains as many of the keys as it reports. The filter
   * must be so large that it has no false positives.
   */
  Stress besideCounted(long keysOfWriter, Counting counting) {
    return concurrently(
        () -> {
          Counted made = counting.make();
          long found = 0;
          for (int writer = 0; writer < WRITERS; writer++) {
            for (long number = 0; number < keysOfWriter; number++) {
              found += made.contains.test(key(writer, number)) ? 1 : 0;
            }
          }
          if (found != made.keys) {
            throw new AssertionError(found + " keys in a filter that counts " + made.keys);
          }
        });
  }

  /** How to query it, and how many keys it reports. */
  record Counted(LongPredicate contains, long keys) {}

  /** A copy, a folding, a file ... that knows its keys. */
  @FunctionalInterface
  interface Counting {
    Counted make() throws Exception;
  }

  /** A copy, a folding, a file ... and how to query it. */
  @FunctionalInterface
  interface Making {
    LongPredicate make() throws Exception;
  }

  private static void require(LongPredicate contains, int writer, long number) {
    if (!contains.test(key(writer, number))) {
      throw new AssertionError("lost key " + number + " of writer " + writer);
    }
  }

  /** Every writer puts its first keys, in order. */
  void put(long keysOfWriter, Put put) throws Exception {
    put(keysOfWriter, put, key -> true);
  }

  /** The same, and each writer queries keys that it has put just now and a while ago. */
  void put(long keysOfWriter, Put put, LongPredicate contains) throws Exception {
    write(
        writer -> {
          for (long number = 0; number < keysOfWriter; number++) {
            put.accept(writer, key(writer, number));
            returned.set(writer, number + 1);
            for (long back = 0; back <= Math.min(number, 512); back = 8 * back + 1) {
              require(contains, writer, number - back);
            }
          }
        });
  }

  /**
   * All writers do the same with the same keys, one key after the other, as simultaneously as
   * possible.
   */
  static void inStep(long keys, Put put) throws Exception {
    AtomicLong steps = new AtomicLong();
    AtomicBoolean failed = new AtomicBoolean();
    new Stress()
        .write(
            writer -> {
              try {
                for (long key = 0; key < keys && !failed.get(); key++) {
                  steps.incrementAndGet();
                  for (int spins = 0; steps.get() < WRITERS * (key + 1) && !failed.get(); spins++) {
                    if (spins > 100) {
                      Thread.yield();
                    }
                  }
                  put.accept(writer, key);
                }
              } catch (Throwable e) {
                failed.set(true);
                throw e;
              }
            });
  }

  /** What one writer does. */
  @FunctionalInterface
  interface Writer {
    void run(int writer) throws Exception;
  }

  void write(Writer writing) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS + concurrently.size());
    CyclicBarrier start = new CyclicBarrier(WRITERS + concurrently.size());
    CountDownLatch running = new CountDownLatch(WRITERS);
    try {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        all.add(
            threads.submit(
                () -> {
                  start.await();
                  try {
                    writing.run(writer);
                  } finally {
                    running.countDown();
                  }
                  return null;
                }));
      }
      for (Task task : concurrently) {
        all.add(
            threads.submit(
                () -> {
                  start.await();
                  do {
                    task.run();
                  } while (running.getCount() > 0);
                  return null;
                }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
