package dev.bellows.papers.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Places and values for a chart, collected one by one. */
public final class Points {
  private record Point(double x, double y, double low, double high) {}

  private final List<Point> points = new ArrayList<>();

  /** A value that is known. */
  public Points add(double x, double y) {
    return add(x, y, y, y);
  }

  /** A value and the interval it lies in. */
  public Points add(double x, double y, double low, double high) {
    points.add(new Point(x, y, low, high));
    return this;
  }

  /** The places. */
  public double[] xs() {
    return all(Point::x);
  }

  /** The values. */
  public double[] ys() {
    return all(Point::y);
  }

  /** The lower ends. */
  public double[] lows() {
    return all(Point::low);
  }

  /** The upper ends. */
  public double[] highs() {
    return all(Point::high);
  }

  private double[] all(ToDoubleFunction<Point> part) {
    return points.stream().mapToDouble(part).toArray();
  }
}
