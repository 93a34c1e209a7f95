package dev.bellows.internal.rates;

import dev.bellows.internal.base.Checks;

/**
 * The false positive rate of a BLOCKED filter: the mean over the uneven loads of its blocks.
 *
 * <p>A key sets, in one block of eight 64-bit lanes, {@code perLane = k/8} independent positions in
 * every lane. A block that received j keys therefore passes an absent key with probability
 *
 * <pre>  (1 - (63/64)^j)^8                                         for one position per lane,
 *  (1 - (2 - 1/64)(63/64)^2j + (63/64)(62/64)^2j)^8   for two,</pre>
 *
 * both without approximation, since lanes are independent and the bracket is the expectation of
 * (ones/64)^perLane. The load j is binomial: n keys, each choosing this block with probability
 * 1/blocks.
 */
public final class BlockedRates {
  /** Bits in a block: one cache line. */
  public static final int BLOCK_BITS = 512;

  private static final int LANES = 8;
  private static final double LANE_BITS = 64;

  private BlockedRates() {}

  /** Returns the hashes if a block can hold them: one or two positions per lane. */
  public static int checkHashes(int hashes) {
    if (hashes != LANES && hashes != 2 * LANES) {
      throw new IllegalArgumentException(
          "BLOCKED takes 8 or 16 hashes (one or two bits in each of 8 lanes), not "
              + hashes
              + "; layout CLASSIC takes any number");
    }
    return hashes;
  }

  /** The predicted rate of {@code blocks} blocks that hold {@code keys} keys. */
  public static double fpp(long blocks, long keys, int hashes) {
    Checks.positive(blocks, "blocks");
    Checks.notNegative(keys, "keys");
    checkHashes(hashes);
    if (blocks == 1) {
      return blockFpp(keys, hashes);
    }
    return overLoads(keys, 1.0 / blocks, hashes);
  }

  /** The rate of one block that holds {@code load} keys. */
  public static double blockFpp(long load, int hashes) {
    double missing = Math.log1p(-1 / LANE_BITS);
    if (hashes == LANES) {
      return Math.pow(-Math.expm1((double) load * missing), LANES);
    }
    // 1 - 2q + r with q, r near 1 for small loads: (1 - q)^2 + (r - q^2) keeps the digits
    double notFirst = Math.expm1(2.0 * load * missing);
    double same = -notFirst;
    double q2 = Math.exp(4.0 * load * missing);
    double both = q2 * Math.expm1(2.0 * load * (Math.log1p(-2 / LANE_BITS) - 2 * missing));
    double different = notFirst * notFirst + both;
    return Math.pow(same / LANE_BITS + (1 - 1 / LANE_BITS) * different, LANES);
  }

  /** The number of hashes (8 or 16) that needs fewer bits per key for the rate. */
  public static int hashesFor(double fpp) {
    return bitsPerKey(LANES, fpp) <= bitsPerKey(2 * LANES, fpp) ? LANES : 2 * LANES;
  }

  /** Bits per key at which the rate is held in a filter of very many blocks. */
  public static double bitsPerKey(int hashes, double fpp) {
    Checks.probability(fpp, "fpp");
    checkHashes(hashes);
    // false position (Illinois) on the logarithms, where the rate is nearly a power of the load
    double low = 0;
    double lowGap = logGap(0, hashes, fpp);
    double high = lowGap < 0 ? 1 : -1;
    double highGap = logGap(high, hashes, fpp);
    while (lowGap < 0 == highGap < 0) {
      low = high;
      lowGap = highGap;
      high *= 2;
      highGap = logGap(high, hashes, fpp);
    }
    while (Math.abs(high - low) > 1e-14 * Math.max(1, Math.abs(high)) && highGap != 0) {
      double next = high - highGap * (high - low) / (highGap - lowGap);
      double gap = logGap(next, hashes, fpp);
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

  /** How far the rate at a load, as logarithms, lies above the wish; loads are Poisson. */
  private static double logGap(double logLoad, int hashes, double fpp) {
    double many = 1L << 40;
    return Math.log(overLoads((long) many, Math.exp(logLoad) / many, hashes)) - Math.log(fpp);
  }

  /** The fewest blocks that hold the rate. */
  public static long blocksFor(long keys, int hashes, double fpp) {
    Checks.notNegative(keys, "keys");
    double real = keys * bitsPerKey(hashes, fpp) / BLOCK_BITS;
    if (!(real < Long.MAX_VALUE / (double) BLOCK_BITS)) {
      throw new IllegalArgumentException(
          keys
              + " keys at fpp "
              + fpp
              + " need "
              + real
              + " blocks of 512 bits: take layout CLASSIC");
    }
    // the Poisson answer is a hair too large for few blocks: walk down, then up
    long high = Math.max(1, (long) Math.ceil(real) + 1);
    while (fpp(high, keys, hashes) > fpp) {
      high++;
    }
    long low = Math.max(1, (long) (real * 0.9) - 1);
    while (low < high) {
      long mid = (low + high) >>> 1;
      if (fpp(mid, keys, hashes) <= fpp) {
        high = mid;
      } else {
        low = mid + 1;
      }
    }
    return high;
  }

  /** The most keys at the rate. */
  public static long keysFor(long blocks, int hashes, double fpp) {
    Checks.positive(blocks, "blocks");
    long low = (long) (blocks * (BLOCK_BITS / bitsPerKey(hashes, fpp)));
    long step = 1 + low / 4096;
    while (low > 0 && fpp(blocks, low, hashes) > fpp) {
      low = Math.max(0, low - step);
      step *= 2;
    }
    long high = low + step;
    while (fpp(blocks, high, hashes) <= fpp) {
      low = high;
      step *= 2;
      high += step;
    }
    while (high - low > 1) {
      long mid = (low + high) >>> 1;
      if (fpp(blocks, mid, hashes) <= fpp) {
        low = mid;
      } else {
        high = mid;
      }
    }
    return low;
  }

  /** Mean of {@link #blockFpp} over binomial loads, walked outwards from the likeliest load. */
  private static double overLoads(long keys, double share, int hashes) {
    if (keys == 0) {
      return 0;
    }
    double odds = share / (1 - share);
    long mode = Math.min(keys, (long) ((keys + 1.0) * share));
    double weights = 0;
    double sum = 0;
    double weight = 1;
    for (long j = mode; j <= keys && weight > 1e-18 * sum; j++) {
      weights += weight;
      sum += weight * blockFpp(j, hashes);
      weight *= (double) (keys - j) / (j + 1) * odds;
    }
    weight = 1;
    for (long j = mode; j > 0; j--) {
      weight *= j / ((double) (keys - j + 1) * odds);
      if (weight < 1e-18 * weights) {
        break;
      }
      weights += weight;
      sum += weight * blockFpp(j - 1, hashes);
    }
    return sum / weights;
  }
}
