package dev.bellows.plan;

import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.HashFloor;
import org.jspecify.annotations.Nullable;

/**
 * The layout and size of a filter, and its predicted rate.
 *
 * @param layout how keys choose bits
 * @param bits the size
 * @param keys the expected number of keys, 0 where only layout and size are known
 * @param fpp the prediction for {@code keys} keys in {@code bits} bits, not the requested rate
 */
public record BloomPlan(Layout layout, long bits, long keys, double fpp) {
  /** The plan with its predicted rate. */
  public BloomPlan(Layout layout, long bits, long keys) {
    this(layout, bits, keys, layout.fpp(bits, keys));
  }

  /** Bits per key, k. */
  public int hashes() {
    return layout.hashes();
  }

  /** Bits per expected key. */
  public double bitsPerKey() {
    return (double) bits / keys;
  }

  /**
   * The rate with the share of absent keys that have the hash of a stored one, keys / 2^64: no
   * filter whose keys are 64-bit hashes has a lower one.
   */
  public double fppWithHash() {
    return HashFloor.with(fpp, keys);
  }

  /** The smallest filter, over all layouts of the family, whose predicted rate is at most fpp. */
  public static BloomPlan smallest(long keys, double fpp, Layout.Family family) {
    return solve(keys, fpp, null, family, null);
  }

  /**
   * Completes any two of keys, fpp and bits with a layout of the family; null is "not given". Given
   * bits are kept, and a given fpp is an upper limit. If keys are not given, they become the most
   * that fit.
   */
  public static BloomPlan solve(
      @Nullable Long keys, @Nullable Double fpp, @Nullable Long bits, Layout.Family family) {
    return solve(keys, fpp, bits, family, null);
  }

  /** The same for one layout. */
  public static BloomPlan solve(
      @Nullable Long keys, @Nullable Double fpp, @Nullable Long bits, Layout layout) {
    return solve(keys, fpp, bits, layout.family(), layout);
  }

  private static BloomPlan solve(
      @Nullable Long keys,
      @Nullable Double fpp,
      @Nullable Long bits,
      Layout.Family family,
      @Nullable Layout given) {
    checkGiven(keys, fpp, bits);
    if (bits == null) {
      if (keys == null || fpp == null) {
        throw insufficient();
      }
      Layout layout = given == null ? family.smallest(keys, fpp) : given;
      return sized(keys, fpp, layout.bitsFor(keys, fpp), layout);
    }
    if (keys == null) {
      if (fpp == null) {
        throw insufficient();
      }
      Layout layout = given == null ? family.forFpp(fpp) : given;
      return new BloomPlan(layout, bits, layout.keysFor(bits, fpp));
    }
    BloomPlan plan = new BloomPlan(given == null ? family.best(bits, keys) : given, bits, keys);
    if (fpp != null && plan.fpp > fpp) {
      Layout layout = given == null ? family.forFpp(fpp) : given;
      throw new IllegalArgumentException(
          "%d keys in %d bits with %d hashes have fpp %s, above the requested %s: take at least %d bits"
              .formatted(keys, bits, plan.hashes(), plan.fpp, fpp, layout.bitsFor(keys, fpp)));
    }
    return plan;
  }

  /**
   * The filter {@code BloomFilter.create} makes: the layout depends on fpp and family alone, so
   * that filters of one fpp merge at any size, and bits are a size with many divisors little above
   * the need ({@link Layout#foldableBits}).
   */
  public static BloomPlan foldable(long keys, double fpp, Layout.Family family) {
    return foldable(keys, fpp, family.forFpp(fpp));
  }

  /** The foldable filter of one layout. */
  public static BloomPlan foldable(long keys, double fpp, Layout layout) {
    Checks.notNegative(keys, "keys");
    Checks.probability(fpp, "fpp");
    long bits = layout.foldableBits(layout.guaranteedBits(Math.max(1, keys), fpp));
    return new BloomPlan(layout, bits, keys);
  }

  /**
   * The plan for bits that were computed to hold fpp: rounding errors alone must not raise its rate
   * above fpp.
   */
  private static BloomPlan sized(long keys, double fpp, long bits, Layout layout) {
    double predicted = layout.fpp(bits, keys);
    double rate = predicted <= fpp * (1 + 1e-12) ? Math.min(predicted, fpp) : predicted;
    return new BloomPlan(layout, bits, keys, rate);
  }

  private static void checkGiven(@Nullable Long keys, @Nullable Double fpp, @Nullable Long bits) {
    if (keys != null) {
      Checks.notNegative(keys, "keys");
    }
    if (fpp != null) {
      Checks.probability(fpp, "fpp");
    }
    if (bits != null) {
      Checks.positive(bits, "bits");
    }
  }

  private static IllegalArgumentException insufficient() {
    return new IllegalArgumentException(
        "not enough to plan with: give keys and fpp, keys and bits, or bits and fpp");
  }
}
