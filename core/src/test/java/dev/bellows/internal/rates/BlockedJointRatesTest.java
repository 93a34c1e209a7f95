package dev.bellows.internal.rates;

import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bellows.internal.numbers.Divisors;
import java.util.SplittableRandom;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.apache.commons.statistics.distribution.PoissonDistribution;
import org.junit.jupiter.api.Test;

class BlockedJointRatesTest {
  @Test
  void theQuadratureIsExactForPolynomials() {
    for (double mean : new double[] {1e-12, 0.01, 0.7, 5, 60, 4000}) {
      CharlierRule rule = new CharlierRule(mean, 5);
      double[] moments = new double[10];
      for (int degree = 0; degree < moments.length; degree++) {
        double recursive = degree == 0 ? 1 : 0;
        double binomial = 1;
        for (int i = 0; i < degree; i++) {
          recursive += mean * binomial * moments[i];
          binomial = binomial * (degree - 1 - i) / (i + 1);
        }
        moments[degree] = recursive;
        double sum = 0;
        for (int i = 0; i < rule.nodes.length; i++) {
          sum += rule.weights[i] * Math.pow(rule.nodes[i], degree);
        }
        assertClose(sum, moments[degree], 1e-12);
      }
    }
  }

  /** Two foldings, all loads one by one. */
  @Test
  void twoFoldingsAgreeWithTheSumOverAllLoads() {
    assertClose(
        BlockedJointRates.fpp(new long[] {6000, 9000}, 500_000, 8),
        summed(6000, 9000, 500_000),
        1e-6);
    assertClose(
        BlockedJointRates.fpp(new long[] {6000, 8750}, 300_000, 8),
        summed(6000, 8750, 300_000),
        1e-6);
    assertClose(BlockedJointRates.fpp(new long[] {64, 81}, 3000, 8), summed(64, 81, 3000), 1e-6);
  }

  private static double summed(long a, long b, long keys) {
    double shared = (double) Divisors.gcd(a, b) / ((double) a * b);
    PoissonDistribution onlyA = PoissonDistribution.of(keys * (1.0 / a - shared));
    PoissonDistribution onlyB = PoissonDistribution.of(keys * (1.0 / b - shared));
    PoissonDistribution both = PoissonDistribution.of(keys * shared);
    double sum = 0;
    double stays = 63 / 64.0;
    for (int k = 0; k < 150; k++) {
      for (int i = 0; i < 200; i++) {
        for (int j = 0; j < 200; j++) {
          double kept = Math.pow(stays, k);
          double lane = 1 - kept + kept * (1 - Math.pow(stays, i)) * (1 - Math.pow(stays, j));
          sum += both.probability(k) * onlyA.probability(i) * onlyB.probability(j) * pow8(lane);
        }
        if (onlyA.probability(i) * both.probability(k) < 1e-18 && i > 5) {
          i += 3;
        }
      }
    }
    return sum;
  }

  private static double pow8(double x) {
    double square = x * x;
    return square * square * square * square;
  }

  @Test
  void agreesWithSimulatedFilters() {
    assertSimulated(8, 5000, 20_000, 24, 36, 60);
    assertSimulated(16, 2000, 20_000, 24, 36);
    assertSimulated(8, 6000, 10_000, 30, 42, 70, 105);
  }

  /** Filters of blocks with one or two positions in each of eight lanes, one absent key each. */
  private static void assertSimulated(int hashes, int keys, int trials, long... blocks) {
    int capacity = 1;
    for (long size : blocks) {
      capacity = (int) (capacity / Divisors.gcd(capacity, size) * size);
    }
    SplittableRandom random = new SplittableRandom(99);
    int perLane = hashes / 8;
    int passed = 0;
    for (int trial = 0; trial < trials; trial++) {
      int[] wanted = new int[hashes];
      for (int i = 0; i < hashes; i++) {
        wanted[i] = random.nextInt(64);
      }
      int absent = random.nextInt(capacity);
      boolean[][] met = new boolean[blocks.length][hashes];
      for (int key = 0; key < keys; key++) {
        int cell = random.nextInt(capacity);
        int shared = 0;
        for (int f = 0; f < blocks.length; f++) {
          shared |= cell % blocks[f] == absent % blocks[f] ? 1 << f : 0;
        }
        if (shared == 0) {
          continue;
        }
        for (int i = 0; i < hashes; i++) {
          int position = random.nextInt(64);
          for (int j = i - i % perLane; j < i - i % perLane + perLane; j++) {
            for (int f = 0; position == wanted[j] && f < blocks.length; f++) {
              met[f][j] |= (shared >> f & 1) == 1;
            }
          }
        }
      }
      boolean all = true;
      for (boolean[] folding : met) {
        for (boolean set : folding) {
          all &= set;
        }
      }
      passed += all ? 1 : 0;
    }
    double rate = BlockedJointRates.fpp(blocks, keys, hashes);
    BinomialDistribution model = BinomialDistribution.of(trials, rate);
    assertThat(model.cumulativeProbability(passed))
        .as("%d for %s", passed, rate * trials)
        .isGreaterThan(5e-10);
    assertThat(model.survivalProbability(passed - 1))
        .as("%d for %s", passed, rate * trials)
        .isGreaterThan(5e-10);
    // the test has teeth: independent foldings would be told apart
    double product = 1;
    for (long size : blocks) {
      product *= BlockedRates.fpp(size, keys, hashes);
    }
    assertThat(BinomialDistribution.of(trials, product).survivalProbability(passed - 1))
        .as("%d, independent %s", passed, product * trials)
        .isLessThan(5e-10);
  }

  @Test
  void nestedFoldingsGainNothingAndOthersDo() {
    double alone = BlockedRates.fpp(120, 6000, 8);
    assertThat(BlockedJointRates.fpp(new long[] {120, 60, 40}, 6000, 8)).isEqualTo(alone);
    double two = BlockedJointRates.fpp(new long[] {120, 126}, 6000, 8);
    double three = BlockedJointRates.fpp(new long[] {120, 126, 140}, 6000, 8);
    assertThat(two).isLessThan(alone);
    assertThat(three).isLessThan(two).isGreaterThan(BlockedRates.fpp(2520, 6000, 8));
    assertThat(BlockedJointRates.fpp(new long[] {120, 126}, 0, 8)).isZero();
  }

  @Test
  void hostileArgumentsAreNamed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockedJointRates.fpp(new long[] {4, 6}, 10, 7))
        .withMessageContaining("7");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockedJointRates.fpp(new long[] {0, 6}, 10, 8));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BlockedJointRates.fpp(new long[] {4, 6}, -10, 8));
  }
}
