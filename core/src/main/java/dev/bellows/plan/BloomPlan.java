package dev.bellows.plan;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.layout.BlockedCells;
import dev.bellows.internal.layout.Cells;
import dev.bellows.internal.math.HashFloor;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a filter and its predicted rate: {@code fpp} is always the prediction for {@code
 * keys} keys in {@code bits} bits, not the requested rate.
 */
public record BloomPlan(
    long keys, double fpp, long bits, int hashes, Layout layout, @Nullable Pattern pattern) {
  /** The plan of a filter of which only the shape is known; CLASSIC has no pattern. */
  public static BloomPlan shape(long bits, int hashes, Layout layout, @Nullable Pattern pattern) {
    return of(0, 0, bits, Cells.of(layout, pattern, hashes));
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

  /** The smallest filter, over all numbers of hashes, whose predicted rate is at most fpp. */
  public static BloomPlan smallest(long keys, double fpp, Layout layout) {
    return solve(keys, fpp, null, null, layout);
  }

  /**
   * Completes any sufficient subset of keys, fpp, bits and hashes; null is "not given". Given bits
   * and hashes are kept, and a given fpp is an upper limit. If keys are not given, they become the
   * most that fit.
   */
  public static BloomPlan solve(
      @Nullable Long keys,
      @Nullable Double fpp,
      @Nullable Long bits,
      @Nullable Integer hashes,
      Layout layout) {
    return solve(keys, fpp, bits, layout, hashes == null ? null : Cells.of(layout, hashes));
  }

  /** The same for BLOCKED filters of one pattern. */
  public static BloomPlan solve(
      @Nullable Long keys, @Nullable Double fpp, @Nullable Long bits, Pattern pattern) {
    return solve(keys, fpp, bits, Layout.BLOCKED, new BlockedCells(pattern));
  }

  private static BloomPlan solve(
      @Nullable Long keys,
      @Nullable Double fpp,
      @Nullable Long bits,
      Layout layout,
      @Nullable Cells given) {
    checkGiven(keys, fpp, bits);
    if (bits == null) {
      if (keys == null || fpp == null) {
        throw insufficient();
      }
      Cells cells = given == null ? Cells.smallest(layout, keys, fpp) : given;
      return sized(keys, fpp, cells.bitsFor(keys, fpp), cells);
    }
    if (keys == null) {
      if (fpp == null) {
        throw insufficient();
      }
      Cells cells = given == null ? Cells.forFpp(layout, fpp) : given;
      return predict(cells.keysFor(bits, fpp), bits, cells);
    }
    BloomPlan plan = predict(keys, bits, given == null ? Cells.best(layout, bits, keys) : given);
    if (fpp != null && plan.fpp > fpp) {
      Cells cells = given == null ? Cells.forFpp(layout, fpp) : given;
      throw new IllegalArgumentException(
          "%d keys in %d bits with %d hashes have fpp %s, above the requested %s: take at least %d bits"
              .formatted(keys, bits, plan.hashes, plan.fpp, fpp, cells.bitsFor(keys, fpp)));
    }
    return plan;
  }

  /**
   * The filter {@code BloomFilter.create} makes: hashes depend on fpp and layout alone, so that
   * filters of one fpp merge at any size, and bits are a size with many divisors at most 3 % above
   * the need (decision 5).
   */
  public static BloomPlan foldable(long keys, double fpp, Layout layout) {
    return foldable(keys, fpp, Cells.forFpp(layout, fpp));
  }

  /** The foldable filter with a given number of hashes. */
  public static BloomPlan foldable(long keys, double fpp, int hashes, Layout layout) {
    return foldable(keys, fpp, Cells.of(layout, hashes));
  }

  /** The foldable BLOCKED filter of a pattern. */
  public static BloomPlan foldable(long keys, double fpp, Pattern pattern) {
    return foldable(keys, fpp, new BlockedCells(pattern));
  }

  private static BloomPlan foldable(long keys, double fpp, Cells cells) {
    Checks.notNegative(keys, "keys");
    Checks.probability(fpp, "fpp");
    return predict(keys, cells.foldableBits(cells.guaranteedBits(Math.max(1, keys), fpp)), cells);
  }

  /** The size with the most divisors at most 3 % (BLOCKED: 2 %) above the need (decision 5). */
  public static long foldableBits(double need, Layout layout) {
    return Cells.forFpp(layout, 0.01).foldableBits(need);
  }

  /** The rate of any shape. */
  public static double fpp(long bits, long keys, int hashes, Layout layout) {
    return Cells.of(layout, hashes).fpp(bits, keys);
  }

  /** The number of hashes that needs the fewest bits per key for the rate. */
  public static int hashesFor(double fpp, Layout layout) {
    return Cells.forFpp(layout, fpp).hashes();
  }

  /** The fewest bits that hold the rate. */
  public static long bitsFor(long keys, int hashes, double fpp, Layout layout) {
    return Cells.of(layout, hashes).bitsFor(keys, fpp);
  }

  /** The most keys at the rate. */
  public static long keysFor(long bits, int hashes, double fpp, Layout layout) {
    return Cells.of(layout, hashes).keysFor(bits, fpp);
  }

  /**
   * The plan for bits that were computed to hold fpp: rounding errors alone must not raise its rate
   * above fpp.
   */
  private static BloomPlan sized(long keys, double fpp, long bits, Cells cells) {
    double predicted = cells.fpp(bits, keys);
    double rate = predicted <= fpp * (1 + 1e-12) ? Math.min(predicted, fpp) : predicted;
    return of(keys, rate, bits, cells);
  }

  private static BloomPlan of(long keys, double fpp, long bits, Cells cells) {
    return new BloomPlan(keys, fpp, bits, cells.hashes(), cells.layout(), cells.pattern());
  }

  private static BloomPlan predict(long keys, long bits, Cells cells) {
    return of(keys, cells.fpp(bits, keys), bits, cells);
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
