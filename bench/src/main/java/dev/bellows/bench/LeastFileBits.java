package dev.bellows.bench;

import dev.bellows.growth.FingerprintPlan;
import java.util.Arrays;

/** The information-theoretic minimum for files of fingerprint filters. */
final class LeastFileBits {
  /** The number of bits that choose a bucket of a chunk. */
  private static final int BUCKET_BITS = 9;

  private LeastFileBits() {}

  /**
   * Returns the expected minimum number of bits per key of any file with the prefixes of this many
   * keys, cut to a rate.
   *
   * <p>The keys of each doubling have random prefixes of one length: if C of them are cut to m
   * bits, they are one of binomial(2^m, C) equally likely sets. Keys of several doublings can be
   * cut to the same length, so that the file need not distinguish them. Different parts of the hash
   * space can be cut in different ways. The minimum is therefore the solution of a linear program:
   * the ways are weighted by their fraction of the hash space, under the condition that the rates
   * add up to fpp. This method solves the dual program: the maximum, over the price of the rate, of
   * the cost of the cheapest way.
   *
   * @param fpp the rate of the file
   */
  static double of(FingerprintPlan plan, double keys, double fpp) {
    double low = 0;
    double high = 128;
    // the cost is concave in the price, so a ternary search for its logarithm finds the maximum
    while (high - low > 1e-6) {
      double third = (high - low) / 3;
      if (atPrice(plan, keys, fpp, low + third) < atPrice(plan, keys, fpp, high - third)) {
        low += third;
      } else {
        high -= third;
      }
    }
    return atPrice(plan, keys, fpp, low);
  }

  /**
   * Returns the minimum cost in bits per key if a rate of 1 costs 2^price bits, minus the cost of
   * fpp.
   */
  private static double atPrice(FingerprintPlan plan, double keys, double fpp, double price) {
    int doublings = 1;
    while (keys > keysAt(plan, doublings - 1)) {
      doublings++;
    }
    double[] least = new double[doublings + 1];
    Arrays.fill(least, 1, doublings + 1, Double.POSITIVE_INFINITY);
    for (int end = 1; end <= doublings; end++) {
      for (int from = end - 1; from >= 0; from--) {
        // the keys of adjacent doublings, the first of which has the shortest prefixes
        double count =
            Math.min(keys, keysAt(plan, end - 1)) - (from == 0 ? 0 : keysAt(plan, from - 1));
        double cost = cost(count, bits(plan, from), price);
        least[end] = Math.min(least[end], least[from] + cost);
      }
    }
    return (least[doublings] - fpp * Math.pow(2, price)) / keys;
  }

  /** Returns the number of keys at the end of a doubling. */
  private static double keysAt(FingerprintPlan plan, int depth) {
    return Math.scalb((double) plan.chunkKeys(), depth);
  }

  /**
   * Returns the minimum cost in bits of prefixes that are all cut to one length of at most {@code
   * mostBits}.
   */
  private static double cost(double count, int mostBits, double price) {
    double least = Double.POSITIVE_INFINITY;
    for (int bits = mostBits; bits >= 1; bits--) {
      double share = Math.scalb(count, -bits);
      if (share >= 1) {
        break;
      }
      double set = -Math.log(share) - (1 - share) / share * Math.log1p(-share);
      double cost = count * set / Math.log(2) + share * Math.pow(2, price);
      if (cost > least) {
        // the cost is convex in the number of bits
        break;
      }
      least = cost;
    }
    return least;
  }

  /** Returns the number of bits that a put stores in a chunk of this depth. */
  private static int bits(FingerprintPlan plan, int depth) {
    return Math.min(63, plan.slack() + BUCKET_BITS + depth);
  }
}
