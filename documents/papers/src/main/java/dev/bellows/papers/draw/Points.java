package dev.bellows.papers.draw;

import dev.bellows.papers.Measured;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The places and values of one series of a chart, collected one by one. */
public final class Points {
  /** One of them, with the interval that its value lies in. */
  record Point(double x, double y, double low, double high) {}

  private final List<Point> points = new ArrayList<>();

  /** Adds the two ends of a level line. */
  public Points level(double y, double from, double to) {
    return add(from, y).add(to, y);
  }

  /** Adds a value that is known. */
  public Points add(double x, double y) {
    return add(x, y, y, y);
  }

  /** Adds a value and the interval it lies in. */
  public Points add(double x, double y, double low, double high) {
    points.add(new Point(x, y, low, high));
    return this;
  }

  /** Adds a measured value and its interval. */
  public Points add(double x, Measured measured) {
    return add(x, measured.value(), measured.low(), measured.high());
  }

  /** Adds all of other points. */
  public void addAll(Points other) {
    points.addAll(other.points);
  }

  /** Returns the places. */
  public double[] xs() {
    return points.stream().mapToDouble(Point::x).toArray();
  }

  /** Returns the values. */
  public double[] ys() {
    return points.stream().mapToDouble(Point::y).toArray();
  }

  /**
   * Returns how many points are lower than both neighbors; beyond the ends everything counts as
   * higher.
   */
  public int localMinima() {
    double[] ys = ys();
    int minima = 0;
    for (int i = 0; i < ys.length; i++) {
      boolean falls = i == 0 || ys[i] < ys[i - 1];
      boolean rises = i == ys.length - 1 || ys[i] < ys[i + 1];
      minima += falls && rises ? 1 : 0;
    }
    return minima;
  }

  /** Returns at how many places these are lower than all others, which have the same places. */
  public long below(Points... others) {
    return IntStream.range(0, points.size())
        .filter(i -> Stream.of(others).allMatch(o -> points.get(i).y < o.points.get(i).y))
        .count();
  }

  /** Where the lowest point lies; the first one if there are several. */
  public double lowestX() {
    return Collections.min(points, Comparator.comparingDouble(Point::y)).x;
  }

  /** Returns all of them, in the order in which they were added. */
  List<Point> all() {
    return points;
  }
}
