package dev.bellows.window;

import static dev.bellows.window.Windows.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bellows.BloomFilter;
import dev.bellows.Foldable.FoldSize;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.SmallStack;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.math.BinomialInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RingStoreTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long T = HOUR.toMillis();

  /** For every pattern that the rule chooses, a lane is a Bloom filter, bit for bit. */
  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.05, 0.01, 1e-3, 1e-4, 1e-6, 1e-9})
  void aLaneIsABloomFilterOfItsGeneration(double fpp) {
    WindowPlan plan = WindowPlan.of(2000, fpp, 7);
    RingStore ring = RingStore.create(plan, 0);
    List<BloomFilter> filters = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(5);
    for (int generation = 0; generation < 8; generation++) {
      ring.advance(generation, false);
      BloomFilter filter =
          BloomFilter.builder().layout(plan.layout()).bits(plan.generationBits()).build();
      for (int i = 0; i < 250; i++) {
        long hash = random.nextLong();
        boolean changed = (ring.put(hash, generation, false) & WindowStore.CHANGED) != 0;
        assertThat(filter.putHash(hash)).isEqualTo(changed);
        assertThat(ring.contains(hash)).isTrue();
      }
      filters.add(filter);
    }
    for (int lane = 0; lane < 8; lane++) {
      assertThat(lane(ring.content(), lane, 8)).isEqualTo(words(filters.get(lane)));
    }
    for (int i = 0; i < 20_000; i++) {
      long hash = random.nextLong();
      assertThat(ring.contains(hash))
          .isEqualTo(filters.stream().anyMatch(filter -> filter.mightContainHash(hash)));
    }
  }

  /** The words of a lane, whose bit p is bit p lanes + lane of the ring. */
  private static long[] lane(HeapBits bits, int lane, int lanes) {
    long[] words = new long[(int) (bits.bits() / lanes / Long.SIZE)];
    for (long p = 0; p < bits.bits() / lanes; p++) {
      long at = p * lanes + lane;
      words[(int) (p / Long.SIZE)] |= (bits.word(at / Long.SIZE) >>> at & 1) << p;
    }
    return words;
  }

  private static long[] words(BloomFilter filter) {
    long[] words = new long[(int) (filter.bits() / 64)];
    filter.copyWords(0, words, words.length);
    return words;
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 7, 15, 31})
  void aFoldingIsTheRingThatWouldHaveBeenBuilt(int generations) {
    WindowPlan plan = WindowPlan.of(5000, 0.01, generations);
    RingStore large = RingStore.create(plan, 0);
    long cells = plan.generationBits() / Layout.Blocked.BLOCK_BITS;
    for (long factor = 1; factor <= cells; factor++) {
      if (cells % factor != 0) {
        continue;
      }
      RingStore small =
          RingStore.create(plan.withGenerationBits(plan.generationBits() / factor), 0);
      SplittableRandom random = new SplittableRandom(6);
      RingStore unfolded = factor == 1 ? large : RingStore.create(plan, 0);
      for (int i = 0; i < 3000; i++) {
        long generation = i / 100;
        if (i % 100 == 0) {
          small.advance(generation, false);
          unfolded.advance(generation, false);
        }
        long hash = random.nextLong();
        long its = Math.max(0, generation - random.nextInt(generations + 1));
        small.put(hash, its, false);
        unfolded.put(hash, its, false);
      }
      assertThat(unfolded.copy().foldedBy(factor).isSameAs(small.copy())).isTrue();
    }
  }

  @Test
  void aWindowFoldsToEverySizeOfItsLadder() {
    WindowFilter filter = WindowFilter.builder().window(HOUR).keys(4000).build();
    for (int i = 0; i < 2000; i++) {
      filter.put(i, at(i * (T / 2000)));
    }
    List<FoldSize> ladder = filter.ladder();
    assertThat(ladder.get(ladder.size() - 1).bits()).isEqualTo(filter.bits());
    for (FoldSize size : ladder) {
      WindowFilter folded = filter.foldTo(size.bits());
      assertThat(folded.bits()).isEqualTo(size.bits());
      assertThat(folded).isEqualTo(filter.foldBy(size.factor()));
      for (int i = 0; i < 2000; i += 7) {
        assertThat(folded.mightContain(i)).isTrue();
      }
      if (size.expectedFpp() > 1e-3 && size.expectedFpp() < 0.3) {
        assertThat(folded.expectedFpp())
            .isBetween(size.expectedFpp() * 0.7, size.expectedFpp() * 1.3);
      }
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> filter.foldBy(filter.bits() + 1))
        .withMessageContaining("nearest");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> filter.foldTo(filter.bits() - 1))
        .withMessageContaining("nearest");
  }

  @Test
  void ringsOfFoldedSizesMerge() {
    WindowFilter large = WindowFilter.builder().window(HOUR).keys(8000).build();
    WindowFilter other = WindowFilter.builder().window(HOUR).keys(8000).build();
    for (int i = 0; i < 500; i++) {
      large.put(i, at(i));
      other.put(-1 - i, at(i));
    }
    long factor = large.ladder().get(large.ladder().size() - 3).factor();
    WindowFilter both = large.union(other.foldBy(factor), 1);
    assertThat(both.bits()).isEqualTo(large.bits() / factor);
    assertThat(both).isEqualTo(large.union(other).foldBy(factor));
    for (int i = 0; i < 500; i++) {
      assertThat(both.mightContain(i)).isTrue();
      assertThat(both.mightContain(-1 - i)).isTrue();
    }
    WindowFilter empty = WindowFilter.builder().window(HOUR).keys(100).build();
    assertThat(large.union(empty).bits()).isEqualTo(large.bits());
    assertThat(empty.union(large).bits()).isEqualTo(large.bits());
    WindowFilter precise = WindowFilter.builder().window(HOUR).keys(8000).fpp(1e-4).build();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> large.union(precise))
        .withMessageContaining("pattern 2x4")
        .withMessageContaining("pattern 4x3");
  }

  /**
   * The law of elastic rings: while a generation has at most {@code growth} times the keys of the
   * one before, the rate holds; with a shrinking load the ring folds.
   */
  @ParameterizedTest
  @CsvSource({"2, 0.01", "4, 0.01", "1.3, 0.001"})
  void anElasticRingHoldsItsRateWhileTheLoadGrowsByItsFactor(double growth, double fpp) {
    WindowFilter filter =
        WindowFilter.builder().window(HOUR).keys(700).fpp(fpp).elastic(growth).build();
    double load = 100 / growth;
    long key = 0;
    long most = 0;
    for (int generation = 0; generation < 60; generation++) {
      load = generation < 30 ? Math.min(20_000, load * growth) : Math.max(20, load / 1.5);
      long time = generation * T / 7 + 1000;
      for (int i = 0; i < (int) load; i++) {
        filter.put(key++, at(time));
      }
      assertThat(filter.expectedFpp()).isLessThanOrEqualTo(fpp * 1.05);
      most = Math.max(most, filter.bits());
      // what was put last, and six generations ago
      for (long recent = Math.max(0, key - (long) load); recent < key; recent += 7) {
        assertThat(filter.mightContain(recent)).isTrue();
      }
    }
    assertThat(most).isGreaterThan(30 * WindowPlan.of(700, fpp, 7).bits());
    assertThat(filter.bits()).isLessThan(most / 16);
  }

  @Test
  void anElasticRingThatMovesFindsEverythingAtEveryMoment() {
    WindowFilter filter = WindowFilter.builder().window(HOUR).keys(2000).elastic().build();
    SplittableRandom random = new SplittableRandom(8);
    List<long[]> puts = new ArrayList<>();
    for (int generation = 0; generation < 24; generation++) {
      int load = generation < 8 ? 200 << generation / 2 : 3200 >>> (generation - 8) / 2;
      for (int i = 0; i < load; i++) {
        long time = generation * T / 7 + random.nextLong(T / 7);
        long key = random.nextLong();
        filter.put(key, at(time));
        puts.add(new long[] {key, time});
        if (i % 50 == 0) {
          long now = filter.now().orElseThrow().toEpochMilli() - Windows.START.toEpochMilli();
          puts.removeIf(put -> put[1] + T <= now);
          for (long[] put : puts) {
            if (!filter.mightContain(put[0])) {
              throw new AssertionError("missing at generation " + generation);
            }
          }
        }
      }
      WindowFilter copy = filter.copy();
      assertThat(copy).isEqualTo(filter);
    }
  }

  /** Puts that lock their group after others rotated, resized and swept the ring are not lost. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 2})
  void noPutIsLostInARotation(double growth) {
    WindowPlan plan = WindowPlan.of(7000, 0.001, 7).halvable();
    RingStore ring = RingStore.create(plan, growth);
    ring.advance(0, true);
    for (long i = 0; i < 5000; i++) {
      ring.put(hash(i), 0, false);
    }
    AtomicBoolean isFirst = new AtomicBoolean(true);
    long[] generation = {0};
    ring.whenLocking(
        () -> {
          if (isFirst.getAndSet(false)) {
            generation[0]++;
            ring.advance(generation[0], false);
            ring.sweep(3);
          }
        });
    for (long i = 0; i < 6; i++) {
      isFirst.set(true);
      int result = ring.put(hash(-1 - i), i, false);
      assertThat(result & WindowStore.CHANGED).isNotZero();
      for (long j = 0; j <= i; j++) {
        assertThat(ring.contains(hash(-1 - j))).isTrue();
      }
      for (long j = 0; j < 5000; j++) {
        assertThat(ring.contains(hash(j))).isTrue();
      }
    }
    if (growth > 0) {
      assertThat(ring.generationBits()).isNotEqualTo(plan.generationBits());
    }
    // a put whose generation expires between its first check and its lock stores nothing
    isFirst.set(true);
    generation[0] = 20;
    assertThat(ring.put(hash(1L << 40), generation[0] - 15, false)).isEqualTo(WindowStore.LATE);
    assertThat(ring.contains(hash(1L << 40))).isFalse();
  }

  /** A put at the time of the clock is late if its generation expires in the meantime. */
  @Test
  void aPutWhoseGenerationExpiresChangesNothing() {
    WindowFilter filter = WindowFilter.builder().window(HOUR).keys(100).dropLate().build();
    filter.advanceTo(Instant.EPOCH);
    ((RingStore) filter.store())
        .whenLocking(() -> filter.advanceTo(Instant.EPOCH.plus(HOUR.multipliedBy(3))));
    assertThat(filter.putHash(7)).isFalse();
    assertThat(filter.lateKeys()).isOne();
    assertThat(filter.isEmpty()).isTrue();
  }

  /** A put that runs out of stack, in a group that is cleared, moved or swept. */
  @ParameterizedTest
  @ValueSource(doubles = {0, 2})
  void aStackOverflowLocksNoGroup(double growth) throws InterruptedException {
    RingStore ring = RingStore.create(WindowPlan.of(700, 0.01, 7).halvable(), growth);
    SmallStack.run(
        () -> {
          for (int round = 0; round < 400; round++) {
            long generation = round / 10;
            long hash = hash(round);
            if (round % 10 == 0) {
              ring.advance(generation, false);
            }
            // more keys every few rounds, so that an elastic ring unfolds, and then folds
            for (int i = 0; i < (round < 200 ? round : 1); i++) {
              ring.put(hash(-1L - 400 * round - i), generation, false);
            }
            Runnable put =
                () -> {
                  ring.put(hash, generation, false);
                  ring.sweep(1);
                  ring.copy();
                };
            assertThat(
                    SmallStack.atItsEnd(
                        () -> {
                          if (ring.isAnyGroupLocked()) {
                            throw new AssertionError("a group is locked");
                          }
                          put.run();
                        }))
                .isTrue();
            assertThat(ring.contains(hash)).isTrue();
            if (round >= 70) {
              assertThat(ring.contains(hash(round - 70))).isTrue();
            }
          }
        });
    assertThat(ring.isAnyGroupLocked()).isFalse();
    assertThat(ring.copy().isSameAs(ring)).isTrue();
  }

  private static long hash(long key) {
    return HashScheme.DEFAULT.hash(key);
  }

  @Test
  void threadsPutWhileOthersRotateResizeCopyAndQuery() throws Exception {
    WindowFilter filter =
        WindowFilter.builder().window(HOUR).keys(20_000).fpp(1e-4).elastic().dropLate().build();
    filter.advanceTo(at(0));
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicBoolean isDone = new AtomicBoolean();
    Thread rotating =
        thread(
            failure,
            () -> {
              for (int i = 1; i < 70 && failure.get() == null; i++) {
                filter.advanceTo(at(i * T / 70));
                filter.copy();
                filter.expectedFpp();
                Thread.yield();
              }
              isDone.set(true);
            });
    List<Thread> all = new ArrayList<>(List.of(rotating));
    long[] counts = new long[3];
    for (int t = 0; t < 3; t++) {
      int id = t;
      all.add(
          thread(
              failure,
              () -> {
                long i = 0;
                for (; i < 15_000 || !isDone.get() && i < 100_000; i++) {
                  long key = i * 3 + id;
                  filter.put(key);
                  if (!filter.mightContain(key)) {
                    throw new AssertionError("lost at once: " + key);
                  }
                }
                counts[id] = i;
              }));
    }
    for (Thread thread : all) {
      thread.start();
    }
    for (Thread thread : all) {
      thread.join();
    }
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
    // the clock has not moved by a window: everything is live
    for (int id = 0; id < 3; id++) {
      for (long i = 0; i < counts[id]; i++) {
        if (!filter.mightContain(i * 3 + id)) {
          throw new AssertionError("lost: " + (i * 3 + id));
        }
      }
    }
  }

  private static Thread thread(AtomicReference<Throwable> failure, Runnable work) {
    return new Thread(
        () -> {
          try {
            work.run();
          } catch (Throwable e) {
            failure.compareAndSet(null, e);
          }
        });
  }

  /**
   * A ring in which every bit is set has the rate 1 and never more, as a whole and in each
   * generation.
   */
  @ParameterizedTest
  @ValueSource(ints = {3, 7, 15, 31})
  void theRateOfAFullRingIsAtMostOne(int generations) {
    for (int cells = 1; cells < 60; cells++) {
      WindowPlan plan =
          WindowPlan.of(1000, 0.01, generations)
              .withGenerationBits((long) cells * Layout.Blocked.BLOCK_BITS);
      HeapBits bits = HeapBits.aligned(plan.bits());
      Arrays.fill(bits.array(), -1);
      WindowStore.Numbers numbers = RingStore.of(plan, 0, 100, bits, plan.filledCells()).numbers();
      assertThat(numbers.expectedFpp()).isBetween(1 - 1e-12, 1.0);
      for (WindowStore.GenerationNumbers generation : numbers.generations()) {
        assertThat(generation.expectedFpp()).isBetween(1 - 1e-12, 1.0);
      }
    }
  }

  /** Keys that come in every generation make the lanes equal: the sum of their rates is wrong. */
  @Test
  void theRateOfOverlappingGenerationsIsMeasured() {
    WindowFilter filter =
        WindowFilter.builder().window(HOUR).keys(5000).keysPerGeneration(5000).fpp(0.05).build();
    for (int generation = 0; generation < 10; generation++) {
      for (int i = 0; i < 8000; i++) {
        filter.put(i % 4 == 0 ? i + 10_000 * generation : i, at(generation * T / 7 + 1000));
      }
    }
    long trials = 200_000;
    long found =
        LongStream.range(1L << 40, (1L << 40) + trials).filter(filter::mightContain).count();
    double stated = filter.expectedFpp();
    assertThat(BinomialInterval.of(found, trials, 1e-9).contains(stated)).isTrue();
    double sum = filter.generations().stream().mapToDouble(g -> g.expectedFpp()).sum();
    assertThat(sum).isGreaterThan(1.5 * stated);
    assertThat(filter.approximateElementCount()).isBetween(20_000L, 24_000L);
  }
}
