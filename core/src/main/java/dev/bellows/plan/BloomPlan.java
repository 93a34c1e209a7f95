package dev.bellows.plan;

import dev.bellows.internal.Checks;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a filter and the rate it promises: {@code fpp} is always the prediction for {@code
 * keys} keys in {@code bits} bits, never the wish.
 */
public record BloomPlan(long keys, double fpp, long bits, int hashes, Layout layout) {
  /** A foldable size may exceed the need by this factor (decision 5). */
  private static final double FOLDABLE_SLACK = 1.03;

  /** BLOCKED already spends a few per cent on uneven blocks and gets less. */
  private static final double FOLDABLE_SLACK_BLOCKED = 1.02;

  /** Bits per expected key. */
  public double bitsPerKey() {
    return (double) bits / keys;
  }

  /** The smallest filter, over all numbers of hashes, whose predicted rate is at most fpp. */
  public static BloomPlan smallest(long keys, double fpp, Layout layout) {
    return solve(keys, fpp, null, null, layout);
  }

  /**
   * Completes any sufficient subset of keys, fpp, bits and hashes; null is "not given". Given bits
   * and hashes are kept, given fpp is an upper limit, missing keys become as many as fit.
   */
  public static BloomPlan solve(
      @Nullable Long keys,
      @Nullable Double fpp,
      @Nullable Long bits,
      @Nullable Integer hashes,
      Layout layout) {
    checkGiven(keys, fpp, bits, hashes, layout);
    if (bits == null) {
      if (keys == null || fpp == null) {
        throw insufficient();
      }
      return hashes == null
          ? smallestOverHashes(keys, fpp, layout)
          : sized(keys, fpp, bitsFor(keys, hashes, fpp, layout), hashes, layout);
    }
    if (keys == null) {
      if (fpp == null) {
        throw insufficient();
      }
      int k = hashes == null ? hashesFor(fpp, layout) : hashes;
      return predict(keysFor(bits, k, fpp, layout), bits, k, layout);
    }
    BloomPlan plan =
        predict(keys, bits, hashes == null ? best(bits, keys, layout) : hashes, layout);
    if (fpp != null && plan.fpp > fpp) {
      throw new IllegalArgumentException(
          "%d keys in %d bits with %d hashes have fpp %s, above the asked %s: take at least %d bits"
              .formatted(
                  keys,
                  bits,
                  plan.hashes,
                  plan.fpp,
                  fpp,
                  bitsFor(keys, hashes == null ? hashesFor(fpp, layout) : hashes, fpp, layout)));
    }
    return plan;
  }

  /**
   * The filter {@code BloomFilter.create} makes: hashes depend on fpp and layout alone, so that
   * filters of one fpp merge at any size, and bits are a size with many divisors at most 3 % above
   * the need (decision 5).
   */
  public static BloomPlan foldable(long keys, double fpp, Layout layout) {
    return foldable(keys, fpp, hashesFor(fpp, layout), layout);
  }

  /** The foldable filter with a given number of hashes. */
  public static BloomPlan foldable(long keys, double fpp, int hashes, Layout layout) {
    Checks.notNegative(keys, "keys");
    Checks.probability(fpp, "fpp");
    long need = guaranteedBits(Math.max(1, keys), hashes, fpp, layout);
    return predict(keys, foldableBits(need, layout), hashes, layout);
  }

  /** The size with the most divisors at most 3 % (BLOCKED: 2 %) above the need (decision 5). */
  public static long foldableBits(double need, Layout layout) {
    int unit = layout == Layout.CLASSIC ? Long.SIZE : layout.cellBits();
    double slack = layout == Layout.CLASSIC ? FOLDABLE_SLACK : FOLDABLE_SLACK_BLOCKED;
    if (!(need * slack < Long.MAX_VALUE)) {
      throw new IllegalArgumentException(need + " bits are more than any filter has");
    }
    long low = Math.max(1, (long) Math.ceil(need / unit));
    return unit * Divisors.mostDivisible(low, Math.max(low, (long) (need * slack / unit)));
  }

  /** The rate of any shape. */
  public static double fpp(long bits, long keys, int hashes, Layout layout) {
    return layout == Layout.CLASSIC
        ? BloomRates.fpp(bits, keys, hashes)
        : BlockedRates.fpp(blocks(bits), keys, hashes);
  }

