package dev.bellows.plan;

import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Divisors;
import java.util.Arrays;
import java.util.List;

/**
 * The size to which a filter folds so that its rate lies in a band: the bounds of the sizes whose
 * rate is in {@code [fpp - tolerance, fpp + tolerance]}, the divisors of the capacity between these
 * bounds, and the one to use (Folding paper, Eq. 14; for the bounds see erratum <a
 * href="{@docRoot}/doc-files/errata.html#F2">F2</a>; for the choice, erratum <a
 * href="{@docRoot}/doc-files/errata.html#F10">F10</a>).
 *
 * <p>The rate falls as the size grows, so it is {@code fpp + tolerance} at {@code low} and {@code
 * fpp - tolerance} at {@code high}. The upper bound is infinite if the band reaches down to 0, and
 * 0 if the filter is empty, so that no size reaches the band.
 *
 * @param layout the layout of the filter
 * @param capacity the unfolded size
 * @param keys the number of keys
 * @param low the smallest size inside the band, as a real number
 * @param high the largest size inside the band, as a real number
 * @param admissible the sizes of the ladder inside the band, in ascending order
 * @param target the size to fold to
 * @param factor the fold factor: capacity divided by target
 * @param status the reason for the choice of the target
 * @param fppAtTarget the rate predicted at the target, by the power form for CLASSIC
 */
public record FoldPlan(
    Layout layout,
    long capacity,
    long keys,
    double low,
    double high,
    List<Long> admissible,
    long target,
    long factor,
    Status status,
    double fppAtTarget) {

  /** The relative rounding error that is tolerated for a size on a bound. */
  private static final double ON_THE_BOUND = 1e-13;

  /** The reason for the choice of the target. */
  public enum Status {
    /** The smallest size inside the band. */
    ADMISSIBLE("admissible"),
    /**
     * No size is inside the band; the target is the smallest one above it, which meets the rate.
     */
    SMALLEST_ABOVE("smallest-above"),
    /** Even the capacity is too small for the keys, so the filter stays unfolded. */
    OVER_CAPACITY("over-capacity");

    private final String word;

    Status(String word) {
      this.word = word;
    }

    /** Returns the name of this status on the command line. */
    public String word() {
      return word;
    }
  }

  /** Makes the list immutable. */
  public FoldPlan {
    admissible = List.copyOf(admissible);
  }

  /** Returns the number of bits that a key sets, k. */
  public int hashes() {
    return layout.hashes();
  }

  /** The sizes, as real numbers, between which the rate lies in the band. */
  public record Bounds(double low, double high) {}

  /** Plans the fold of a filter; sizes are multiples of the cells of its layout. */
  public static FoldPlan of(Layout layout, long capacity, long keys, double fpp, double tolerance) {
    Bounds bounds = bounds(layout, keys, fpp, tolerance);
    long[] ladder = ladder(capacity, layout.cellBits());
    double lowest = bounds.low * (1 - ON_THE_BOUND);
    double highest = bounds.high * (1 + ON_THE_BOUND);
    List<Long> inside =
        Arrays.stream(ladder).filter(m -> m >= lowest && m <= highest).boxed().toList();
    Status status = Status.ADMISSIBLE;
    long target = capacity;
    if (!inside.isEmpty()) {
      target = inside.get(0);
    } else if (capacity < lowest) {
      status = Status.OVER_CAPACITY;
    } else {
      status = Status.SMALLEST_ABOVE;
      target = Arrays.stream(ladder).filter(m -> m >= lowest).findFirst().orElse(capacity);
    }
    return new FoldPlan(
        layout,
        capacity,
        keys,
        bounds.low,
        bounds.high,
        inside,
        target,
        capacity / target,
        status,
        layout.fppSharp(target, keys));
  }

  /**
   * Returns the bounds of the sizes whose rate lies in the band (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#F2">F2</a>).
   */
  public static Bounds bounds(Layout layout, long keys, double fpp, double tolerance) {
    Checks.notNegative(keys, "keys");
    Checks.probability(fpp, "fpp");
    if (!(tolerance >= 0 && tolerance < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("tolerance must be a number of at least 0: " + tolerance);
    }
    double loosest = fpp + tolerance;
    double tightest = fpp - tolerance;
    double low = keys == 0 || loosest >= 1 ? layout.cellBits() : layout.smallestAt(keys, loosest);
    double high;
    if (tightest <= 0) {
      high = Double.POSITIVE_INFINITY;
    } else {
      high = keys == 0 ? 0 : layout.largestAt(keys, tightest);
    }
    return new Bounds(low, high);
  }

  /**
   * Returns all multiples of {@code step} bits to which a capacity folds, in ascending order (see
   * erratum <a href="{@docRoot}/doc-files/errata.html#F9">F9</a>).
   */
  public static long[] ladder(long capacity, long step) {
    Checks.positive(capacity, "capacity");
    Checks.positive(step, "step");
    if (capacity % step != 0) {
      throw new IllegalArgumentException(
          ("a capacity that folds in steps of %d bits must be a multiple of it, "
                  + "and %d is not: the next one is %.0f")
              .formatted(step, capacity, Math.ceil((double) capacity / step) * step));
    }
    long[] sizes = Divisors.of(capacity / step);
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] *= step;
    }
    return sizes;
  }
}
