package dev.bellows.mapped;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.MappedFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Threads that access the same unchecked pieces at once, and a filter that is closed while they do.
 */
class MappedReadersTest {
  private static final int THREADS = 4;
  private static final int KEYS = 20_000;

  @TempDir Path folder;

  private Path write() throws IOException {
    BloomFilter filter = BloomFilter.builder().bits(512L * 55_440).hashes(6).build();
    filter.putAll(LongStream.range(0, KEYS).toArray());
    Path path = folder.resolve("filter");
    filter.writeTo(path);
    return path;
  }

  @Test
  void allThreadsFindAllKeysFromTheFirstQuery() throws Exception {
    Path path = write();
    for (int round = 0; round < 50; round++) {
      try (MappedFilter<BloomFilter> file = BloomFilter.map(path)) {
        BloomFilter mapped = file.filter();
        assertThat(inThreads(() -> {}, mapped)).containsOnly(KEYS);
      }
    }
  }

  /** Queries are answered or refused: none is answered wrongly, and none after the close. */
  @Test
  void aCloseIsSeenByAllThreads() throws Exception {
    Path path = write();
    for (int round = 0; round < 50; round++) {
      MappedFilter<BloomFilter> file = BloomFilter.map(path);
      BloomFilter mapped = file.filter();
      List<Integer> found = inThreads(file::close, mapped);
      assertThat(found).allMatch(count -> count <= KEYS);
      assertThat(inThreads(() -> {}, mapped)).containsOnly(0);
    }
  }

  /** How many keys each thread found before the filter was closed; an exception if one is lost. */
  private static List<Integer> inThreads(Runnable meanwhile, BloomFilter mapped) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS + 1);
    try {
      CyclicBarrier start = new CyclicBarrier(THREADS + 1);
      List<Future<Integer>> results = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        int thread = t;
        results.add(
            pool.submit(
                () -> {
                  start.await();
                  return ask(mapped, thread);
                }));
      }
      start.await();
      meanwhile.run();
      List<Integer> found = new ArrayList<>();
      for (Future<Integer> result : results) {
        found.add(result.get());
      }
      return found;
    } finally {
      pool.shutdownNow();
    }
  }

  private static int ask(BloomFilter mapped, int thread) {
    int found = 0;
    try {
      for (int i = 0; i < KEYS; i++) {
        long key = (i + (long) thread * KEYS / THREADS) % KEYS;
        if (!mapped.mightContain(key)) {
          throw new AssertionError("lost key " + key);
        }
        found++;
      }
    } catch (IllegalStateException closed) {
      assertThat(closed).hasMessageContaining("was closed");
    }
    return found;
  }
}
