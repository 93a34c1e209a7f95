package dev.bellows.internal.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bellows.internal.math.SmoothNumbers.Candidate;
import dev.bellows.plan.Oracles;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class SmoothNumbersTest {
  private static long[] inInterval(long from, long within, long smooth) {
    return SmoothNumbers.candidates(from, within, smooth).stream()
        .mapToLong(Candidate::number)
        .toArray();
  }

  @TestFactory
  @SuppressWarnings("unchecked")
  Stream<DynamicTest> intervals() {
    return Oracles.cases(
        "000_folding",
        "smooth_in_interval",
        (c, all) ->
            assertThat(inInterval(c.integer("x"), c.integer("z"), c.integer("y")))
                .containsExactly(
                    ((List<Number>) c.out()).stream().mapToLong(Number::longValue).toArray()));
  }

  @TestFactory
  Stream<DynamicTest> counts() {
    return Oracles.cases(
        "000_folding",
        "psi_count",
        (c, all) ->
            assertThat(inInterval(1, c.integer("x") - 1, c.integer("y")))
                .hasSize(((Number) c.out()).intValue()));
  }

  @Test
  void agreesWithFactorising() {
    SplittableRandom random = new SplittableRandom(12);
    for (int round = 0; round < 300; round++) {
      long from = random.nextLong(1, 1L << random.nextInt(1, 28));
      long within = random.nextLong(0, 300);
      long smooth = random.nextLong(1, 1L << random.nextInt(1, 16));
      long[] brute =
          LongStream.rangeClosed(from, from + within).filter(v -> smooth(v, smooth)).toArray();
      assertThat(inInterval(from, within, smooth))
          .as("[%d, +%d] %d-smooth", from, within, smooth)
          .containsExactly(brute);
      for (Candidate candidate : SmoothNumbers.candidates(from, within, smooth)) {
        assertThat(candidate.divisors()).isEqualTo(Divisors.count(candidate.number()));
      }
    }
  }

  private static boolean smooth(long number, long smooth) {
    return Divisors.factorize(number).keySet().stream().allMatch(p -> p <= smooth);
  }

  @Test
  void segmentsJoinWithoutAGap() {
    long[] found = inInterval(1, 1_000_000, 13);
    assertThat(found)
        .containsExactly(LongStream.rangeClosed(1, 1_000_001).filter(v -> smooth(v, 13)).toArray());
    assertThat(found[0]).isOne();
  }

  @Test
  void farIntervalsOfMillions() {
    long from = 1_000_000_000_000_000L;
    long[] found = inInterval(from, 3_000_000, 47);
    assertThat(found).isNotEmpty().isSorted();
    assertThat(found[0]).isEqualTo(from); // 10^15
    for (long v : found) {
      assertThat(smooth(v, 47)).isTrue();
    }
    // by products instead of a sieve: the same numbers
    assertThat(found).containsExactly(products(from, from + 3_000_000, 47));
  }

  private static long[] products(long low, long high, int smooth) {
    LongStream.Builder found = LongStream.builder();
    multiply(1, Primes.upTo(smooth), Primes.upTo(smooth).length - 1, low, high, found);
    return found.build().sorted().toArray();
  }

  private static void multiply(
      long product, int[] primes, int index, long low, long high, LongStream.Builder found) {
    if (index == 0) {
      long v = product;
      while (v < low) {
        v *= 2;
      }
      if (v <= high) {
        found.add(v);
      }
      return;
    }
    for (long v = product; ; v *= primes[index]) {
      multiply(v, primes, index - 1, low, high, found);
      if (v > high / primes[index]) {
        return;
      }
    }
  }

  @Test
  void largePrimeBoundsAreSettledEarly() {
    long from = 999_999_999_999_900L;
    long half = 40_000_000; // above the square root: decided by the prime that is left
    long[] found = inInterval(from, 100, half);
    assertThat(found)
        .containsExactly(
            LongStream.rangeClosed(from, from + 100).filter(v -> smooth(v, half)).toArray());
    assertThat(inInterval(from, 100, Long.MAX_VALUE)).hasSize(101);
  }

  @Test
  void theVeryEndOfLong() {
    assertThat(inInterval((1L << 62) - 10, 20, 7)).containsExactly(1L << 62);
    assertThat(inInterval(Long.MAX_VALUE, 0, 1000)).isEmpty();
    for (long v : inInterval(Long.MAX_VALUE - 70_000, 70_000, 1000)) {
      assertThat(smooth(v, 1000)).isTrue();
    }
  }

  @Test
  void hostileArgumentsAreNamed() {
    assertThatIllegalArgumentException().isThrownBy(() -> inInterval(0, 5, 5));
    assertThatIllegalArgumentException().isThrownBy(() -> inInterval(5, -1, 5));
    assertThatIllegalArgumentException().isThrownBy(() -> inInterval(5, 1, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> inInterval(Long.MAX_VALUE, 1, 5));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> inInterval(Long.MAX_VALUE, 0, Long.MAX_VALUE))
        .withMessageContaining("100000000");
  }

  @Test
  void searchesThatWouldTakeTooLongOrTooMuchMemoryAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SmoothNumbers.candidates(1000, 1_000_000_001, 7));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SmoothNumbers.candidates(1, 1_000_000_000, 1_000_000_000));
  }
}
