package dev.bellows.internal.math;

import dev.bellows.Pattern;
import dev.bellows.internal.base.Checks;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The false positive rate of a {@link Pattern}: a table by the load of a block, the mean over
 * loads, and solvers for sizes and numbers of keys.
 *
 * <p><b>One word.</b> An absent key tests d different positions of 64, where d is the number of
 * different values among b independent ones. Let a(d) be the probability that all d were hit by the
 * throws so far. One more throw hits one of the d with probability d/64 and leaves d - 1 for the
 * others:
 *
 * <pre>  a'(d) = (1 - d/64) a(d) + (d/64) a(d - 1),      a(0) = 1.</pre>
 *
 * <p>This is equal to inclusion-exclusion, but without differences: every term is positive, so a
 * rate of 1e-12 keeps its digits.
 *
 * <p><b>One group of words.</b> A key in the block throws b times at the word with probability s/8,
 * and not at all otherwise. Both cases are linear in the vector a, so one more key is one
 * multiplication by a small matrix.
 *
 * <p><b>One block.</b> Given the load, the s groups are independent, so the rate of the block is
 * that of a group to the power s. <b>The filter.</b> The load is binomial: each of n keys chooses
 * this block with probability 1/blocks.
 */
public final class BlockRates {
  /** The number of bits in a block: one cache line. */
  public static final int BLOCK_BITS = 512;

  private static final double WORD_BITS = 64;

  /**
   * Less than the logarithm of every positive double, so that a rate of 0 is below every target.
   */
  private static final double LOG_ZERO = -1000;

  /** An upper limit on the number of steps of the root search, far more than it needs. */
  private static final int MOST_STEPS = 200;

  /**
   * More blocks than any filter has. Twice as many blocks still have a number of bits that fits
   * into a long.
   */
  private static final double MOST_BLOCKS = Long.MAX_VALUE / (2.0 * BLOCK_BITS);

  /** A number of keys at which loads are Poisson-distributed within the precision of doubles. */
  private static final long MANY = 1L << 40;

  private static final Map<Pattern, BlockRates> TABLES = new ConcurrentHashMap<>();

  private final Pattern pattern;

  /** The rate of one block by its load; 1 for loads beyond the end. */
  private final double[] byLoad;

  private BlockRates(Pattern pattern) {
    this.pattern = pattern;
    this.byLoad = tabulate(pattern);
  }

  public static BlockRates of(Pattern pattern) {
    return TABLES.computeIfAbsent(pattern, BlockRates::new);
  }

  private static double[] tabulate(Pattern pattern) {
    double[][] key = oneKey(pattern);
    double[] different = differentOf(pattern.bits());
    double[] hit = new double[pattern.bits() + 1];
    hit[0] = 1;
    double[] rates = new double[256];
    double before = -1;
    int load = 0;
    for (double rate = 0; rate > before; load++) {
      if (load == rates.length) {
        rates = Arrays.copyOf(rates, 2 * load);
      }
      rates[load] = rate;
      before = rate;
      for (int d = hit.length - 1; d > 0; d--) {
        double sum = 0;
        for (int e = 0; e <= d; e++) {
          sum += key[d][e] * hit[e];
        }
        hit[d] = sum;
      }
      double group = 0;
      for (int d = 1; d < hit.length; d++) {
        group += different[d] * hit[d];
      }
      rate = power(Math.min(1, group), pattern.words());
    }
    return Arrays.copyOf(rates, load);
  }

  /**
   * Returns the matrix by which one key of the block changes the probabilities that d positions of
   * a word are hit.
   */
  private static double[][] oneKey(Pattern pattern) {
    int bits = pattern.bits();
    double[][] thrown = new double[bits + 1][bits + 1];
    for (int d = 0; d <= bits; d++) {
      thrown[d][d] = 1;
    }
    for (int i = 0; i < bits; i++) {
      for (int d = bits; d > 0; d--) {
        for (int e = 0; e <= d; e++) {
          thrown[d][e] = (1 - d / WORD_BITS) * thrown[d][e] + d / WORD_BITS * thrown[d - 1][e];
        }
      }
    }
    double touched = pattern.words() / 8.0;
    for (int d = 0; d <= bits; d++) {
      for (int e = 0; e <= d; e++) {
        thrown[d][e] = touched * thrown[d][e] + (d == e ? 1 - touched : 0);
      }
    }
    return thrown;
  }

  /**
   * Returns the distribution of the number of different values among this many independent ones of
   * 64.
   */
  static double[] differentOf(int bits) {
    double[] different = new double[bits + 1];
    different[0] = 1;
    for (int i = 0; i < bits; i++) {
      for (int d = bits; d > 0; d--) {
        different[d] =
            different[d] * (d / WORD_BITS) + different[d - 1] * ((WORD_BITS - d + 1) / WORD_BITS);
      }
      different[0] = 0;
    }
    return different;
  }

