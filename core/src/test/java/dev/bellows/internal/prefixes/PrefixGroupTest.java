package dev.bellows.internal.prefixes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Batches answer like single queries, whatever the steps in which they read. */
class PrefixGroupTest {
  /**
   * Numbers of keys just before, while and after most chunks split, in slots that are compared in
   * one step or in several.
   */
  @ParameterizedTest
  @CsvSource({
    "12, 511, 1",
    "12, 511, 3000",
    "12, 511, 60000",
    "12, 511, 131000",
    "12, 511, 190000",
    "4, 511, 60000",
    "40, 511, 60000",
    "12, 2000, 60000"
  })
  void allStepsGiveTheAnswersOfSingleQueries(int slack, int chunkKeys, int keys) {
    PrefixStore store = new PrefixStore(false, slack, chunkKeys);
    long[] hashes = new SplittableRandom(keys).longs(keys).toArray();
    for (long hash : hashes) {
      store.put(hash);
    }
    long[] asked = Arrays.copyOf(hashes, 2 * keys);
    SplittableRandom random = new SplittableRandom(5);
    for (int i = keys; i < asked.length; i++) {
      // half of the absent ones share their bucket with a key
      asked[i] = (i & 1) == 0 ? random.nextLong() : hashes[i - keys] ^ (1L << 20);
    }
    boolean[] expected = new boolean[asked.length];
    int present = 0;
    for (int i = 0; i < asked.length; i++) {
      expected[i] = store.contains(asked[i]);
      present += expected[i] ? 1 : 0;
    }
    assertThat(present).isGreaterThanOrEqualTo(keys);
    for (int from : new int[] {0, 1, asked.length - 1, asked.length}) {
      boolean[] near = new boolean[asked.length];
      boolean[] far = new boolean[asked.length];
      int count = 0;
      for (int i = from; i < asked.length; i++) {
        count += expected[i] ? 1 : 0;
      }
      assertThat(store.countNear(asked, from, asked.length, near)).isEqualTo(count);
      assertThat(new PrefixGroup().count(store, asked, from, asked.length, far)).isEqualTo(count);
      boolean[] tail = expected.clone();
      Arrays.fill(tail, 0, from, false);
      assertThat(near).isEqualTo(tail);
      assertThat(far).isEqualTo(tail);
    }
  }

  /** What was put is found by batches while others put, and chunks split, move and are replaced. */
  @Test
  void nothingIsMissedWhileChunksChange() throws Exception {
    PrefixStore store = new PrefixStore(false, 12, 511);
    int keys = 200_000;
    long[] hashes = new SplittableRandom(21).longs(keys).toArray();
    AtomicInteger done = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> readers = new ArrayList<>();
      for (int reader = 0; reader < 3; reader++) {
        readers.add(
            threads.submit(
                () -> {
                  boolean[] hits = new boolean[keys];
                  int rounds = 0;
                  for (int stored = 0; stored < keys; rounds++) {
                    stored = done.get();
                    int from = Math.max(0, stored - 5000);
                    assertThat(new PrefixGroup().count(store, hashes, from, stored, hits))
                        .isEqualTo(stored - from);
                  }
                  return rounds;
                }));
      }
      for (int i = 0; i < keys; i++) {
        store.put(hashes[i]);
        done.set(i + 1);
      }
      for (Future<Integer> reader : readers) {
        assertThat(reader.get()).isPositive();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
