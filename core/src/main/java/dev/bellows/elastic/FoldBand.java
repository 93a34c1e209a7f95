package dev.bellows.elastic;

import dev.bellows.Layout;
import dev.bellows.elastic.ElasticBloomFilter.ViewSize;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.Divisors;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.CapacityPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The sizes to which a capacity is folded so that the rate stays in {@code [fpp - tolerance, fpp +
 * tolerance]} while keys are put and removed (Folding paper, Section IV-C; for the bounds see
 * erratum <a href="{@docRoot}/doc-files/errata.html#F2">F2</a>; for the choice, erratum <a
 * href="{@docRoot}/doc-files/errata.html#F10">F10</a>).
 *
 * <p>Every size is used for a range of key counts: from the count at which its rate reaches the
 * lower end of the band to the count at which it reaches the upper end. A resize chooses a size
 * with headroom, so that a constant fraction of the keys must be put or removed before the next
 * resize. Without headroom, a rate near an end of the band would cause a resize at nearly every
 * change.
 */
final class FoldBand {
  /**
   * The smallest distance between two sizes, as a fraction of the band's width: closer sizes have
   * nearly the same rate.
   */
  private static final double STEP_OF_WIDTH = 1.0 / 8;

  /**
   * The smallest ratio of the capacity to the largest view. It must not be lower, because a ladder
   * has only coarse steps near its capacity.
   */
  private static final int LEAST_PER_VIEW = 8;

  /**
   * The largest ratio of the capacity to the largest view. Callers who want to spend more memory on
   * a closer rate can set a capacity.
   */
  private static final int MOST_PER_VIEW = 32;

  /** The largest prime factor of the candidates in the search for a finer capacity. */
  private static final int FINE_PRIMES = 11;

  private static final int FINE_CANDIDATES = 16;
  private static final long MOST_SIEVED = 1 << 20;

  /** The largest factor by which the capacity is folded. */
  static final long MAX_FACTOR = 1024;

  /**
   * An intermediate folding that folds to this many sizes or fewer is not worth the cost of
   * updating it.
   */
  private static final long FEWEST_USES = 3;

  /**
   * The smallest relative change of the key count between two resizes, as a fraction of the width.
   */
  private static final double HEADROOM = 1.0 / 16;

  /**
   * The room for more keys that a chosen size must have, as fractions of the width, in order of
   * preference.
   */
  private static final double[] ANY = {1.0 / 4, HEADROOM};

  /** Like {@link #ANY}, but while keys are being added. */
  private static final double[] GROWING = {3.0 / 4, 1.0 / 4, HEADROOM};

  private static final double WIDEST_STEP = 2;

  private static final double WIDEST = Math.log(2);

  private final List<ViewSize> sizes;

  /**
   * The logarithm of the ratio of the maximum to the minimum number of keys of a size; at most
   * {@link #WIDEST}.
   */
  private final double width;

  private final double headroom;

  private FoldBand(List<ViewSize> sizes, double width) {
    this.sizes = List.copyOf(sizes);
    this.width = width;
    this.headroom = width * HEADROOM;
  }

  /** Returns the band of a capacity, with steps that are derived from its width. */
  static FoldBand of(Layout layout, long capacity, double fpp, double tolerance) {
    FoldBand all = of(layout, capacity, fpp, tolerance, 1);
    return of(layout, capacity, fpp, tolerance, Math.exp(all.width * STEP_OF_WIDTH));
  }

  /**
   * Returns the band of a capacity whose sizes are at least a factor of {@code minStep} apart and
   * at least a 1024th of the capacity.
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

  /** Returns the sizes in ascending order; the last one is the capacity. */
  List<ViewSize> sizes() {
    return sizes;
  }

  /**
   * Returns a capacity for a largest view of the given size. Around 1/c of the capacity, adjacent
   * sizes differ by a fraction of about 1/c, so c is chosen large enough for the band. Among the
   * possible capacities, the result has the densest sizes near the expected number of keys.
   */
  static long capacityFor(BloomPlan view, double fpp, double tolerance) {
    double width = of(view.layout(), view.bits(), fpp, tolerance, WIDEST_STEP).width;
    double times = Math.max(LEAST_PER_VIEW, Math.min(MOST_PER_VIEW, 1.75 / width));
    return CapacityPlan.densest(view, times);
  }

  /**
   * Returns the capacity, of one to two times the given one, that has the most sizes in the band
   * for a number of keys. The candidates are the smooth numbers with the most divisors. Returns 0
   * if none of them has more sizes in the band than the given capacity.
   */
  static long finer(Layout layout, long capacity, double fpp, double tolerance, long keys) {
    long cells = capacity / layout.cellBits();
    long best = 0;
    long most = inBand(of(layout, capacity, fpp, tolerance, 1), keys);
    List<CapacityPlan.Candidate> many =
        CapacityPlan.smooth(cells, Math.min(cells, MOST_SIEVED), FINE_PRIMES).candidates().stream()
            .sorted(Comparator.comparingLong(CapacityPlan.Candidate::divisors).reversed())
            .limit(FINE_CANDIDATES)
            .toList();
    for (CapacityPlan.Candidate candidate : many) {
      long bits = candidate.number() * layout.cellBits();
      long sizes = inBand(of(layout, bits, fpp, tolerance, 1), keys);
      if (sizes > most || (sizes == most && best > bits)) {
        most = sizes;
        best = bits;
      }
    }
    return best;
  }

  /** Returns the number of sizes whose rate is in the band with this many keys. */
  private static long inBand(FoldBand band, long keys) {
    return band.sizes.stream().filter(size -> size.serves(keys)).count();
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

  /** Returns the maximum number of keys of the next smaller size; 0 if there is none. */
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
   * Returns the size of an intermediate folding from which the view can continue to grow: the
   * multiple of the target, 2 to 32 times as large, that folds to the most sizes up to four times
   * the target. Returns 0 if none folds to more than {@link #FEWEST_USES}.
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

  /** Returns the smallest fraction of the keys that is put or removed between two resizes. */
  double headroom() {
    return headroom;
  }

  /**
   * Returns the sizes to choose from for a number of keys, in ascending order: those in the band
   * with the most preferred room that any size has; if none has any, the smallest size whose rate
   * is below the band; if there is no such size, the capacity.
   *
   * @param grows whether keys are being added: sizes with room for most of the band are then
   *     preferred, so that fewer resizes follow
   */
  List<ViewSize> candidates(long keys, boolean grows) {
    double[] rooms = grows ? GROWING : ANY;
    for (double room : rooms) {
      double least = keys * (1 + room * width);
      List<ViewSize> inside =
          sizes.stream().filter(s -> s.serves(keys) && s.mostKeys() >= least).toList();
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
