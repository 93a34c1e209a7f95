package dev.bellows.internal.math;

import static dev.bellows.plan.Oracles.CLOSED_FORM;
import static dev.bellows.plan.Oracles.assertClose;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.bellows.plan.Oracles;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.commons.statistics.distribution.BinomialDistribution;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class JointRatesTest {
  @TestFactory
  Stream<DynamicTest> twoFoldings() {
    return Oracles.cases(
        "000_folding",
        "joint_two_foldings_fpr",
        (c, all) -> {
          long a = c.integer("size_a");
          long b = c.integer("size_b");
          long keys = c.integer("n");
          int hashes = c.small("k");
          assertClose(JointRates.fpp(new long[] {a, b}, keys, hashes), c.out(), CLOSED_FORM);
          assertClose(JointRates.fpp(new long[] {b, a}, keys, hashes), c.out(), CLOSED_FORM);
          assertClose(BloomRates.fppClassic(a, keys, hashes), all.get("fpr_a"), CLOSED_FORM);
        });
  }

  /** Every sequence of throws into the capacity, every hash of an absent key: no approximation. */
  @Test
  void oneHashAgreesWithEveryPossibleFilter() {
    assertExhaustive(12, 4, 4, 6);
    assertExhaustive(30, 3, 6, 10, 15);
    assertExhaustive(30, 3, 2, 3, 5);
    assertExhaustive(12, 4, 3, 4);
    assertExhaustive(24, 3, 8, 12, 6);
  }

  private static void assertExhaustive(int capacity, int keys, long... sizes) {
    long sequences = (long) Math.pow(capacity, keys);
    long passed = 0;
    int[] thrown = new int[keys];
    for (long s = 0; s < sequences; s++) {
      long rest = s;
      for (int i = 0; i < keys; i++) {
        thrown[i] = (int) (rest % capacity);
        rest /= capacity;
      }
      for (int hash = 0; hash < capacity; hash++) {
        passed += passes(hash, thrown, sizes) ? 1 : 0;
      }
    }
    assertClose(JointRates.fpp(sizes, keys, 1), (double) passed / sequences / capacity, 1e-13);
  }

  private static boolean passes(int hash, int[] thrown, long[] sizes) {
    for (long size : sizes) {
      boolean met = false;
      for (int t : thrown) {
        met |= t % size == hash % size;
      }
      if (!met) {
        return false;
      }
    }
    return true;
  }

  /** The double inclusion and exclusion, literally, with 60 digits. */
  @Test
  void agreesWithInclusionExclusionInManyDigits() {
    assertLiteral(40, 4, 120, 168, 210);
    assertLiteral(1, 3, 120, 168, 210);
    assertLiteral(1000, 7, 5040, 6300, 7200, 8400);
    assertLiteral(3, 2, 1_000_000, 1_500_000, 2_250_000);
    assertLiteral(20_000, 5, 720_720 / 5, 720_720 / 7, 720_720 / 11, 720_720 / 13, 720_720 / 16);
    assertLiteral(90_000, 3, 32, 27, 25, 49);
    assertLiteral(100_000, 1, 1L << 20, 1_594_323, 1_953_125);
    assertLiteral(5, 2, 1_000_003L, 1_000_033L, 1_000_037L, 1_000_039L); // lcm beyond long
  }

  private static void assertLiteral(long keys, int hashes, long... sizes) {
    MathContext digits = new MathContext(60);
    BigDecimal sum = BigDecimal.ZERO;
    for (int missed = 0; missed < 1 << sizes.length; missed++) {
      BigDecimal untouched = BigDecimal.ONE;
      for (int set = missed; set > 0; set = (set - 1) & missed) {
        BigDecimal share = BigDecimal.ONE.divide(lcm(sizes, set), digits);
        untouched = untouched.add(sign(Integer.bitCount(set)).multiply(share), digits);
      }
      BigDecimal power = untouched.pow(Math.toIntExact(keys * hashes), digits);
      sum = sum.add(sign(Integer.bitCount(missed)).multiply(power), digits);
    }
    double expected = sum.pow(hashes, digits).doubleValue();
    assertClose(JointRates.fpp(sizes, keys, hashes), expected, CLOSED_FORM);
  }

  private static BigDecimal sign(int count) {
    return count % 2 == 0 ? BigDecimal.ONE : BigDecimal.ONE.negate();
  }

  private static BigDecimal lcm(long[] sizes, int set) {
    java.math.BigInteger multiple = java.math.BigInteger.ONE;
    for (int i = 0; i < sizes.length; i++) {
      if ((set >> i & 1) == 1) {
        java.math.BigInteger size = java.math.BigInteger.valueOf(sizes[i]);
        multiple = multiple.divide(multiple.gcd(size)).multiply(size);
      }
    }
    return new BigDecimal(multiple);
  }

  @Test
  void threeFoldingsAgreeWithSimulation() {
    int capacity = 27720;
    long[] sizes = {capacity / 8, capacity / 9, capacity / 11};
    int keys = 800;
    int hashes = 3;
    int trials = 20_000;
    SplittableRandom random = new SplittableRandom(42);
    int passed = 0;
    for (int trial = 0; trial < trials; trial++) {
      boolean[][] folded = new boolean[sizes.length][];
      for (int i = 0; i < sizes.length; i++) {
        folded[i] = new boolean[(int) sizes[i]];
      }
      for (int t = 0; t < keys * hashes; t++) {
        int cell = random.nextInt(capacity);
        for (int i = 0; i < sizes.length; i++) {
          folded[i][(int) (cell % sizes[i])] = true;
        }
      }
      boolean all = true;
      for (int h = 0; h < hashes; h++) {
        int cell = random.nextInt(capacity);
        for (int i = 0; i < sizes.length; i++) {
          all &= folded[i][(int) (cell % sizes[i])];
        }
      }
      passed += all ? 1 : 0;
    }
    double rate = JointRates.fpp(sizes, keys, hashes);
    BinomialDistribution model = BinomialDistribution.of(trials, rate);
    assertThat(model.cumulativeProbability(passed)).isGreaterThan(5e-10);
    assertThat(model.survivalProbability(passed - 1)).isGreaterThan(5e-10);
    // the test is sensitive enough to reject independent foldings
    double product = 1;
    for (long size : sizes) {
      product *= BloomRates.fppClassic(size, keys, hashes);
    }
    assertThat(BinomialDistribution.of(trials, product).survivalProbability(passed - 1))
        .isLessThan(1e-12);
  }

  @Test
  void nestedSizesGainNothing() {
    assertThat(JointRates.fpp(new long[] {120, 60}, 40, 4))
        .isEqualTo(BloomRates.fppClassic(120, 40, 4));
    assertThat(JointRates.fpp(new long[] {120, 168, 60, 84, 120, 1}, 40, 4))
        .isEqualTo(JointRates.fpp(new long[] {120, 168}, 40, 4));
    assertThat(JointRates.informative(6, 12, 9, 9, 4)).containsExactly(9, 12);
  }

  @Test
  void liesBetweenTheProductAndEachRateAndAboveTheUnfoldedFilter() {
    long capacity = 55440;
    long[] ladder = Divisors.of(capacity);
    SplittableRandom random = new SplittableRandom(3);
    for (int round = 0; round < 200; round++) {
      long a = ladder[random.nextInt(20, ladder.length)];
      long b = ladder[random.nextInt(20, ladder.length)];
      long keys = random.nextLong(1, 3000);
      double joint = JointRates.fpp(new long[] {a, b}, keys, 4);
      double rateA = BloomRates.fppClassic(a, keys, 4);
      double rateB = BloomRates.fppClassic(b, keys, 4);
      assertThat(joint)
          .isLessThanOrEqualTo(Math.min(rateA, rateB) * (1 + 1e-12))
          .isGreaterThanOrEqualTo(rateA * rateB * (1 - 1e-12))
          .isGreaterThanOrEqualTo(BloomRates.fppClassic(capacity, keys, 4) * (1 - 1e-12));
    }
  }

  @Test
  void extremesStayProbabilities() {
    long[] coprime = {1L << 20, 1_594_323, 1_953_125};
    assertThat(JointRates.fpp(coprime, 0, 4)).isZero();
    assertThat(JointRates.fpp(coprime, Long.MAX_VALUE / 2, 4)).isEqualTo(1);
    assertThat(JointRates.fpp(coprime, 1, 1)).isGreaterThan(0).isLessThan(1e-18);
    assertThat(JointRates.fpp(new long[] {2, 3}, 1_000_000, 1)).isEqualTo(1);
    assertThat(JointRates.fpp(new long[] {1, 1}, 1, 1)).isOne();
  }

  @Test
  void pastTenSizesTheTenLargestBoundTheRate() {
    long[] twelve = {64, 81, 125, 343, 121, 169, 289, 361, 529, 841, 961, 1369};
    long[] ten = java.util.Arrays.stream(twelve).sorted().skip(2).toArray();
    assertThat(JointRates.fpp(twelve, 50, 2)).isEqualTo(JointRates.fpp(ten, 50, 2));
    assertThat(JointRates.fpp(ten, 50, 2))
        .isLessThan(JointRates.fpp(java.util.Arrays.copyOf(ten, 9), 50, 2));
  }

  @Test
  void hostileArgumentsAreNamed() {
    assertThatIllegalArgumentException().isThrownBy(() -> JointRates.fpp(new long[0], 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> JointRates.fpp(new long[] {0, 4}, 1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> JointRates.fpp(new long[] {2, 4}, -1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> JointRates.fpp(new long[] {2, 4}, 1, 0));
  }
}
