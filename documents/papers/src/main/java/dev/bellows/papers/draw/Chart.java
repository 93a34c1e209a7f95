package dev.bellows.papers.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A chart of curves, printed marks and measured points over two axes, as SVG. The legend is above
 * the plot, so nothing overlaps; a series without a name is not in it.
 */
public final class Chart {
  private static final double WIDTH = 760;
  private static final double PLOT_HEIGHT = 380;
  private static final double LEFT = 86;
  private static final double RIGHT = 732;

  /** The minimum distance of labels from the edge. */
  private static final double MARGIN = 2;

  private static final double TITLE = 20;
  private static final double LABEL = 15;

  /** How a series is drawn. */
  private enum Shape {
    CURVE,
    DASHED,
    MARKS,
    POINTS,
    DOTS,
    STEPS
  }

  private record Series(String name, Shape shape, int colour, Points points) {}

  private final String title;
  private final Axis x;
  private final Axis y;
  private final List<Series> series = new ArrayList<>();

  private Chart(String title, Axis x, Axis y) {
    this.title = title;
    this.x = x;
    this.y = y;
  }

  /** Returns an empty chart. */
  public static Chart of(String title, Axis x, Axis y) {
    return new Chart(title, x, y);
  }

  /** Adds a curve, what a formula gives, and returns its points, still empty. */
  public Points curve(String name, int colour) {
    return add(name, Shape.CURVE, colour);
  }

  /** Adds a dashed curve: a bound, a baseline, an approximation. */
  public Points dashed(String name, int colour) {
    return add(name, Shape.DASHED, colour);
  }

  /** Adds a curve that jumps: each value holds until the next. */
  public Points steps(String name, int colour) {
    return add(name, Shape.STEPS, colour);
  }

  /** Adds hollow marks: values printed in a document. */
  public Points marks(String name, int colour) {
    return add(name, Shape.MARKS, colour);
  }

  /** Adds points with bars: measured values and their intervals. */
  public Points points(String name, int colour) {
    return add(name, Shape.POINTS, colour);
  }

  /** Adds small dots: many values that need no bars. */
  public Points dots(String name, int colour) {
    return add(name, Shape.DOTS, colour);
  }

  private Points add(String name, Shape shape, int colour) {
    Points points = new Points();
    series.add(new Series(name, shape, colour % Svg.COLOURS, points));
    return points;
  }

  /** Draws it. */
  public String toSvg() {
    Axis across = fit(x, Points::xs);
    Axis upward = fit(y, Points::ys);
    double legend = legend(null, 0);
    double top = 44 + legend;
    double bottom = top + PLOT_HEIGHT;
    Svg svg = Svg.of(WIDTH, bottom + 62, title);
    svg.text(LEFT, 30, title, "start", TITLE, "");
    legend(svg, 52);
    for (double tick : across.ticks()) {
      double at = LEFT + across.place(tick) * (RIGHT - LEFT);
      svg.line(at, top, at, bottom, "grid");
      String label = across.label(tick);
      double last = WIDTH - MARGIN - Svg.widthOf(label, LABEL) / 2;
      svg.text(Math.min(at, last), bottom + 20, label, "middle", LABEL, "");
    }
    for (double tick : upward.ticks()) {
      double at = bottom - upward.place(tick) * PLOT_HEIGHT;
      svg.line(LEFT, at, RIGHT, at, "grid");
      svg.text(LEFT - 8, at + 5, upward.label(tick), "end", LABEL, "");
    }
    svg.line(LEFT, bottom, RIGHT, bottom, "axis").line(LEFT, top, LEFT, bottom, "axis");
    svg.centred((LEFT + RIGHT) / 2, bottom + 46, x.label(), "soft");
    svg.upwards(20, (top + bottom) / 2, y.label(), "soft");
    for (Series s : series) {
      draw(svg, s, across, upward, bottom);
    }
    return svg.toString();
  }

