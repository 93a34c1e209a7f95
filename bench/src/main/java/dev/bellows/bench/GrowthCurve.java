package dev.bellows.bench;

import dev.bellows.growth.FingerprintFilter;
import dev.bellows.papers.Heap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;

/** What filters take and how often they are wrong while they grow; nothing here is a time. */
final class GrowthCurve {
  private static final double FIRST_KEYS = 1e5;
  private static final int STEPS = 8;
  private static final int LEAST_POWER = 10;
  private static final int ABSENT = 1_000_000;
  private static final int HEAP_KEYS = 4_000_000;

  /** A filter with so many keys; the rate is NaN where it was not measured. */
  record Point(long keys, double bitsPerKey, boolean onGrid, double fpp, double expectedFpp) {
    Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("keys", keys);
      fields.put("bitsPerKey", bitsPerKey);
      fields.put("onGrid", onGrid);
      if (!Double.isNaN(fpp)) {
        fields.put("fpp", fpp);
        fields.put("expectedFpp", expectedFpp);
      }
      return fields;
    }
  }

  /** Bits of heap by the filter's own account and by that of the collector. */
  record HeapCheck(long keys, double counted, double collected) {}

  private GrowthCurve() {}

  private static TreeSet<Long> grid(long max) {
    TreeSet<Long> grid = new TreeSet<>();
    for (int i = 0; ; i++) {
      long keys = Math.round(FIRST_KEYS * Math.pow(2, i / (double) STEPS));
      if (keys > max) {
        return grid;
      }
      grid.add(keys);
    }
  }

  private static TreeSet<Long> powers(long max) {
    TreeSet<Long> powers = new TreeSet<>();
    for (long keys = 1L << LEAST_POWER; keys <= max; keys *= 2) {
      powers.add(keys);
    }
    return powers;
  }

  static List<Point> fingerprint(long max) {
    Grower.Fingerprint grower = new Grower.Fingerprint();
    return points(grower, grower.filter::expectedFpp, max);
  }

  static List<Point> scalable(long max) {
    Grower.Scalable grower = new Grower.Scalable();
    return points(grower, grower.filter::expectedFpp, max);
  }

  private static List<Point> points(Grower grower, DoubleSupplier expectedFpp, long max) {
    TreeSet<Long> grid = grid(max);
    TreeSet<Long> powers = powers(max);
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

  static double mean(List<Point> points) {
    return onGrid(points).average().orElse(Double.NaN);
  }

  static double most(List<Point> points) {
    return onGrid(points).max().orElse(Double.NaN);
  }

  private static DoubleStream onGrid(List<Point> points) {
    return points.stream().filter(Point::onGrid).mapToDouble(Point::bitsPerKey);
  }

  static double mostFpp(List<Point> points) {
    return points.stream()
        .filter(point -> !Double.isNaN(point.fpp))
        .mapToDouble(Point::fpp)
        .max()
        .orElse(Double.NaN);
  }

  /** Several filters, if they are small, so that what else happens on the heap does not matter. */
  static HeapCheck heap(long keys) {
    int copies = (int) Math.max(1, HEAP_KEYS / keys);
    FingerprintFilter[] filters = new FingerprintFilter[copies];
    long collected =
        Heap.bytes(
            () -> {
              for (int i = 0; i < copies; i++) {
                Grower.Fingerprint grower = new Grower.Fingerprint();
                GrowthKeys.put(grower, 0, keys);
                filters[i] = grower.filter;
              }
              return filters;
            });
    long counted = 0;
    for (FingerprintFilter filter : filters) {
      counted += filter.heapBytes();
    }
    double all = keys * (double) copies;
    return new HeapCheck(keys, 8 * counted / all, 8 * collected / all);
  }

  /** The bits of heap of a key in a {@code HashSet<Long>}, by the account of the collector. */
  static double boxes(long keys) {
    long bytes =
        Heap.bytes(
            () -> {
              Grower.Boxes boxes = new Grower.Boxes();
              GrowthKeys.put(boxes, 0, keys);
              return boxes;
            });
    return 8 * bytes / (double) keys;
  }

  /** Bits and rate of a contender with so many keys. */
  static Point at(Grower grower, long keys) {
    GrowthKeys.put(grower, 0, keys);
    double fpp = measured(grower, 0);
    return new Point(keys, grower.bits() / (double) keys, false, fpp, Double.NaN);
  }
}
