package dev.bellows.internal.range;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Precise;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The bits and false positive rates of a range that is stored as dyadic intervals.
 *
 * <p>An interval of level l contains the 2^l numbers with the same {@code floor(number / 2^l)},
 * counted from the low end of the domain. A range of n numbers is the disjoint union of at most
 * {@code 2 log2(n)} of them; each is one key of {@code hashes} positions. A query for a number
 * tests its interval of every level and accepts the number if one of them is found.
 *
 * <p>No interval that contains a number outside the range is part of the union, so all tests of
 * such a number are for absent keys. With c intervals in m bits it is accepted with probability
 *
 * <pre>  1 - (1 - (1 - e^(-kc/m))^k)^levels.</pre>
 *
 * The number of intervals depends on the start of the range. Its distribution matters, not only its
 * mean, because the rate grows with a power of c. If the start is uniform, every bit of it is 0 or
 * 1 with probability 1/2, and dividing the range level by level is a short Markov chain whose state
 * is the count of numbers that remain to be covered.
 */
public final class DyadicRates {
  /** The maximum number of starts for which the intervals of each are counted. */
  private static final long STARTS_LIMIT = 1 << 12;

  /** An upper bound on the number of intervals of a range of longs. */
  private static final int MOST_INTERVALS = 2 * Long.SIZE;

  private DyadicRates() {}

  /**
   * Returns the number of levels whose intervals fit into a domain: {@code floor(log2 domain) + 1}.
   */
  public static int levels(long domain) {
    return Long.SIZE - Long.numberOfLeadingZeros(Checks.positive(domain, "domain"));
  }

  /** Returns the maximum number of intervals of a range of this many numbers, for any start. */
  public static int mostIntervals(long range) {
    return distribution(range).length - 1;
  }

  /** An interval: the 2^level numbers starting with {@code index * 2^level}. */
  public record Interval(int level, long index) {}

  /** Visits an interval of a cover; returns false to stop. */
  @FunctionalInterface
  public interface Visitor {
    boolean visit(int level, long index);
  }

  /**
   * Visits the fewest intervals that cover the numbers from first to last, small ones first, and
   * returns false iff a visit returned false.
   *
   * @param top the highest level
   * @param signed whether numbers may be negative; otherwise, they are unsigned
   */
  public static boolean cover(long first, long last, int top, boolean signed, Visitor visitor) {
    long low = first;
    long high = last;
    for (int level = 0; level < top; level++) {
      if (low == high) {
        return visitor.visit(level, low);
      }
      if ((low & 1) == 1) {
        if (!visitor.visit(level, low)) {
          return false;
        }
        low++;
      }
      if ((high & 1) == 0) {
        if (!visitor.visit(level, high)) {
          return false;
        }
        if (low == high) {
          return true;
        }
        high--;
      }
      low = signed ? low >> 1 : low >>> 1;
      high = signed ? high >> 1 : high >>> 1;
    }
    // two intervals of the top level exist only in a domain of more than 2^63 numbers
    return visitor.visit(top, low) && (low == high || visitor.visit(top, high));
  }

  /** Returns the number of intervals of the {@link #cover}. */
  public static int intervals(long start, long range) {
    return cover(start, range).size();
  }

  /**
   * Returns the smallest set of intervals that covers the range starting at {@code start}, counted
   * from the low end of the domain; small intervals first.
   */
  public static List<Interval> cover(long start, long range) {
    Checks.notNegative(start, "start");
    List<Interval> cover = new ArrayList<>();
    cover(
        start,
        start + Checks.positive(range, "range") - 1,
        Long.SIZE - 1,
        false,
        (level, index) -> cover.add(new Interval(level, index)));
    return cover;
  }

  /**
   * Returns the probabilities of needing 0, 1, 2, ... intervals when every alignment of the start
   * is equally likely.
   *
   * <p>At each level the count of remaining numbers has at most two neighboring values. If the low
   * end is odd, one interval is cut off at the low end; if the remaining count is odd, one at the
   * high end; the rest is halved.
   */
  public static double[] distribution(long range) {
    double[] result = new double[MOST_INTERVALS];
    double[][] mass = {new double[MOST_INTERVALS], new double[MOST_INTERVALS]};
    mass[0][0] = 1;
    // mass[i] is the probability that left - i numbers remain to be covered
    for (long left = Checks.positive(range, "range"); left > 0; left >>= 1) {
      double[][] next = {new double[MOST_INTERVALS], new double[MOST_INTERVALS]};
      for (int i = 0; i < 2 && i < left; i++) {
        for (int below = 0; below < 2; below++) {
          long rest = left - i - below;
          int above = (int) (rest & 1);
          double[] target = next[(int) ((left >> 1) - (rest >> 1))];
          for (int c = 0; c + below + above < MOST_INTERVALS; c++) {
            target[c + below + above] += mass[i][c] / 2;
          }
        }
      }
      if (left == 1) {
        add(result, mass[1]);
      }
      mass = next;
    }
    add(result, mass[0]);
    int length = MOST_INTERVALS;
    while (result[length - 1] == 0) {
      length--;
    }
    return Arrays.copyOf(result, length);
  }

  private static void add(double[] sum, double[] term) {
    for (int i = 0; i < sum.length; i++) {
      sum[i] += term[i];
    }
  }

  /** Returns the mean number of intervals of a range whose start is uniform in the domain. */
  public static double meanIntervals(long domain, long range) {
    double[] distribution = distribution(domain, range);
    double mean = 0;
    for (int c = 0; c < distribution.length; c++) {
      mean += c * distribution[c];
    }
    return mean;
  }

  /** Returns the average number of bits that a range sets: {@code hashes} for each interval. */
  public static double insertionBits(long domain, long range, int hashes) {
    return Checks.positive(hashes, "hashes") * meanIntervals(domain, range);
  }

  /** Returns the rate averaged over all starts, with all levels of the domain. */
  public static double fpp(long bits, int hashes, long domain, long range) {
    Checks.positive(bits, "bits");
    Checks.positive(hashes, "hashes");
    if (Checks.atLeast(range, domain, "domain") == range) {
      return 0;
    }
    return mean(bits, hashes, levels(domain), distribution(domain, range), 0);
  }

  /**
   * Returns the rate averaged over a distribution of the number of intervals, in a filter with this
   * many other keys.
   */
  public static double mean(
      long bits, int hashes, int levels, double[] distribution, double otherKeys) {
    double sum = 0;
    for (int c = 0; c < distribution.length; c++) {
      if (distribution[c] > 0) {
        double fill = RangeRates.fill(bits, hashes * (otherKeys + c));
        sum += distribution[c] * fppAtFill(hashes, levels, fill);
      }
    }
    return sum;
  }

  /**
   * Returns {@code 1 - (1 - fill^k)^levels}: the rate in a filter with this fraction of one bits.
   */
  public static double fppAtFill(int hashes, int levels, double fill) {
    return -Precise.expm1(levels * Precise.log1p(-RangeRates.power(fill, hashes)));
  }

  /** Returns the distribution over all starts in a domain, which are enumerated if they are few. */
  public static double[] distribution(long domain, long range) {
    long starts = Checks.atLeast(range, domain, "domain") - range + 1;
    if (starts > STARTS_LIMIT) {
      return distribution(range);
    }
    double[] distribution = new double[mostIntervals(range) + 1];
    for (long start = 0; start < starts; start++) {
      distribution[intervals(start, range)] += 1.0 / starts;
    }
    return distribution;
  }
}
