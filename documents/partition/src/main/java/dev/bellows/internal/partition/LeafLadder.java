package dev.bellows.internal.partition;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Bisection;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.math.Divisors;
import java.util.ArrayList;
import java.util.List;

/**
 * The sizes that a leaf's filter can have in a partition tree: the unit size and smaller ones, each
 * with the maximum number of keys at which the rate, averaged over hash functions, meets the
 * target.
 *
 * <p>Folding the unit size itself would give at most a half, a third and a quarter of it, which is
 * too coarse for leaves that are mostly more than half full. The sizes are therefore foldings of a
 * capacity of 210 units, which is never allocated. Each of them is about a tenth larger than the
 * one before it.
 *
 * @param ascending the sizes, the unit size last
 */
public record LeafLadder(List<Size> ascending) {
  /** 2 * 3 * 5 * 7. */
  private static final long CAPACITY_UNITS = 210;

  /**
   * The smallest ratio of two neighboring sizes. If it were smaller, rebuilding filters would cost
   * more than the memory saved.
   */
  private static final double LEAST_STEP = 1.08;

  /** A size and the maximum number of keys that it may hold. */
  public record Size(long bits, long maxKeys) {}

  public LeafLadder {
    ascending = List.copyOf(ascending);
  }

  /** Returns the sizes up to a unit of this many bits that holds this many keys. */
  public static LeafLadder of(long unitBits, long unitKeys, int hashes, double fpp) {
    List<Size> sizes = new ArrayList<>();
    double least = 0;
    for (long divisor : Divisors.of(CAPACITY_UNITS * (unitBits / Long.SIZE))) {
      long bits = divisor * Long.SIZE;
      if (bits >= least && bits * LEAST_STEP <= unitBits) {
        long keys = maxKeys(bits, unitKeys, hashes, fpp);
        if (keys > 0) {
          sizes.add(new Size(bits, keys));
          least = bits * LEAST_STEP;
        }
      }
    }
    sizes.add(new Size(unitBits, unitKeys));
    return new LeafLadder(sizes);
  }

  /**
   * Returns the unit size alone. If the rate must be below that of the unit, leaves hold fewer
   * keys.
   */
  public static LeafLadder unit(
      long unitBits, long unitKeys, int hashes, double fpp, double unitFpp) {
    long keys = fpp >= unitFpp ? unitKeys : maxKeys(unitBits, unitKeys, hashes, fpp);
    return new LeafLadder(List.of(new Size(unitBits, keys)));
  }

  /**
   * Returns the maximum number of keys at which the rate, corrected by erratum <a
   * href="{@docRoot}/doc-files/errata.html#C1">C1</a>, is at most fpp.
   */
  private static long maxKeys(long bits, long unitKeys, int hashes, double fpp) {
    double slack = 1 + hashes * (hashes - 1.0) / (4.0 * bits);
    return Bisection.first(
            1, unitKeys + 1, keys -> BloomRates.fppClassic(bits, keys, hashes) * slack > fpp)
        - 1;
  }

  /** Returns the smallest size, in bits, that holds this many keys; 0 for no keys. */
  public long bitsFor(long keys) {
    if (Checks.notNegative(keys, "keys") == 0) {
      return 0;
    }
    for (Size size : ascending) {
      if (size.maxKeys >= keys) {
        return size.bits;
      }
    }
    return ascending.get(ascending.size() - 1).bits;
  }
}
