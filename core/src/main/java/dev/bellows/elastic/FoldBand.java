package dev.bellows.elastic;

import dev.bellows.Layout;
import dev.bellows.elastic.ElasticBloomFilter.ViewSize;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Divisors;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.CapacityPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The sizes to which a capacity is folded so that the rate stays in {@code [fpp - tolerance, fpp +
 * tolerance]} while keys are put and removed (Folding paper, Section IV-C; bounds: erratum <a
 * href="{@docRoot}/doc-files/errata.html#F2">F2</a>; choice: erratum <a
 * href="{@docRoot}/doc-files/errata.html#F10">F10</a>).
 *
 * <p>Every size is used for an interval of key counts: from where its rate reaches the lower end of
 * the band to where it reaches the upper end. A resize goes to a size with headroom, so that a
 * constant share of the keys must be put or removed before the next one. Otherwise a rate near an
 * end of the band would cause a resize at nearly every change.
 */
final class FoldBand {
  /** Sizes that lie closer than this part of the band's width say nearly the same. */
  private static final double STEP_OF_WIDTH = 1.0 / 8;

  /** Near its capacity a ladder has only coarse steps, so the largest view stays well below. */
  private static final int LEAST_PER_VIEW = 8;

  /** More memory than this for a closer rate is left to the caller, who can give a capacity. */
  private static final int MOST_PER_VIEW = 32;

  /** The smallest share of the capacity that is used. */
  static final long MAX_FACTOR = 1024;

  /** A folding in between that serves no more sizes is not worth its puts. */
  private static final long FEWEST_USES = 3;

  private static final double WIDEST_STEP = 2;

  private static final double WIDEST = Math.log(2);

  private final List<ViewSize> sizes;

  /**
   * The logarithm of the maximum number of keys over the fewest that a size serves, {@link #WIDEST}
   * at most.
   */
  private final double width;

  private final double headroom;

  private FoldBand(List<ViewSize> sizes, double width) {
    this.sizes = List.copyOf(sizes);
    this.width = width;
    this.headroom = width / 16;
  }

  /** Returns the band of a capacity with steps that follow from its width. */
  static FoldBand of(Layout layout, long capacity, double fpp, double tolerance) {
    FoldBand all = of(layout, capacity, fpp, tolerance, 1);
    return of(layout, capacity, fpp, tolerance, Math.exp(all.width * STEP_OF_WIDTH));
  }

  /**
   * Returns the band of a capacity, on a ladder thinned to steps of at least {@code minStep} that
   * ends at a 1024th of the capacity.
   */
  static FoldBand of(Layout layout, long capacity, double fpp, double tolerance, double minStep) {
    Checks.probability(fpp, "fpp");
    if (!(tolerance > 0 && fpp + tolerance < 1)) {
      throw new IllegalArgumentException(
          "tolerance must be above 0 and fpp + tolerance below 1: fpp %s, tolerance %s"
              .formatted(fpp, tolerance));
    }
    long[] divisors = Divisors.of(capacity / layout.cellBits());
    List<ViewSize> sizes = new ArrayList<>();
    double next = Double.POSITIVE_INFINITY;
    for (int i = divisors.length - 1; i >= 0; i--) {
      long bits = divisors[i] * layout.cellBits();
      if (bits * MAX_FACTOR < capacity) {
        break;
      }
      if (bits <= next) {
        long fewest = fpp > tolerance ? layout.keysFor(bits, fpp - tolerance) : 0;
        sizes.add(new ViewSize(bits, fewest, layout.keysFor(bits, fpp + tolerance)));
        next = bits / minStep;
      }
    }
    Collections.reverse(sizes);
    ViewSize top = sizes.get(sizes.size() - 1);
    double width = Math.log((top.mostKeys() + 1.0) / (top.fewestKeys() + 1.0));
    return new FoldBand(sizes, Math.min(width, WIDEST));
  }

  /** Returns the sizes, ascending; the last is the capacity. */
  List<ViewSize> sizes() {
    return sizes;
  }

  /**
   * Returns a capacity whose largest view is the given one. Its sizes around a c-th of it lie a
   * c-th apart: enough of them to follow the band, and of all such capacities one with the closest
   * sizes where most keys will be.
   */
  static long capacityFor(BloomPlan view, double fpp, double tolerance) {
    double width = of(view.layout(), view.bits(), fpp, tolerance, WIDEST_STEP).width;
    double times = Math.max(LEAST_PER_VIEW, Math.min(MOST_PER_VIEW, 1.75 / width));
    return CapacityPlan.densest(view, times);
  }

  /** Returns the capacity. */
  ViewSize largest() {
    return sizes.get(sizes.size() - 1);
  }

  /** Returns the size with this many bits. */
  ViewSize size(long bits) {
    return sizes.stream().filter(size -> size.bits() == bits).findFirst().orElseThrow();
  }

  boolean has(long bits) {
    return sizes.stream().anyMatch(size -> size.bits() == bits);
  }

  /** Returns the maximum number of keys that the next smaller size serves; 0 below the smallest. */
  long mostKeysBelow(long bits) {
    long most = 0;
    for (ViewSize size : sizes) {
      if (size.bits() >= bits) {
        break;
      }
      most = size.mostKeys();
    }
    return most;
  }

  /**
   * Returns the size of a folding from which the view can go on growing for a while: a multiple of
   * the target, 2 to 32 times as large, that folds to the maximum number of sizes up to four times
   * the target. 0 if none folds to more than {@link #FEWEST_USES}.
   */
  long middle(long target) {
    long capacity = largest().bits();
    long best = 0;
    long most = FEWEST_USES;
    for (ViewSize size : sizes) {
      long bits = size.bits();
      if (bits % target != 0 || bits < 2 * target || bits > 32 * target || bits == capacity) {
        continue;
      }
      long uses =
          sizes.stream()
              .filter(s -> s.bits() >= target && s.bits() <= 4 * target && bits % s.bits() == 0)
              .count();
      if (uses > most) {
        most = uses;
        best = bits;
      }
    }
    return best;
  }

  /** Returns the share of the keys that at least changes between two resizes. */
  double headroom() {
    return headroom;
  }

  /**
   * Returns the sizes to choose from for a key count, ascending: those inside the band with full
   * headroom; if there is none, those with a little headroom; then the smallest size above the
   * band; then the capacity.
   */
  List<ViewSize> candidates(long keys) {
    for (double room : new double[] {4 * headroom, headroom}) {
      List<ViewSize> inside =
          sizes.stream().filter(s -> s.serves(keys) && s.mostKeys() >= keys * (1 + room)).toList();
      if (!inside.isEmpty()) {
        return inside;
      }
    }
    return List.of(
        sizes.stream()
            .filter(s -> s.mostKeys() >= keys * (1 + headroom))
            .findFirst()
            .orElse(sizes.get(sizes.size() - 1)));
  }
}