  private Axis fit(Axis axis, Function<Points, double[]> part) {
    double least = Double.POSITIVE_INFINITY;
    double greatest = Double.NEGATIVE_INFINITY;
    for (Series s : series) {
      for (double value : part.apply(s.points)) {
        if (Double.isFinite(value) && (!axis.logarithmic() || value > 0)) {
          least = Math.min(least, value);
          greatest = Math.max(greatest, value);
        }
      }
    }
    return axis.fitted(least, greatest);
  }

  /** Draws the legend, or only measures it if there is nothing to draw on. */
  private double legend(@Nullable Svg svg, double top) {
    double at = LEFT;
    double line = top;
    for (Series s : series) {
      if (s.name.isEmpty()) {
        continue;
      }
      double width = 46 + Svg.widthOf(s.name, LABEL);
      if (at > LEFT && at + width > RIGHT + 20) {
        at = LEFT;
        line += 24;
      }
      if (svg != null) {
        sample(svg, s, at, line);
        svg.text(at + 34, line + 5, s.name, "start", LABEL, "");
      }
      at += width + 14;
    }
    return line - top + 28;
  }

  private static void sample(Svg svg, Series s, double x, double y) {
    switch (s.shape) {
      case CURVE, STEPS -> svg.line(x, y, x + 26, y, "line l" + s.colour);
      case DASHED ->
          svg.dashed(
              "M%s %s H%s".formatted(Svg.n(x), Svg.n(y), Svg.n(x + 26)), "line l" + s.colour);
      case MARKS, DOTS, POINTS -> mark(svg, s, x + 13, y, y - 8, y + 8);
    }
  }

  /** Draws one mark, dot or point; only a point has a bar. */
  private static void mark(Svg svg, Series s, double x, double y, double low, double high) {
    if (s.shape == Shape.MARKS) {
      String diamond = "M%s %s l6 6 l-6 6 l-6 -6 z".formatted(Svg.n(x), Svg.n(y - 6));
      svg.path(diamond, "hollow l" + s.colour);
    } else if (s.shape == Shape.DOTS) {
      svg.circle(x, y, 2.2, "f" + s.colour);
    } else {
      svg.line(x, low, x, high, "thin l" + s.colour).circle(x, y, 3.5, "f" + s.colour);
    }
  }

  private void draw(Svg svg, Series s, Axis across, Axis upward, double bottom) {
    StringBuilder path = new StringBuilder();
    double last = Double.NaN;
    for (Points.Point point : s.points.all()) {
      if (!visible(across, point.x()) || !visible(upward, point.y())) {
        last = Double.NaN;
        continue;
      }
      double px = LEFT + across.place(point.x()) * (RIGHT - LEFT);
      double py = bottom - upward.place(point.y()) * PLOT_HEIGHT;
      switch (s.shape) {
        case MARKS, DOTS, POINTS -> {
          double low = bottom - place(upward, point.low()) * PLOT_HEIGHT;
          double high = bottom - place(upward, point.high()) * PLOT_HEIGHT;
          mark(svg, s, px, py, low, high);
        }
        case CURVE, DASHED, STEPS -> {
          if (s.shape == Shape.STEPS && !Double.isNaN(last)) {
            path.append(" H").append(Svg.n(px)).append(" V").append(Svg.n(py));
          } else {
            path.append(Double.isNaN(last) ? " M" : " L").append(Svg.n(px)).append(' ');
            path.append(Svg.n(py));
          }
          last = py;
        }
      }
    }
    if (path.length() > 0) {
      String classes = "line l" + s.colour;
      if (s.shape == Shape.DASHED) {
        svg.dashed(path.toString().strip(), classes);
      } else {
        svg.path(path.toString().strip(), classes);
      }
    }
  }

  private static boolean visible(Axis axis, double value) {
    return Double.isFinite(value) && (!axis.logarithmic() || value > 0) && axis.shows(value);
  }

  /** The position of a value, at the edge if it is outside. */
  private static double place(Axis axis, double value) {
    double place = axis.logarithmic() && value <= 0 ? 0 : axis.place(value);
    return Math.min(1, Math.max(0, place));
  }
}
