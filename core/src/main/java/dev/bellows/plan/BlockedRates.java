package dev.bellows.plan;

import dev.bellows.internal.Checks;

/**
 * The false positive rate of a BLOCKED filter: the mean over the uneven loads of its blocks.
 *
 * <p>A key sets, in one block of eight 64-bit lanes, {@code perLane = k/8} independent positions in
 * every lane. A block that received j keys therefore answers an outsider with
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
    long keys = 1L << 40; // so many that the loads are Poisson
    double low = 0;
    double high = 1;
    while (overLoads(keys, high / keys, hashes) < fpp) {
      low = high;
      high *= 2;
    }
    for (int i = 0; i < 60; i++) {
      double mid = (low + high) / 2;
      if (overLoads(keys, mid / keys, hashes) <= fpp) {
        low = mid;
      } else {
        high = mid;
      }
    }
    return BLOCK_BITS / low;
  }

  /** The fewest blocks that hold the rate. */
  public static long blocksFor(long keys, int hashes, double fpp) {
    Checks.notNegative(keys, "keys");
    double real = keys * bitsPerKey(hashes, fpp) / BLOCK_BITS;
    if (!(real < Long.MAX_VALUE / (double) BLOCK_BITS)) {
      throw new IllegalArgumentException(
          keys + " keys at fpp " + fpp + " need " + real + " blocks of 512 bits: too many");
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
    long low = 0;
    long high = (long) (blocks * BLOCK_BITS / bitsPerKey(hashes, fpp) * 1.2) + 16;
    while (low < high) {
      long mid = (low + high + 1) >>> 1;
      if (fpp(blocks, mid, hashes) <= fpp) {
        low = mid;
      } else {
        high = mid - 1;
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
