package dev.bellows.papers.range;

import dev.bellows.papers.draw.Chart;
import java.util.ArrayList;
import java.util.List;

/** The points of one series of a chart, collected one by one. */
final class Points {
  private record Point(double x, double y, double low, double high) {}

  private final List<Point> points = new ArrayList<>();

  /** Adds a value. */
  Points add(double x, double y) {
    points.add(new Point(x, y, y, y));
    return this;
  }

  /** Adds a measured rate with its interval. */
  Points add(double x, RangeSimulation measured) {
    points.add(new Point(x, measured.rate(), measured.low(), measured.high()));
    return this;
  }

  /** Adds a value with the span it may lie in. */
  Points add(double x, double y, double low, double high) {
    points.add(new Point(x, y, low, high));
    return this;
  }

  double[] xs() {
    return points.stream().mapToDouble(Point::x).toArray();
  }

  double[] ys() {
    return points.stream().mapToDouble(Point::y).toArray();
  }

  /** How many points are lower than both neighbours; a rim counts as a neighbour that is higher. */
  int localMinima() {
    double[] ys = ys();
    int minima = 0;
    for (int i = 0; i < ys.length; i++) {
      boolean falls = i == 0 || ys[i] < ys[i - 1];
      boolean rises = i == ys.length - 1 || ys[i] < ys[i + 1];
      minima += falls && rises ? 1 : 0;
    }
    return minima;
  }

  /** Where the lowest point lies. */
  double lowestX() {
    Point lowest = points.get(0);
    for (Point point : points) {
      lowest = point.y < lowest.y ? point : lowest;
    }
    return lowest.x;
  }

  /** Draws them as what a formula gives. */
  void curve(Chart chart, String name, int colour) {
    chart.curve(name, colour, xs(), ys());
  }

  /** Draws them as a baseline. */
  void dashed(Chart chart, String name, int colour) {
    chart.dashed(name, colour, xs(), ys());
  }

  /** Draws them as printed values. */
  void marks(Chart chart, String name, int colour) {
    chart.marks(name, colour, xs(), ys());
  }

  /** Draws them as measured values. */
  void bars(Chart chart, String name, int colour) {
    chart.points(
        name,
        colour,
        xs(),
        ys(),
        points.stream().mapToDouble(Point::low).toArray(),
        points.stream().mapToDouble(Point::high).toArray());
  }
}
