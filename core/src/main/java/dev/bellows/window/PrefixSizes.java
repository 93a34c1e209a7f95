package dev.bellows.window;

import dev.bellows.internal.base.Checks;

/**
 * How many bits of a hash are kept.
 *
 * <p>A put into a chunk of depth d stores d + 9 + {@code slack} bits, and a chunk has at most
 * {@code chunkKeys} = c prefixes. Of the live prefixes, let N(j) be those that were put at depth j.
 * When a chunk was split at depth j for the last time, all of those that were put at j or less were
 * in it, so that N(0) + ... + N(j) is at most c 2^j over all chunks. Under these conditions the sum
 * of N(j) / 2^(j + 9 + slack) is highest if the sums are as large as they may be: with D doublings
 * between the least depth of a live prefix and the present one,
 *
 * <pre>c (D + 2) / 2^(10 + slack)</pre>
 *
 * <p>is the most. D counts doublings inside one window only: what was put before has expired.
 *
 * @param fpp the rate that is not exceeded through {@link #DOUBLINGS} doublings in a window
 * @param slack the bits that a put stores beyond its bucket
 * @param chunkKeys the most prefixes of a chunk
 */
record PrefixSizes(double fpp, int slack, int chunkKeys) {
  /** The load of a window may grow by 2^10 inside a window. */
  static final int DOUBLINGS = 10;

  private static final int BUCKET_BITS = 9;
  private static final int MOST_KEYS = (1 << BUCKET_BITS) - 1;
  private static final double LEAST_LOAD = 0.7;

  /** The least rate: prefixes have at most 58 bits next to the longest tag. */
  static final double LEAST_FPP = 1e-12;

  static PrefixSizes of(double fpp) {
    Checks.probability(fpp, "fpp");
    if (fpp < LEAST_FPP) {
      throw new IllegalArgumentException(
          "fpp %s is below %s, the least of a window of prefixes: give keys(), for a ring of bits"
              .formatted(fpp, LEAST_FPP));
    }
    int slack = 1;
    while (load(fpp, slack) < LEAST_LOAD) {
      slack++;
    }
    return new PrefixSizes(fpp, slack, (int) Math.min(MOST_KEYS, load(fpp, slack) * 512));
  }

  /** The keys of a bucket at which the rate after all doublings is just fpp. */
  private static double load(double fpp, int slack) {
    return Math.scalb(2 * fpp, slack) / (DOUBLINGS + 2);
  }

  /** The highest rate after this many doublings inside a window. */
  double fppAfter(int doublings) {
    return Math.scalb((doublings + 2.0) * chunkKeys, -(BUCKET_BITS + 1 + slack));
  }

  /**
   * The bits of heap per key of a window, to expect in a steady state: those of a prefix and its
   * tag, for the keys of one generation more than a window has, in chunks that are filled to about
   * 1/ln 2 halves.
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

  /** The bits of a tag: one half of the tags is live, the other one is being swept. */
  static int tagBits(int generations) {
    return Integer.numberOfTrailingZeros(2 * (generations + 1));
  }
}
