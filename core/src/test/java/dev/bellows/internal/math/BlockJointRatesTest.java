package dev.bellows.internal.math;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.bellows.Pattern;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BlockJointRatesTest {
  private static final double ALPHA = 1e-9;

  @ParameterizedTest
  @CsvSource({
    "8, 1, 5000, 24 36 60", "8, 2, 2000, 24 36", "8, 1, 6000, 30 42 70 105",
    "2, 2, 3500, 24 36", "2, 2, 4000, 24 36 60", "2, 2, 5000, 30 42 70 105",
    "2, 3, 4500, 30 42", "2, 3, 5000, 24 36 60", "2, 3, 6000, 30 42 70 105",
    "4, 2, 2500, 24 36", "4, 2, 5500, 24 36 60", "4, 2, 6500, 30 42 70 105",
    "4, 3, 2200, 24 36", "4, 3, 4500, 24 36 60", "4, 3, 6000, 30 42 70 105",
    "1, 4, 3000, 24 36", "2, 5, 4500, 24 36 60"
  })
  void agreesWithSimulatedFilters(int words, int bits, int keys, String sizes) {
    Pattern pattern = new Pattern(words, bits);
    long[] blocks = Arrays.stream(sizes.split(" ")).mapToLong(Long::parseLong).toArray();
    int trials = 20_000;
    int passed = new Simulation(pattern, blocks).passed(keys, trials);
    double rate = BlockJointRates.fpp(pattern, blocks, keys);
    BinomialDistribution model = BinomialDistribution.of(trials, rate);
    String what = "%d passed, %.1f expected".formatted(passed, rate * trials);
    assertThat(model.cumulativeProbability(passed)).as(what).isGreaterThan(ALPHA / 2);
    assertThat(model.survivalProbability(passed - 1)).as(what).isGreaterThan(ALPHA / 2);
    // the test is sensitive enough to reject independent foldings
    double product = 1;
    for (long size : blocks) {
      product *= BlockRates.of(pattern).fpp(size, keys);
    }
    assertThat(BinomialDistribution.of(trials, product).survivalProbability(passed - 1))
        .as("%d, independent %s", passed, product * trials)
        .isLessThan(ALPHA / 2);
  }

  /** Filters with one absent key each, in cell 0; only keys that share a block with it count. */
  static final class Simulation {
    private final Pattern pattern;
    private final long[] blocks;
    private final int capacity;
    private final int[] shared;
    private final int[] absentWord;
    private final long[] wanted;
    private final int[] word;
    private final long[] mask;
    private final SplittableRandom random = new SplittableRandom(99);

    Simulation(Pattern pattern, long[] blocks) {
      this.pattern = pattern;
      this.blocks = blocks;
      this.absentWord = new int[pattern.words()];
      this.wanted = new long[pattern.words()];
      this.word = new int[pattern.words()];
      this.mask = new long[pattern.words()];
      this.capacity = (int) Arrays.stream(blocks).reduce(1, (a, b) -> a / Divisors.gcd(a, b) * b);
      this.shared =
          IntStream.range(0, capacity)
              .filter(cell -> Arrays.stream(blocks).anyMatch(size -> cell % size == 0))
              .toArray();
    }

    int passed(int keys, int trials) {
      int passed = 0;
      for (int trial = 0; trial < trials; trial++) {
        passed += passes(keys) ? 1 : 0;
      }
      return passed;
    }

    private boolean passes(int keys) {
      draw(absentWord, wanted);
      long[][] met = new long[blocks.length][pattern.words()];
      // the number of keys between two that share a block is geometric
      double logElse = Math.log1p(-(double) shared.length / capacity);
      for (int key = gap(logElse); key < keys; key += 1 + gap(logElse)) {
        int cell = shared[random.nextInt(shared.length)];
        draw(word, mask);
        for (int folding = 0; folding < blocks.length; folding++) {
          boolean isShared = cell % blocks[folding] == 0;
          for (int group = 0; isShared && group < word.length; group++) {
            if (word[group] == absentWord[group]) {
              met[folding][group] |= mask[group];
            }
          }
        }
      }
      for (long[] folding : met) {
        for (int group = 0; group < pattern.words(); group++) {
          if ((wanted[group] & ~folding[group]) != 0) {
            return false;
          }
        }
      }
      return true;
    }

    private int gap(double logElse) {
      return (int) Math.min(Math.log(1 - random.nextDouble()) / logElse, 1 << 30);
    }

    private void draw(int[] words, long[] masks) {
      Arrays.fill(masks, 0);
      for (int group = 0; group < masks.length; group++) {
        words[group] = random.nextInt(8 / masks.length);
      }
      for (int i = 0; i < pattern.hashes(); i++) {
        masks[i % masks.length] |= 1L << random.nextInt(64);
      }
    }
  }

  /** More nodes change nothing: the quadrature over the loads has converged. */
  @Test
  void theQuadratureHasConverged() {
    int[][] more = {{}, {}, {0, 20, 20}, {0, 9, 7, 12}, {0, 6, 4, 3, 12}};
    for (int[] shape : new int[][] {{2, 2}, {2, 3}, {4, 2}, {4, 3}, {8, 1}, {8, 2}}) {
      Pattern pattern = new Pattern(shape[0], shape[1]);
      for (long[] blocks :
          new long[][] {{6000, 9000}, {5544, 6552, 8008}, {3000, 4200, 7000, 10_500}}) {
        long keys = BlockRates.of(pattern).keysFor(blocks[0], 0.01);
        double rate = BlockJointRates.fpp(pattern, blocks, keys);
        double[] loads = BlockJointRates.loads(blocks, keys);
        double finer = new BlockJointRates.Mean(pattern, loads, more[blocks.length]).fpp();
        assertThat(rate).isCloseTo(finer, within(1e-4 * finer));
      }
    }
  }

  /** Four foldings in which every subset has keys: fewer nodes are used, and they suffice. */
  @ParameterizedTest
  @CsvSource({
    "4, 2, 4000, 64 126 168 210",
    "8, 1, 3000, 64 126 168 210",
    "2, 2, 3000, 64 126 168 210"
  })
  void fewerNodesAreEnoughWhereAllWouldTakeLong(int words, int bits, int keys, String sizes) {
    Pattern pattern = new Pattern(words, bits);
    long[] blocks = Arrays.stream(sizes.split(" ")).mapToLong(Long::parseLong).toArray();
    double[] loads = BlockJointRates.loads(blocks, keys);
    double all = new BlockJointRates.Mean(pattern, loads, new int[] {0, 5, 3, 3, 10}).fpp();
    double rate = BlockJointRates.fpp(pattern, blocks, keys);
    assertThat(rate).isNotEqualTo(all).isCloseTo(all, within(2e-5 * all));
  }

  @Test
  void nestedFoldingsGainNothingAndOthersDo() {
    for (int[] shape : new int[][] {{8, 1}, {2, 3}, {4, 4}}) {
      Pattern pattern = new Pattern(shape[0], shape[1]);
      double alone = BlockRates.of(pattern).fpp(120, 6000);
      assertThat(BlockJointRates.fpp(pattern, new long[] {120, 60, 40}, 6000)).isEqualTo(alone);
      double two = BlockJointRates.fpp(pattern, new long[] {120, 126}, 6000);
      double three = BlockJointRates.fpp(pattern, new long[] {120, 126, 140}, 6000);
      assertThat(two).isLessThan(alone);
      assertThat(three).isLessThan(two).isGreaterThan(BlockRates.of(pattern).fpp(2520, 6000));
      assertThat(BlockJointRates.fpp(pattern, new long[] {120, 126}, 0)).isZero();
    }
  }

  @Test
  void hostileArgumentsAreNamed() {
    Pattern pattern = new Pattern(2, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockJointRates.fpp(pattern, new long[] {0, 6}, 10));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockJointRates.fpp(pattern, new long[] {4, 6}, -10));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockJointRates.fpp(pattern, new long[0], 10));
  }
}
