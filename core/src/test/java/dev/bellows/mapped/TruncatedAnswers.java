package dev.bellows.mapped;

import dev.bellows.BloomFilter;
import dev.bellows.foreign.ForeignFilter;
import dev.bellows.foreign.ForeignFilter.Format;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongPredicate;

/**
 * Repeatedly truncates a file while threads query the mapped filter, and counts the answers and the
 * refusals. Every queried key was put.
 */
final class TruncatedAnswers {
  private static final int THREADS = 2;
  private static final int WARM_ROUNDS = 20;
  private static final int QUESTIONS = 4_000;
  private static final long PAUSE_NANOS = 100_000;

  private final LongPredicate filter;
  private final int keys;
  private volatile boolean cut;
  private volatile boolean done;
  private long answers;
  private final AtomicLong asked = new AtomicLong();
  private long refusals;
  private long wrong;

  private TruncatedAnswers(LongPredicate filter, int keys) {
    this.filter = filter;
    this.keys = keys;
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path path = Path.of(arguments[1]);
    LongPredicate filter =
        arguments[0].equals("own")
            ? BloomFilter.map(path).filter()::mightContain
            : ForeignFilter.map(path, Format.valueOf(arguments[0])).filter()::mightContain;
    TruncatedAnswers test = new TruncatedAnswers(filter, Integer.parseInt(arguments[2]));
    for (int round = 0; round < WARM_ROUNDS; round++) {
      test.ask();
    }
    if (test.refusals + test.wrong > 0) {
      throw new AssertionError("before the first cut");
    }
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      threads[i] = new Thread(test::askUntilDone);
      threads[i].start();
    }
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      for (int i = 3; i < arguments.length; i++) {
        test.awaitQuestions(threads);
        file.setLength(Long.parseLong(arguments[i]));
        test.cut = true;
      }
    }
    test.awaitQuestions(threads);
    test.done = true;
    for (Thread thread : threads) {
      thread.join();
    }
    System.out.printf("wrong %d, refused %s%n", test.wrong, test.refusals > 0);
  }

  /** Waits until the threads have made some thousand more queries, or one of them has died. */
  private void awaitQuestions(Thread[] threads) {
    long enough = asked.get() + QUESTIONS;
    while (asked.get() < enough) {
      LockSupport.parkNanos(PAUSE_NANOS);
      for (Thread thread : threads) {
        if (!thread.isAlive()) {
          throw new AssertionError("an unreported fault ended " + thread);
        }
      }
    }
  }

  private void askUntilDone() {
    while (!done) {
      ask();
    }
    // a fault that was not reported would surface at the next call into the JVM
    Thread.yield();
  }

  private void ask() {
    long answered = 0;
    long refused = 0;
    long missing = 0;
    for (long key = 0; key < keys && !done; key++) {
      boolean before = cut;
      asked.incrementAndGet();
      try {
        if (filter.test(key)) {
          answered++;
        } else {
          missing++;
        }
      } catch (UncheckedIOException e) {
        refused += before ? 1 : 0;
        if (!e.getMessage().contains("was truncated")) {
          throw e;
        }
      }
    }
    synchronized (this) {
      answers += answered;
      refusals += refused;
      wrong += missing;
    }
  }
}
