package dev.bellows.range;

import dev.bellows.range.ProfilePlan.Shape;
import java.util.Arrays;

/**
 * The search for the hashes, divide and shift with the lowest value of an objective, and for the
 * runner-up (Range thesis, Algorithm 3-2; see errata <a
 * href="{@docRoot}/doc-files/errata.html#R10">R10</a> to <a
 * href="{@docRoot}/doc-files/errata.html#R12">R12</a>).
 *
 * <p>The thesis stops at the first value that does not improve. That fails on plateaus (the rate is
 * exactly 1 for small divides of a long range) and with several local minima. Here every shift is
 * tried. Divides are tried on a geometric grid, which contains every small integer and is coarser
 * for shifts with clearly worse values; then every integer between the neighbors of each promising
 * grid point is tried.
 */
final class ShapeSearch {
  /** The function to minimize. */
  @FunctionalInterface
  interface Objective {
    double at(int hashes, long divide, int shift);
  }

  private static final double GRID_RATIO = 1.02;

  /** The grid contains every integer up to this one. */
  private static final int EXHAUSTIVE_GRID = 50;

  /** Beyond that, the first pass over a shift tests every eighth point. */
  private static final int COARSE_STEP = 8;

  /** Shifts within this factor of the best one of the first pass are searched on the whole grid. */
  private static final double PROMISING_COARSE = 2;

  /** Grid minima within this factor of the best one are searched more finely. */
  private static final double PROMISING = 1.5;

  /** Windows longer than this are narrowed by sampling before every integer is tried. */
  private static final long EXHAUSTIVE_WINDOW = 2048;

  private static final int SAMPLES = 256;

  private final Objective objective;
  private final long[] grid;

  private Shape shape = new Shape(0, 0, 0);
  private double best = Double.POSITIVE_INFINITY;
  private double runnerUp = Double.POSITIVE_INFINITY;

  /** Creates a search over divides from 1 to {@code maxDivide}. */
  ShapeSearch(long maxDivide, Objective objective) {
    this.objective = objective;
    this.grid = grid(maxDivide, GRID_RATIO);
  }

  /** Returns the best shape so far. */
  Shape shape() {
    return shape;
  }

  /** Returns the lowest value of any other shape that was tried; infinite if there was none. */
  double runnerUp() {
    return runnerUp;
  }

  double runnerUpGap() {
    return gap(best, runnerUp);
  }

  /** Returns how much worse the second is, relative to the first; infinite without a second. */
  static double gap(double first, double second) {
    return first == second ? 0 : (second - first) / first;
  }

  /** Tries one shape and returns its value. */
  double offer(int hashes, long divide, int shift) {
    double value = objective.at(hashes, divide, shift);
    if (value < best) {
      runnerUp = best;
      best = value;
      shape = new Shape(hashes, divide, shift);
    } else if (value < runnerUp
        && !(divide == shape.divide() && shift == shape.shift() && hashes == shape.hashes())) {
      runnerUp = value;
    }
    return value;
  }

  /** Tries every shift in the interval with every divide worth trying. */
  void search(int hashes, int minShift, int maxShift) {
    double[] coarse = new double[maxShift + 1];
    double leastCoarse = Double.POSITIVE_INFINITY;
    for (int s = minShift; s <= maxShift; s++) {
      coarse[s] = Double.POSITIVE_INFINITY;
      for (int i = 0; i < grid.length; i += i < EXHAUSTIVE_GRID ? 1 : COARSE_STEP) {
        coarse[s] = Math.min(coarse[s], offer(hashes, grid[i], s));
      }
      leastCoarse = Math.min(leastCoarse, coarse[s]);
    }
    for (int s = minShift; s <= maxShift; s++) {
      if (grid.length > EXHAUSTIVE_GRID && coarse[s] <= leastCoarse * PROMISING_COARSE) {
        searchShift(hashes, s);
      }
    }
  }

  private void searchShift(int hashes, int shift) {
    double[] values = new double[grid.length];
    for (int i = 0; i < grid.length; i++) {
      values[i] = offer(hashes, grid[i], shift);
    }
    double promising = best * PROMISING;
    for (int i = 0; i < grid.length; i++) {
      boolean minimum =
          (i == 0 || values[i] < values[i - 1])
              && (i == grid.length - 1 || values[i] <= values[i + 1]);
      if (minimum && values[i] <= promising) {
        refine(hashes, shift, grid[Math.max(0, i - 1)], grid[Math.min(grid.length - 1, i + 1)]);
      }
    }
  }

  private void refine(int hashes, int shift, long from, long to) {
    long low = from;
    long high = to;
    while (high - low > EXHAUSTIVE_WINDOW) {
      long step = (high - low) / SAMPLES;
      long centre = low;
      double least = Double.POSITIVE_INFINITY;
      for (long d = low; d <= high - step; d += step) {
        double value = offer(hashes, d, shift);
        if (value < least) {
          least = value;
          centre = d;
        }
      }
      low = Math.max(low, centre - step);
      high = Math.min(high, centre + step);
    }
    for (long i = 0; i <= high - low; i++) {
      offer(hashes, low + i, shift);
    }
  }

  /**
   * Returns divides from 1 to max, each greater than the one before by at most this factor, or by
   * 1.
   */
  static long[] grid(long max, double ratio) {
    long[] grid = new long[4096];
    int count = 0;
    for (long d = 1; ; d = Math.max(d + 1, (long) (d * ratio))) {
      grid[count++] = Math.min(d, max);
      if (d >= max) {
        return Arrays.copyOf(grid, count);
      }
    }
  }
}