  /** Returns a power by squaring; the exponent is a power of two. */
  static double power(double base, int words) {
    double power = base;
    for (int done = 1; done < words; done *= 2) {
      power *= power;
    }
    return power;
  }

  double blockFpp(long load) {
    return load < byLoad.length ? byLoad[(int) Checks.notNegative(load, "load")] : 1;
  }

  public double fpp(long blocks, long keys) {
    Checks.positive(blocks, "blocks");
    Checks.notNegative(keys, "keys");
    return blocks == 1 ? blockFpp(keys) : overLoads(keys, 1.0 / blocks);
  }

  /**
   * Returns the mean of {@link #blockFpp} over binomial loads, summed outwards from the most likely
   * load.
   */
  private double overLoads(long keys, double share) {
    if (keys == 0) {
      return 0;
    }
    long mode = Math.min(keys, (long) ((keys + 1.0) * share));
    if (mode - 10 * Math.sqrt(mode) > byLoad.length) {
      return 1;
    }
    double odds = share / (1 - share);
    double weights = 0;
    double sum = 0;
    double weight = 1;
    for (long j = mode; j <= keys && weight > 1e-18 * sum; j++) {
      weights += weight;
      sum += weight * blockFpp(j);
      weight *= (double) (keys - j) / (j + 1) * odds;
    }
    weight = 1;
    for (long j = mode; j > 0; j--) {
      weight *= j / ((double) (keys - j + 1) * odds);
      if (weight < 1e-18 * weights) {
        break;
      }
      weights += weight;
      sum += weight * blockFpp(j - 1);
    }
    return sum / weights;
  }

  public double bitsPerKey(double fpp) {
    Checks.probability(fpp, "fpp");
    // regula falsi (Illinois) on the logarithms, because the rate is nearly a power of the load
    double low = 0;
    double lowGap = logGap(0, fpp);
    double high = lowGap < 0 ? 1 : -1;
    double highGap = logGap(high, fpp);
    while (lowGap < 0 == highGap < 0) {
      low = high;
      lowGap = highGap;
      high *= 2;
      highGap = logGap(high, fpp);
    }
    for (int step = 0; step < MOST_STEPS && highGap != 0; step++) {
      if (!(Math.abs(high - low) > 1e-14 * Math.max(1, Math.abs(high)))) {
        break;
      }
      double next = high - highGap * (high - low) / (highGap - lowGap);
      double gap = logGap(next, fpp);
      if (gap < 0 == highGap < 0) {
        lowGap /= 2;
      } else {
        low = high;
        lowGap = highGap;
      }
      if (next == high) {
        break;
      }
      high = next;
      highGap = gap;
    }
    return BLOCK_BITS / Math.exp(high);
  }

  /**
   * Returns the logarithm of the ratio of the rate at a load to the target rate: negative if the
   * load underflows to 0, positive if it is so high that the rate is 1.
   */
  private double logGap(double logLoad, double fpp) {
    double rate = overLoads(MANY, Math.exp(logLoad) / MANY);
    return Math.max(Math.log(rate), LOG_ZERO) - Math.log(fpp);
  }

  public long blocksFor(long keys, double fpp) {
    double perKey = bitsPerKey(fpp);
    if (Checks.notNegative(keys, "keys") == 0) {
      return 1;
    }
    double real = keys * perKey / BLOCK_BITS;
    if (!(real < MOST_BLOCKS)) {
      throw new IllegalArgumentException(
          ("%d keys at fpp %s need %.3g blocks of 512 bits with pattern %s: use "
                  + "layout CLASSIC")
              .formatted(keys, fpp, real, pattern));
    }
    // the Poisson answer is slightly too large for few blocks: step down, then up
    long high = Math.max(1, (long) Math.ceil(real) + 1);
    for (long step = 1; fpp(high, keys) > fpp && high < MOST_BLOCKS; step *= 2) {
      high += step;
    }
    long low = Math.max(1, (long) (real * 0.9) - 1);
    return Bisection.first(low, high, blocks -> fpp(blocks, keys) <= fpp);
  }

  public long keysFor(long blocks, double fpp) {
    Checks.positive(blocks, "blocks");
    long low = (long) (blocks * (BLOCK_BITS / bitsPerKey(fpp)));
    long step = 1 + low / 4096;
    while (low > 0 && fpp(blocks, low) > fpp) {
      low = Math.max(0, low - step);
      step *= 2;
    }
    long high = sum(low, step);
    while (fpp(blocks, high) <= fpp) {
      if (high == Long.MAX_VALUE) {
        return high;
      }
      low = high;
      step = sum(step, step);
      high = sum(high, step);
    }
    return Bisection.first(low + 1, high, keys -> fpp(blocks, keys) > fpp) - 1;
  }

  /** Returns the sum of two non-negative numbers, or the largest long on overflow. */
  private static long sum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}
