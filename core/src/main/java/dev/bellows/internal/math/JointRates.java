package dev.bellows.internal.math;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;

/**
 * The false positive rate of several foldings of one CLASSIC filter queried together (Folding
 * paper, Section IV-C; see erratum <a href="{@docRoot}/doc-files/errata.html#F15">F15</a>),
 * generalized to any number of foldings.
 *
 * <p>An absent key with hash h passes if, for every size a, some throw t of the filter has {@code t
 * = h mod a}. A throw hits the subset of foldings in which it has the same remainder as h. It hits
 * at least the subset T with probability {@code 1 / lcm(T)}, because the remainders modulo all
 * sizes of T are equal if and only if t = h modulo their least common multiple. This requires that
 * the sizes divide one capacity, on which the throws are uniform.
 *
 * <p>The textbook solution is a double inclusion-exclusion, over the subsets of foldings that are
 * missed and, for each of them, over least common multiples:
 *
 * <pre>  SUM over S of (-1)^|S| (1 - SUM over T in S, T not empty, of (-1)^(|T|+1) / lcm(T))^(kn)
 * </pre>
 *
 * <p>For lightly filled filters, cancellation destroys all digits of this sum. The inner sum is
 * therefore computed in exact integers, which gives the probability of hitting <i>exactly</i> a
 * subset. The outer sum is replaced by the distribution of the union of all subsets that are hit,
 * whose squaring (n throws, 2n throws, 4n, ...) adds positive terms only and thus keeps the
 * precision. Two foldings have a closed form without cancellation.
 */
public final class JointRates {
  /**
   * The maximum number of sizes that are used, none of which divides another. More would take too
   * long and change little.
   */
  private static final int MOST_SIZES = 10;

  private JointRates() {}

  /**
   * Returns the rate of any number of foldings that are queried together, whose sizes divide one
   * capacity. Sizes that divide another one are ignored, because they add no information. If more
   * than ten sizes remain, only the ten largest are used and the result is an upper bound.
   */
  public static double fpp(long[] sizes, long keys, int hashes) {
    long[] informative = informative(sizes);
    Checks.notNegative(keys, "keys");
    Checks.positive(hashes, "hashes");
    if (keys == 0) {
      return 0;
    }
    if (informative.length == 1) {
      return BloomRates.fppClassic(informative[0], keys, hashes);
    }
    double bits =
        informative.length == 2
            ? bothSet(informative[0], informative[1], (double) hashes * keys)
            : allSet(informative, saturatedProduct(hashes, keys));
    return Math.pow(Math.min(1, bits), hashes);
  }

  /** Returns the sizes that do not divide another one of them, ascending. */
  public static long[] informative(long... sizes) {
    if (sizes.length == 0) {
      throw new IllegalArgumentException("a joint rate needs at least one size, but there is none");
    }
    long[] distinct = Arrays.stream(sizes).distinct().sorted().toArray();
    Checks.positive(distinct[0], "size");
    return Arrays.stream(distinct)
        .filter(a -> Arrays.stream(distinct).noneMatch(b -> b > a && b % a == 0))
        .toArray();
  }

  /**
   * Returns the probability that a bit is one in both of two foldings. With g = gcd(a, b), the
   * bracket of erratum <a href="{@docRoot}/doc-files/errata.html#F15">F15</a> equals {@code
   * (1-A)(1-B) + AB((1 + (g-1)/((a-1)(b-1)))^(kn) - 1)}, where A and B are the probabilities that a
   * bit is still zero: the product of the two fills plus the effect of their dependence.
   */
  private static double bothSet(long a, long b, double throwCount) {
    double logZeroA = throwCount * Precise.log1p(-1.0 / a);
    double logZeroB = throwCount * Precise.log1p(-1.0 / b);
    double common = (Divisors.gcd(a, b) - 1.0) / ((a - 1.0) * (b - 1.0));
    return Precise.expm1(logZeroA) * Precise.expm1(logZeroB)
        + Math.exp(logZeroA + logZeroB) * Precise.expm1(throwCount * Precise.log1p(common));
  }

  private static double allSet(long[] informative, long throwCount) {
    long[] sizes =
        informative.length <= MOST_SIZES
            ? informative
            : Arrays.copyOfRange(informative, informative.length - MOST_SIZES, informative.length);
    double[] single = hitChances(sizes);
    double logNone = Precise.log1p(-Arrays.stream(single).skip(1).sum());
    int all = single.length - 1;
    double[] union = single.clone();
    long done = 1;
    for (int bit = 62 - Long.numberOfLeadingZeros(throwCount); bit >= 0; bit--) {
      union = unite(union, union);
      done *= 2;
      if ((throwCount >>> bit & 1) == 1) {
        union = unite(union, single);
        done++;
      }
      union[0] = Math.exp(done * logNone);
      double others = Arrays.stream(union, 0, all).sum();
      if (others < 0.5) {
        union[all] = 1 - others;
      }
    }
    return union[all];
  }

  /**
   * Returns the distribution of the union of two independent random subsets, given their
   * distributions.
   */
  private static double[] unite(double[] one, double[] other) {
    double[] union = new double[one.length];
    for (int a = 0; a < one.length; a++) {
      for (int b = 0; b < other.length; b++) {
        union[a | b] += one[a] * other[b];
      }
    }
    return union;
  }

  /**
   * Returns, for each subset of the sizes, the probability that a throw has the same remainder as
   * the hash modulo exactly these sizes.
   */
  static double[] hitChances(long[] sizes) {
    BigInteger[] exactly = new BigInteger[1 << sizes.length];
    BigInteger[] multiple = new BigInteger[exactly.length];
    multiple[0] = BigInteger.ONE;
    for (int set = 1; set < multiple.length; set++) {
      BigInteger rest = multiple[set & (set - 1)];
      BigInteger size = BigInteger.valueOf(sizes[Integer.numberOfTrailingZeros(set)]);
      multiple[set] = rest.divide(rest.gcd(size)).multiply(size);
    }
    BigInteger whole = multiple[multiple.length - 1];
    for (int set = 0; set < exactly.length; set++) {
      exactly[set] = whole.divide(multiple[set]);
    }
    for (int bit = 1; bit < exactly.length; bit <<= 1) {
      for (int set = 0; set < exactly.length; set++) {
        if ((set & bit) == 0) {
          exactly[set] = exactly[set].subtract(exactly[set | bit]);
        }
      }
    }
    BigDecimal denominator = new BigDecimal(whole);
    return Arrays.stream(exactly)
        .mapToDouble(
            count -> new BigDecimal(count).divide(denominator, MathContext.DECIMAL64).doubleValue())
        .toArray();
  }

  private static long saturatedProduct(long a, long b) {
    return Precise.multiplyHigh(a, b) == 0 && a * b > 0 ? a * b : Long.MAX_VALUE;
  }
}
