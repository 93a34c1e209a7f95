package dev.bellows.plan;

import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Divisors;
import java.util.Arrays;
import java.util.List;

/**
 * The size a filter folds to so that its rate lies in a band: the real bounds of the sizes inside
 * {@code [fpp - tolerance, fpp + tolerance]}, the divisors of the capacity between them and the one
 * to use (Folding paper, Eq. 14; see erratum <a href="{@docRoot}/doc-files/errata.html#F2">F2</a>;
 * choice: erratum <a href="{@docRoot}/doc-files/errata.html#F10">F10</a>).
 *
 * <p>The rate falls as the size grows, so {@code low} is where the rate is {@code fpp + tolerance}
 * and {@code high} where it is {@code fpp - tolerance}; {@code high} is infinite when the band
 * reaches down to 0, and 0 when no size at all is filled enough to reach it (an empty filter).
 *
 * @param low the smallest size inside the band, as a real number
 * @param high the largest size inside the band, as a real number
 * @param admissible the sizes of the ladder inside the band, in ascending order
 * @param target the size to fold to
 * @param factor capacity divided by target
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

  /** Tolerance for rounding errors of a size that is exactly on a bound. */
  private static final double ON_THE_BOUND = 1e-13;

  /** Why the target was chosen. */
  public enum Status {
    /** The smallest size inside the band. */
    ADMISSIBLE("admissible"),
    /**
     * No size is inside the band; the target is the smallest one above it, which meets the rate.
     */
    SMALLEST_ABOVE("smallest-above"),
    /** Even the capacity is too small for the keys, so it stays unfolded. */
    OVER_CAPACITY("over-capacity");

    private final String word;

    Status(String word) {
      this.word = word;
    }

    /** Returns the name of the status on the command line. */
    public String word() {
      return word;
    }
  }

  /** Copies the list. */
  public FoldPlan {
    admissible = List.copyOf(admissible);
  }

  /** Returns the number of bits per key, k. */
  public int hashes() {
    return layout.hashes();
  }

  /** The sizes, as real numbers, between which the rate lies in the band. */
  public record Bounds(double low, double high) {}

  /** Plans the fold of a filter to a whole number of cells of its layout. */
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
   * Returns the bounds of the sizes whose rate lies in the band (erratum <a
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
   * Returns all multiples of {@code step} bits that a capacity folds to, in ascending order
   * (erratum <a href="{@docRoot}/doc-files/errata.html#F9">F9</a>).
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