  /** The number of hashes that needs the fewest bits per key for the rate. */
  public static int hashesFor(double fpp, Layout layout) {
    return layout == Layout.CLASSIC ? BloomRates.hashesFor(fpp) : BlockedRates.hashesFor(fpp);
  }

  /** The fewest bits that hold the rate. */
  public static long bitsFor(long keys, int hashes, double fpp, Layout layout) {
    return layout == Layout.CLASSIC
        ? BloomRates.bitsFor(keys, hashes, fpp)
        : BlockedRates.BLOCK_BITS * BlockedRates.blocksFor(keys, hashes, fpp);
  }

  /** The most keys at the rate. */
  public static long keysFor(long bits, int hashes, double fpp, Layout layout) {
    return layout == Layout.CLASSIC
        ? BloomRates.keysFor(bits, hashes, fpp)
        : BlockedRates.keysFor(blocks(bits), hashes, fpp);
  }

  /** Bits at which even the exact rate holds: the exponential one lies up to k(k+1)/4m below it. */
  private static long guaranteedBits(long keys, int hashes, double fpp, Layout layout) {
    long bits = bitsFor(keys, hashes, fpp, layout);
    if (layout == Layout.BLOCKED) {
      return bits;
    }
    double slack = 1 + hashes * (hashes + 1.0) / (4.0 * bits);
    return bitsFor(keys, hashes, fpp / slack, layout);
  }

  private static BloomPlan smallestOverHashes(long keys, double fpp, Layout layout) {
    if (layout == Layout.BLOCKED) {
      int k = BlockedRates.hashesFor(fpp);
      return sized(keys, fpp, bitsFor(keys, k, fpp, layout), k, layout);
    }
    // the need is unimodal in k; ties of tiny filters go to the smallest k (errata N2)
    int likely = BloomRates.hashesFor(fpp);
    int best = likely;
    long fewest = Long.MAX_VALUE;
    for (int k = Math.max(1, likely / 2); k <= likely + 1; k++) {
      long bits = BloomRates.bitsFor(keys, k, fpp);
      if (bits < fewest) {
        fewest = bits;
        best = k;
      }
    }
    return sized(keys, fpp, fewest, best, layout);
  }

  private static int best(long bits, long keys, Layout layout) {
    if (layout == Layout.CLASSIC) {
      return keys == 0 ? 1 : BloomRates.bestHashes(bits, keys);
    }
    long blocks = blocks(bits);
    return BlockedRates.fpp(blocks, keys, 8) <= BlockedRates.fpp(blocks, keys, 16) ? 8 : 16;
  }

  /** The plan for bits that were computed to hold fpp: rounding alone may not lift its rate. */
  private static BloomPlan sized(long keys, double fpp, long bits, int hashes, Layout layout) {
    double predicted = fpp(bits, keys, hashes, layout);
    double rate = predicted <= fpp * (1 + 1e-12) ? Math.min(predicted, fpp) : predicted;
    return new BloomPlan(keys, rate, bits, hashes, layout);
  }

  private static BloomPlan predict(long keys, long bits, int hashes, Layout layout) {
    return new BloomPlan(keys, fpp(bits, keys, hashes, layout), bits, hashes, layout);
  }

  private static long blocks(long bits) {
    if (bits < 1 || bits % BlockedRates.BLOCK_BITS != 0) {
      throw new IllegalArgumentException(
          "BLOCKED sizes are multiples of 512 bits: "
              + bits
              + " is not; the nearest are "
              + Math.max(512, bits / 512 * 512)
              + " and "
              + (bits / 512 + 1) * 512);
    }
    return bits / BlockedRates.BLOCK_BITS;
  }

  private static void checkGiven(
      @Nullable Long keys,
      @Nullable Double fpp,
      @Nullable Long bits,
      @Nullable Integer hashes,
      Layout layout) {
    if (keys != null) {
      Checks.notNegative(keys, "keys");
    }
    if (fpp != null) {
      Checks.probability(fpp, "fpp");
    }
    if (bits != null) {
      Checks.positive(bits, "bits");
    }
    if (hashes != null) {
      Checks.positive(hashes, "hashes");
      if (layout == Layout.BLOCKED) {
        BlockedRates.checkHashes(hashes);
      }
    }
  }

  private static IllegalArgumentException insufficient() {
    return new IllegalArgumentException(
        "not enough to plan with: give keys and fpp, keys and bits, or bits and fpp");
  }
}
