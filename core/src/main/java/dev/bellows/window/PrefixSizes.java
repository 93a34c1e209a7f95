package dev.bellows.window;

import dev.bellows.internal.base.Checks;

/**
 * The number of bits of a hash that a window of prefixes stores, and the rate that follows from it.
 *
 * <p>A put into a chunk of depth d stores d + 9 + {@code slack} bits, and a chunk has at most
 * {@code chunkKeys} = c prefixes. Let N(j) be the number of live prefixes that were put at depth j.
 * When a chunk of depth j was last split, it contained all of its prefixes that were put at depth j
 * or less, so N(0) + ... + N(j) is at most c 2^j over all chunks. Under these conditions the rate,
 * the sum of N(j) / 2^(j + 9 + slack), is highest if all of these sums reach their bounds. With D
 * doublings between the lowest depth of a live prefix and the current depth, the maximum is
 *
 * <pre>c (D + 2) / 2^(10 + slack)</pre>
 *
 * <p>D counts doublings inside one window only, because older prefixes have expired.
 *
 * @param fpp the rate that is not exceeded after {@link #DOUBLINGS} doublings within a window
 * @param slack the number of bits that a put stores beyond its bucket
 * @param chunkKeys the maximum number of prefixes in a chunk
 */
record PrefixSizes(double fpp, int slack, int chunkKeys) {
  /** The number of times that the load may double within a window. */
  static final int DOUBLINGS = 10;

  private static final int BUCKET_BITS = 9;
  private static final int MOST_KEYS = (1 << BUCKET_BITS) - 1;
  private static final double LEAST_LOAD = 0.7;
  private static final int MOST_TAG_BITS = 6;

  /** The lowest rate that can be requested: with the longest tag, prefixes have at most 57 bits. */
  static final double LEAST_FPP = 1e-12;

  static PrefixSizes of(double fpp) {
    Checks.probability(fpp, "fpp");
    if (fpp < LEAST_FPP) {
      throw new IllegalArgumentException(
          "fpp %s is below %s, the smallest rate of a window of prefixes: set keys() to use a ring of bits"
              .formatted(fpp, LEAST_FPP));
    }
    int slack = 1;
    while (load(fpp, slack) < LEAST_LOAD) {
      slack++;
    }
    return new PrefixSizes(fpp, slack, (int) Math.min(MOST_KEYS, load(fpp, slack) * 512));
  }

  /** Returns the number of keys per bucket at which the rate after all doublings is exactly fpp. */
  private static double load(double fpp, int slack) {
    return Math.scalb(2 * fpp, slack) / (DOUBLINGS + 2);
  }

  /**
   * Returns the expected heap memory per key of a window, in bits, at a steady load: a prefix and
   * its tag for every key of a window and one more generation, in chunks that are on average ln 2
   * (69 %) full.
   */
  double bitsPerLiveKey(int generations) {
    double inChunk = chunkKeys * Math.log(2);
    double load = inChunk / 512;
    double spilled =
        512 * (load - 3 + Math.exp(-load) * (3 + 2 * load + load * load / 2)) * BUCKET_BITS;
    double slots = inChunk * (slack + 1 + tagBits(generations)) * 1.04;
    double perPrefix = (slots + spilled + (2 << BUCKET_BITS) + 2 * 64 + 8 * 24) / inChunk;
    return perPrefix * (generations + 1) / generations;
  }

  /**
   * Returns the number of bits of a tag: one more than an age has, so that half of the tags is live
   * and the other half is being swept. With 47 generations only a quarter of them is being swept,
   * because a tag has at most 6 bits.
   */
  static int tagBits(int generations) {
    return Math.min(MOST_TAG_BITS, ageBits(generations) + 1);
  }

  /** Returns the number of bits that encode an age from 0 to G. */
  static int ageBits(int generations) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(generations);
  }
}
