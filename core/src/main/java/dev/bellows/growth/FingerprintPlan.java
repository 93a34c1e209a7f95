package dev.bellows.growth;

import dev.bellows.internal.base.Checks;

/**
 * The number of bits of a hash that a growing filter stores so that its rate does not exceed {@code
 * fpp} during its first thirty doublings.
 *
 * <p>A prefix of length L matches an absent key with probability 2^-L, and the rate is the sum over
 * all prefixes. Prefixes lie in chunks of 512 buckets; a chunk with c keys splits in two. A put
 * stores {@code slack} bits beyond those that choose its bucket, whose number is the binary
 * logarithm of the number of buckets at that time. Therefore the keys of each doubling contribute c
 * / 2^(10 + slack), those of the first chunk twice as much, and after X doublings the rate is
 *
 * <pre>c (X + 2) / 2^(10 + slack)</pre>
 *
 * @param fpp the rate that the filter does not exceed during the first {@link #DOUBLINGS} doublings
 * @param slack the number of bits that a put stores beyond those that choose a bucket
 * @param chunkKeys the maximum number of keys of a chunk, c
 */
public record FingerprintPlan(double fpp, int slack, int chunkKeys) {
  /**
   * The number of doublings of a full chunk during which the rate holds: up to 5e11 keys with 511
   * in a chunk.
   */
  public static final int DOUBLINGS = 30;

  /**
   * The lowest possible rate. A prefix has at most 63 bits, so the rate of n keys is at least n /
   * 2^63.
   */
  public static final double LEAST_FPP = 1e-15;

  private static final int BUCKET_BITS = 9;
  private static final int MOST_KEYS = (1 << BUCKET_BITS) - 1;

  /**
   * The minimum load of a bucket: below it, buckets cost more than one more bit of slack, which
   * doubles the load.
   */
  private static final double LEAST_LOAD = 0.7;

  /** Validates the parameters. */
  public FingerprintPlan {
    requireRate(fpp);
    Checks.inRange(1, 62, slack, "slack");
    Checks.inRange(1, MOST_KEYS, chunkKeys, "chunkKeys");
  }

  /** Returns the plan for a rate. */
  public static FingerprintPlan of(double fpp) {
    requireRate(fpp);
    int slack = 1;
    while (load(fpp, slack) < LEAST_LOAD) {
      slack++;
    }
    int keys = (int) Math.min(MOST_KEYS, load(fpp, slack) * (1 << BUCKET_BITS));
    return new FingerprintPlan(fpp, slack, keys);
  }

  private static double requireRate(double fpp) {
    Checks.probability(fpp, "fpp");
    if (fpp < LEAST_FPP) {
      throw new IllegalArgumentException(
          "fpp %s is below %s, the smallest rate that 64-bit hashes allow"
              .formatted(fpp, LEAST_FPP));
    }
    return fpp;
  }

  /**
   * Returns the number of keys per bucket at which the rate after all doublings is exactly {@code
   * fpp}.
   */
  private static double load(double fpp, int slack) {
    return Math.scalb(2 * fpp, slack) / (DOUBLINGS + 2);
  }

  /** Returns the expected rate with this many keys. */
  public double fppAt(double keys) {
    if (!(keys >= 0)) {
      throw new IllegalArgumentException("keys must be at least 0, not " + keys);
    }
    double sum = Math.scalb(Math.min(keys, chunkKeys), -bits(0));
    for (int depth = 1; ; depth++) {
      double before = Math.scalb((double) chunkKeys, depth - 1);
      if (keys <= before) {
        return Math.min(1, sum);
      }
      sum += Math.scalb(Math.min(keys, 2 * before) - before, -bits(depth));
    }
  }

  /** Returns the number of bits that a put stores in a chunk of this depth. */
  private int bits(int depth) {
    return Math.min(63, slack + BUCKET_BITS + depth);
  }

  /** Returns the expected total number of heap bits per key with this many keys. */
  public double bitsPerKey(double keys) {
    Checks.positive((long) keys, "keys");
    int depth = 0;
    while (keys > Math.scalb((double) chunkKeys, depth)) {
      depth++;
    }
    double inChunk = Math.scalb(keys, -depth);
    // slots with a one after each prefix and spare room, spilled prefixes with their bucket, two
    // bits for each bucket, headers
    double slots = inChunk * (slack + 1) * 1.04 + spilled(inChunk) * BUCKET_BITS;
    return (slots + (2 << BUCKET_BITS) + 2 * 64 + 8 * 24) / inChunk;
  }

  /**
   * Returns the expected number of keys of a chunk that are at least the fourth in their bucket
   * (Poisson).
   */
  private static double spilled(double inChunk) {
    double load = Math.scalb(inChunk, -BUCKET_BITS);
    return Math.scalb(load - 3 + Math.exp(-load) * (3 + 2 * load + load * load / 2), BUCKET_BITS);
  }
}
