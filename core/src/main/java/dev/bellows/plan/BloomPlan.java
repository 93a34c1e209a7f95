package dev.bellows.plan;

import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.HashFloor;
import org.jspecify.annotations.Nullable;

/**
 * The layout and the size of a filter, with its predicted rate.
 *
 * @param layout the layout, which maps keys to bits
 * @param bits the size in bits
 * @param keys the expected number of keys; 0 if only layout and size are known
 * @param fpp the predicted rate for {@code keys} keys in {@code bits} bits, not the target
 */
public record BloomPlan(Layout layout, long bits, long keys, double fpp) {
  /** Creates the plan and computes its predicted rate. */
  public BloomPlan(Layout layout, long bits, long keys) {
    this(layout, bits, keys, layout.fpp(bits, keys));
  }

  /** Returns the number of bits that a key sets, k. */
  public int hashes() {
    return layout.hashes();
  }

  /** Returns the number of bits per expected key. */
  public double bitsPerKey() {
    return (double) bits / keys;
  }

  /**
   * Returns the predicted rate including hash collisions: a fraction keys / 2^64 of all absent keys
   * have the same 64-bit hash as a stored key, so no filter can have a lower rate.
   */
  public double fppWithHash() {
    return HashFloor.with(fpp, keys);
  }

  /**
   * Returns the plan of the smallest filter, over all layouts of the family, whose predicted rate
   * is at most {@code fpp}.
   */
  public static BloomPlan smallest(long keys, double fpp, Layout.Family family) {
    return solve(keys, fpp, null, family, null);
  }

  /**
   * Returns the plan that follows from any two of keys, fpp and bits, with a layout of the family;
   * null means "not given". Given bits are used exactly, and a given fpp is an upper bound. If keys
   * are not given, the plan has the largest number of keys that meets fpp.
   */
  public static BloomPlan solve(
      @Nullable Long keys, @Nullable Double fpp, @Nullable Long bits, Layout.Family family) {
    return solve(keys, fpp, bits, family, null);
  }

  /** Returns the plan that follows from any two of keys, fpp and bits, with the given layout. */
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
    if (bits == null && keys != null && fpp != null) {
      Layout layout = given == null ? family.smallest(keys, fpp) : given;
      return sized(keys, fpp, layout.bitsFor(keys, fpp), layout);
    }
    if (bits != null && keys == null && fpp != null) {
      Layout layout = given == null ? family.forFpp(fpp) : given;
      return new BloomPlan(layout, bits, layout.keysFor(bits, fpp));
    }
    if (bits == null || keys == null) {
      throw new IllegalArgumentException(
          "the plan needs two values: keys and fpp, keys and bits, or bits and fpp");
    }
    BloomPlan plan = new BloomPlan(given == null ? family.best(bits, keys) : given, bits, keys);
    if (fpp != null && plan.fpp > fpp) {
      Layout layout = given == null ? family.forFpp(fpp) : given;
      throw new IllegalArgumentException(
          ("%d keys in %d bits with %d hashes have fpp %s, above the requested %s: "
                  + "use at least %d bits")
              .formatted(
                  keys, bits, plan.hashes(), Prose.fpp(plan.fpp), fpp, layout.bitsFor(keys, fpp)));
    }
    return plan;
  }

  /**
   * Returns the plan of {@code BloomFilter.create}: the layout depends only on fpp and family, so
   * that filters with the same fpp can be merged at any sizes, and the number of bits is slightly
   * above the need and has many divisors ({@link Layout#foldableBits}).
   */
  public static BloomPlan foldable(long keys, double fpp, Layout.Family family) {
    return foldable(keys, fpp, family.forFpp(fpp));
  }

  /** Returns the foldable plan with the given layout. */
  public static BloomPlan foldable(long keys, double fpp, Layout layout) {
    Checks.notNegative(keys, "keys");
    Checks.probability(fpp, "fpp");
    long bits = layout.foldableBits(layout.guaranteedBits(Math.max(1, keys), fpp));
    return new BloomPlan(layout, bits, keys);
  }

  /**
   * Returns the plan for a number of bits that was computed to meet {@code fpp}. Its rate is at
   * most {@code fpp} even if the predicted one is slightly higher because of rounding errors.
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
}
