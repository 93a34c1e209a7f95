package dev.bellows.window;

import static dev.bellows.window.Windows.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.HashScheme;
import dev.bellows.SmallStack;
import dev.bellows.internal.math.BinomialInterval;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrefixWindowTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final long T = HOUR.toMillis();
  private static final int STEADY = 700;
  private static final int BURST = 1000;

  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.01, 1e-3, 1e-6, 1e-12})
  void theBoundIsTheRateAfterItsDoublings(double fpp) {
    PrefixSizes sizes = PrefixSizes.of(fpp);
    double keys = (PrefixSizes.DOUBLINGS + 2.0) * sizes.chunkKeys();
    assertThat(Math.scalb(keys, -(10 + sizes.slack()))).isBetween(0.5 * fpp, fpp);
  }

  /**
   * A steady load, a burst of a thousand times as much inside one window, and the steady load
   * again: the rate holds all the time, and the memory is back when the burst has expired.
   */
  @Test
  void aThousandfoldBurstKeepsTheRateAndReleasesItsMemory() {
    WindowFilter filter = WindowFilter.builder().window(HOUR).fpp(0.01).build();
    long key = 0;
    long steadyBytes = 0;
    int parts = 700;
    for (int part = 0; part < parts; part++) {
      // a hundred parts are a window
      long time = part * (T / 100);
      int keys = part >= 300 && part < 310 ? STEADY / 100 * BURST : STEADY / 100;
      for (int i = 0; i < keys; i++) {
        filter.put(key++, at(time));
      }
      if (part % 20 == 0 || (part >= 300 && part < 310)) {
        assertThat(filter.expectedFpp()).isLessThanOrEqualTo(0.01);
        for (long last = Math.max(0, key - keys); last < key; last++) {
          assertThat(filter.mightContain(last)).isTrue();
        }
      }
      if (part == 299) {
        steadyBytes = filter.heapBytes();
      }
      // the last of the burst has expired by 310 + 100 (1 + 1/7), and one part of a window later
      if (part == 310 + 100 + 2 * 100 / 7 + 1) {
        assertThat(filter.heapBytes()).isLessThanOrEqualTo(steadyBytes * 5 / 4);
      }
    }
  }

  /** The target for bits per key: a steady state of 1 %. */
  @Test
  void aLiveKeyTakesFewBits() {
    WindowFilter filter = WindowFilter.builder().window(HOUR).fpp(0.01).build();
    int perWindow = 100_000;
    long key = 0;
    double most = 0;
    for (int part = 0; part < 320; part++) {
      for (int i = 0; i < perWindow / 100; i++) {
        filter.put(key++, at(part * (T / 100)));
      }
      if (part >= 250) {
        most = Math.max(most, 8.0 * filter.heapBytes() / perWindow);
      }
    }
    assertThat(most).isLessThan(26);
    long trials = 100_000;
    long found = 0;
    for (long i = 0; i < trials; i++) {
      found += filter.mightContain(-1 - i) ? 1 : 0;
    }
    assertThat(BinomialInterval.of(found, trials, 1e-9).low())
        .isLessThanOrEqualTo(filter.expectedFpp());
    assertThat(filter.approximateElementCount()).isBetween(99_000L, 116_000L);
  }

  /** The clock jumps between the moment when a put reads it and the one when it stores the key. */
  @ParameterizedTest
  @ValueSource(ints = {3, 7, 15, 31, 47})
  void aPutDuringAJumpIsNotLiveInAnotherGeneration(int generations) {
    for (int jump = 0; jump <= 160; jump++) {
      PrefixWindow window = PrefixWindow.create(PrefixSizes.of(1e-9), generations);
      window.advance(0, true);
      int to = jump;
      window.whenPutting(
          () -> {
            window.whenPutting(() -> {});
            window.advance(to, to > generations);
          });
      int result = window.put(1, 0, false);
      boolean isLive = to <= generations;
      assertThat(result)
          .isEqualTo(isLive ? WindowStore.CHANGED | WindowStore.ABSENT : WindowStore.LATE);
      for (int next = to; next < to + 70; next++) {
        assertThat(window.contains(1)).isEqualTo(next <= generations);
        window.advance(next + 1, false);
      }
    }
  }

  /** The same without a jump that empties the window: the clock enters one generation at a time. */
  @ParameterizedTest
  @ValueSource(ints = {3, 7, 15, 31, 47})
  void aPutDuringRotationsIsNotLiveInAnotherGeneration(int generations) {
    for (int rotations = 0; rotations <= 70; rotations++) {
      PrefixWindow window = PrefixWindow.create(PrefixSizes.of(1e-9), generations);
      window.advance(0, true);
      int to = rotations;
      window.whenPutting(
          () -> {
            window.whenPutting(() -> {});
            for (int next = 1; next <= to; next++) {
              window.advance(next, false);
            }
          });
      int result = window.put(1, 0, false);
      assertThat(result == WindowStore.LATE).isEqualTo(to > generations);
      assertThat(window.contains(1)).isEqualTo(to <= generations);
    }
  }

  /** A key that another put stored in a newer generation in the meantime is present. */
  @Test
  void onlyOneOfTwoPutsFindsTheKeyAbsent() {
    PrefixWindow window = PrefixWindow.create(PrefixSizes.of(1e-9), 7);
    window.advance(0, true);
    int[] other = {0};
    window.whenPutting(
        () -> {
          window.whenPutting(() -> {});
          window.advance(1, false);
          other[0] = window.put(1, 1, true);
        });
    int result = window.put(1, 0, true);
    assertThat(other[0]).isEqualTo(WindowStore.CHANGED | WindowStore.ABSENT);
    assertThat(result).isZero();
  }

  /** A put or a rotation that runs out of stack holds no lock: the next ones do not wait. */
  @Test
  void aStackOverflowHoldsNoLock() throws InterruptedException {
    PrefixWindow window = PrefixWindow.create(PrefixSizes.of(0.01), 7);
    SmallStack.run(
        () -> {
          for (int round = 0; round < 400; round++) {
            long generation = round / 10;
            long hash = HashScheme.DEFAULT.hash(round);
            assertThat(
                    SmallStack.atItsEnd(
                        () -> {
                          if (window.isLocked()) {
                            throw new AssertionError("the sweep is locked");
                          }
                          window.advance(generation, false);
                          window.put(hash, generation, false);
                          window.sweep(1);
                        }))
                .isTrue();
          }
        });
    assertThat(window.isLocked()).isFalse();
    for (int round = 330; round < 400; round++) {
      assertThat(window.contains(HashScheme.DEFAULT.hash(round))).isTrue();
    }
  }

  @Test
  void tagsOfAnEarlierWindowAreNotMistakenForNewOnes() {
    WindowFilter filter = WindowFilter.builder().window(HOUR).fpp(1e-6).build();
    // few puts, so that only rotations finish the sweep
    for (int generation = 0; generation < 100; generation++) {
      long time = generation * T / 7 + 1000;
      filter.put(generation, at(time));
      for (int older = 0; older <= generation; older++) {
        assertThat(filter.mightContain(older)).isEqualTo(older >= generation - 7);
      }
    }
    assertThat(filter.approximateElementCount()).isEqualTo(8);
  }
}
