package dev.bellows.bench;

import dev.bellows.papers.Heap;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** Sizes and false positive rates of filters while they grow; no times. */
final class GrowthCurve {
  private static final double FIRST_KEYS = 1e5;
  private static final int STEPS = 8;
  private static final int LEAST_POWER = 1024;
  private static final int ABSENT = 1_000_000;
  private static final int HEAP_KEYS = 4_000_000;

  /** A filter with this many keys; the rate is NaN where it was not measured. */
  record Point(long keys, double bitsPerKey, boolean onGrid, double fpp, double expectedFpp) {}

  /** Bits of heap by the filter's own account and by that of the collector. */
  record HeapCheck(long keys, double counted, double collected) {}

  private GrowthCurve() {}

  /** Returns the first number and all that follow it in equal ratios, this many to a doubling. */
  private static Set<Long> grid(double first, int steps, long max) {
    return LongStream.iterate(0, i -> i + 1)
        .map(i -> Math.round(first * Math.pow(2, i / (double) steps)))
        .takeWhile(keys -> keys <= max)
        .boxed()
        .collect(Collectors.toSet());
  }

  /** Returns the curve of the filter of this study. */
  static List<Point> fingerprint(long max) {
    Grower.Fingerprint grower = new Grower.Fingerprint();
    return points(grower, grower.filter::expectedFpp, max);
  }

  /** Returns the curve of levels that double. */
  static List<Point> scalable(long max) {
    Grower.Scalable grower = new Grower.Scalable();
    return points(grower, grower.filter::expectedFpp, max);
  }

  private static List<Point> points(Grower grower, DoubleSupplier expectedFpp, long max) {
    Set<Long> grid = grid(FIRST_KEYS, STEPS, max);
    Set<Long> powers = grid(LEAST_POWER, 1, max);
    TreeSet<Long> all = new TreeSet<>(grid);
    all.addAll(powers);
    List<Point> points = new ArrayList<>();
    long done = 0;
    for (long keys : all) {
      GrowthKeys.put(grower, done, keys);
      done = keys;
      double bits = grower.bits() / (double) keys;
      boolean asks = powers.contains(keys);
      double fpp = asks ? measured(grower, points.size()) : Double.NaN;
      double expected = asks ? expectedFpp.getAsDouble() : Double.NaN;
      points.add(new Point(keys, bits, grid.contains(keys), fpp, expected));
    }
    return points;
  }

  private static double measured(Grower grower, int draw) {
    return grower.countSingly(GrowthKeys.absent(draw, ABSENT)) / (double) ABSENT;
  }

  /** Returns the mean of the bits per key over the grid. */
  static double mean(List<Point> points) {
    return onGrid(points).average().orElse(Double.NaN);
  }

  /** Returns the maximum number of bits per key on the grid. */
  static double most(List<Point> points) {
    return onGrid(points).max().orElse(Double.NaN);
  }

  private static DoubleStream onGrid(List<Point> points) {
    return points.stream().filter(Point::onGrid).mapToDouble(Point::bitsPerKey);
  }

  /** Several filters, if they are small, so that other objects on the heap do not matter. */
  static HeapCheck heap(long keys) {
    int copies = (int) Math.max(1, HEAP_KEYS / keys);
    List<Grower.Fingerprint> growers = new ArrayList<>();
    long collected =
        Heap.bytes(
            () -> {
              for (int i = 0; i < copies; i++) {
                growers.add(filled(new Grower.Fingerprint(), keys));
              }
              return growers;
            });
    long counted = growers.stream().mapToLong(Grower::bits).sum();
    double all = keys * (double) copies;
    return new HeapCheck(keys, counted / all, 8 * collected / all);
  }

  /**
   * Returns the bits of heap of a key in a {@code HashSet<Long>}, by the account of the collector.
   */
  static double boxes(long keys) {
    return 8 * Heap.bytes(() -> filled(Grower.boxes(), keys)) / (double) keys;
  }

  private static <G extends Grower> G filled(G grower, long keys) {
    GrowthKeys.put(grower, 0, keys);
    return grower;
  }

  /** Bits and rate of a contender with this many keys. */
  static Point at(Grower grower, long keys) {
    double fpp = measured(filled(grower, keys), 0);
    return new Point(keys, grower.bits() / (double) keys, false, fpp, Double.NaN);
  }
}
