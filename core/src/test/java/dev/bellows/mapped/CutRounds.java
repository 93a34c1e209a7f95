package dev.bellows.mapped;

import dev.bellows.BloomFilter;
import dev.bellows.MappedFilter;
import dev.bellows.foreign.ForeignFilter;
import dev.bellows.foreign.ForeignFilter.Format;
import dev.bellows.frozen.FrozenFilter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * Truncates a large file in every round while threads query the mapped filter until they are
 * refused. The kernel unmaps the pages of a large file one by one, so the first pages are gone long
 * before the last one. Every queried key was put.
 */
final class CutRounds {
  private static final int THREADS = 2;
  private static final int BATCH = 64;
  private static final int QUESTIONS = 1000;
  private static final int ROUNDS = 48;

  private final AtomicLong wrong = new AtomicLong();
  private final AtomicLong faults = new AtomicLong();
  private final int keys;

  private CutRounds(int keys) {
    this.keys = keys;
  }

  /** The queries of a mapped filter. */
  private record Queries(MappedFilter<?> file, LongPredicate one, LongPredicate batch) {
    static Queries of(String kind, Path path) throws IOException {
      if (kind.equals("FROZEN")) {
        MappedFilter<FrozenFilter> file = FrozenFilter.map(path);
        FrozenFilter filter = file.filter();
        return new Queries(file, filter::mightContain, key -> all(key, filter::countMightContain));
      }
      if (kind.equals("GUAVA")) {
        MappedFilter<ForeignFilter> file = ForeignFilter.map(path, Format.GUAVA);
        ForeignFilter filter = file.filter();
        return new Queries(file, filter::mightContain, filter::mightContain);
      }
      MappedFilter<BloomFilter> file = BloomFilter.map(path);
      BloomFilter filter = file.filter();
      return new Queries(file, filter::mightContain, key -> all(key, filter::countMightContain));
    }

    private static boolean all(long first, Count count) {
      long[] keys = LongStream.range(first, first + BATCH).toArray();
      return count.count(keys, new boolean[BATCH]) == BATCH;
    }
  }

  private interface Count {
    int count(long[] keys, boolean[] hits);
  }

  public static void main(String[] arguments) throws IOException, InterruptedException {
    String kind = arguments[0];
    Path path = Path.of(arguments[1]);
    CutRounds test = new CutRounds(Integer.parseInt(arguments[2]));
    byte[] whole = Files.readAllBytes(path);
    for (int round = 0; round < ROUNDS; round++) {
      Files.write(path, whole);
      Queries queries = Queries.of(kind, path);
      test.round(queries, round % 4 < 2 ? queries.one : queries.batch, path, round);
      queries.file.close();
      Files.delete(path);
    }
    System.out.printf("wrong %d, faults %d%n", test.wrong.get(), test.faults.get());
  }

  /** One round: every other file is cut to nothing, and every other one is closed as well. */
  private void round(Queries queries, LongPredicate asked, Path path, int round)
      throws IOException, InterruptedException {
    queries.file.verify();
    AtomicInteger answers = new AtomicInteger();
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      int start = i * keys / THREADS;
      threads[i] = new Thread(() -> askUntilRefused(asked, start, answers));
      threads[i].start();
    }
    while (answers.get() < QUESTIONS) {
      Thread.onSpinWait();
    }
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(round % 2 == 0 ? 0 : file.length() / 7 + round);
    }
    if (round % 8 < 4) {
      queries.file.close();
    }
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private void askUntilRefused(LongPredicate asked, int start, AtomicInteger answers) {
    try {
      for (long key = start; ; key = key + BATCH + 1 < keys ? key + 1 : 0) {
        try {
          if (!asked.test(key)) {
            wrong.incrementAndGet();
          }
        } catch (UncheckedIOException | IllegalStateException e) {
          break;
        }
        answers.incrementAndGet();
      }
      // where a fault that was not reported would come at the latest
      Class.forName("none");
    } catch (ClassNotFoundException e) {
      // as expected
    } catch (InternalError e) {
      faults.incrementAndGet();
    }
  }
}
