package dev.bellows.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A counting filter that several threads change, query, copy, fold, merge and write. */
class CountingThreadsTest {
  private static final int STAYING = 300;
  private static final int PASSING = 40;

  /** The number of permanent keys, which are below all keys of writers. */
  private static long staying(int number) {
    return -1 - number;
  }

  private static CountingBloomFilter filter(Layout.Family layout) {
    return CountingBloomFilter.builder().keys(2000).fpp(1e-6).layout(layout).build();
  }

  private static CountingBloomFilter withStaying(Layout.Family layout) {
    CountingBloomFilter filter = filter(layout);
    for (int i = 0; i < STAYING; i++) {
      filter.put(staying(i));
    }
    return filter;
  }

  private static void requireStaying(CountingBloomFilter filter) {
    for (int i = 0; i < STAYING; i++) {
      if (!filter.mightContain(staying(i))) {
        throw new AssertionError("lost key " + staying(i));
      }
    }
  }

  /**
   * Keys are put and removed while others stay; in the end the counters are as if only the latter
   * had been put.
   */
  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void permanentKeysAreNeverMissedAndNoCountIsLost(Layout.Family layout) throws Exception {
    CountingBloomFilter shared = withStaying(layout);
    new Stress()
        .concurrently(() -> requireStaying(shared))
        .concurrently(() -> requireStaying(shared))
        .write(
            writer -> {
              for (int round = 0; round < 1000; round++) {
                comeAndGo(shared, writer);
              }
            });
    assertThat(shared).isEqualTo(withStaying(layout));
    for (int i = 0; i < STAYING; i++) {
      assertThat(shared.remove(staying(i))).isTrue();
    }
    assertThat(shared.stats().ones()).isZero();
  }

  private static void comeAndGo(CountingBloomFilter shared, int writer) {
    for (int i = 0; i < PASSING; i++) {
      long key = Stress.key(writer, i);
      shared.put(key);
      if (!shared.mightContain(key) || !shared.remove(key)) {
        throw new AssertionError("lost key " + key);
      }
    }
  }

  /**
   * Removing a key that was never put is refused and never affects other keys, not even
   * temporarily. The filter is so full that such a key finds a few counters before the one that is
   * empty.
   */
  @Test
  void refusedRemovalsDoNotAffectQueries() throws Exception {
    CountingBloomFilter shared =
        CountingBloomFilter.builder().bits(1 << 10).hashes(8).layout(Layout.Family.CLASSIC).build();
    for (int i = 0; i < STAYING / 2; i++) {
      shared.put(staying(i));
    }
    CountingBloomFilter alone = shared.copy();
    long[] absent = LongStream.range(0, 400).filter(key -> !alone.mightContain(key)).toArray();
    new Stress()
        .concurrently(
            () -> {
              for (int i = 0; i < STAYING / 2; i++) {
                if (!shared.mightContain(staying(i))) {
                  throw new AssertionError("lost key " + staying(i));
                }
              }
            })
        .write(
            writer -> {
              for (int round = 0; round < 1200; round++) {
                for (long key : absent) {
                  if (shared.remove(key)) {
                    throw new AssertionError("removed key " + key);
                  }
                }
              }
            });
    assertThat(shared).isEqualTo(alone);
  }

  /** Counters widen under queries; a query sees the old array or the new one. */
  @Test
  void wideningLosesNothing() throws Exception {
    for (int round = 0; round < 60; round++) {
      CountingBloomFilter shared = withStaying(Layout.Family.BLOCKED);
      new Stress()
          .concurrently(() -> requireStaying(shared))
          .write(
              writer -> {
                for (int i = 0; i < 120; i++) {
                  shared.put(7);
                }
              });
      assertThat(shared.counterBits()).isEqualTo(16);
      for (int i = 0; i < 120 * Stress.WRITERS; i++) {
        assertThat(shared.remove(7)).isTrue();
      }
      assertThat(shared).isEqualTo(withStaying(Layout.Family.BLOCKED));
    }
  }

  /**
   * Copies, foldings, merges and files contain only complete keys: after removing those, they are
   * empty.
   */
  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void copiesFoldingsMergesAndFilesNeverContainPartialKeys(Layout.Family layout) throws Exception {
    CountingBloomFilter shared = withStaying(layout);
    List<UnaryOperator<CountingBloomFilter>> makings =
        List.of(
            CountingBloomFilter::copy,
            filter -> filter.foldBy(2),
            filter -> filter.union(filter(layout)),
            filter -> filter(layout).union(filter),
            filter -> filter.subtract(filter(layout)),
            filter -> {
              CountingBloomFilter sum = filter(layout);
              sum.putAll(filter);
              return sum;
            },
            CountingThreadsTest::reread);
    new Stress()
        .concurrently(() -> makings.forEach(making -> requireWholeKeys(making.apply(shared))))
        .concurrently(() -> requireStaying(shared.toBloomFilter().foldBy(1)))
        .write(
            writer -> {
              for (int round = 0; round < 600; round++) {
                comeAndGo(shared, writer);
              }
            });
  }

  private static void requireStaying(BloomFilter filter) {
    for (int i = 0; i < STAYING; i++) {
      if (!filter.mightContain(staying(i))) {
        throw new AssertionError("lost key " + staying(i));
      }
    }
  }

  private static void requireWholeKeys(CountingBloomFilter made) {
    requireStaying(made);
    for (int i = 0; i < STAYING; i++) {
      made.remove(staying(i));
    }
    for (int writer = 0; writer < Stress.WRITERS; writer++) {
      for (int i = 0; i < PASSING; i++) {
        made.remove(Stress.key(writer, i));
      }
    }
    if (made.stats().ones() != 0) {
      throw new AssertionError("parts of keys: " + made.stats().ones() + " counters are left");
    }
  }

  private static CountingBloomFilter reread(CountingBloomFilter filter) {
    try {
      return CountingBloomFilter.fromBytes(filter.toBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
