package dev.bellows.bench;

import dev.bellows.papers.draw.Svg;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The document's Figures 1 and 2 in one picture, from the table that {@code GrowthStudy rates}
 * prints: the rate and the time of a query over the number of ids, tree and list.
 *
 * <pre>
 * java -cp bench/target/launcher/bellows.jar dev.bellows.bench.GrowthPicture table.csv picture.svg
 * </pre>
 */
public final class GrowthPicture {
  private static final double WIDTH = 340;
  private static final double HEIGHT = 240;
  private static final double TOP = 44;
  private static final double BOTTOM = TOP + HEIGHT;

  private final Svg svg;
  private final List<String[]> rows;
  private final double left;
  private final int low;
  private final int high;

  private GrowthPicture(Svg svg, List<String[]> rows, double left, int low, int high) {
    this.svg = svg;
    this.rows = rows;
    this.left = left;
    this.low = low;
    this.high = high;
  }

  /** Reads the table and writes the picture. */
  public static void main(String[] arguments) throws IOException {
    List<String[]> rows;
    try (Stream<String> lines = Files.lines(Path.of(arguments[0]))) {
      rows = lines.map(line -> line.split(",", -1)).filter(r -> r[1].equals("uniform")).toList();
    }
    Svg svg = Svg.of(860, 340, "Rate and query time over the number of ids");
    GrowthPicture rates = new GrowthPicture(svg, rows, 64, -7, 0);
    rates.panel("false positives", 2);
    svg.line(rates.left, rates.y(1e-4), rates.left + WIDTH, rates.y(1e-4), "axis");
    svg.text(rates.left + WIDTH - 4, rates.y(1e-4) - 4, "target: 1e-4", "end", 12, "soft");
    new GrowthPicture(svg, rows, 494, 1, 6).panel("nanoseconds per query, half hits", 4);
    Files.writeString(Path.of(arguments[1]), svg.toString());
  }

  /** Draws the axes, and the curves of two columns. */
  private void panel(String title, int column) {
    svg.text(left, TOP - 18, title, "start", 12, "");
    for (int decade = low; decade <= high; decade++) {
      double y = y(Math.pow(10, decade));
      svg.line(left, y, left + WIDTH, y, "grid");
      svg.text(left - 6, y + 4, "1e" + decade, "end", 12, "");
    }
    for (int decade = 1; decade <= 7; decade++) {
      svg.text(x(Math.pow(10, decade)), BOTTOM + 18, "1e" + decade, "middle", 12, "");
    }
    svg.text(left + WIDTH / 2, BOTTOM + 38, "ids", "middle", 12, "");
    curve(column, 2, "partition tree", 20);
    curve(column + 1, 1, "list of equal filters", -8);
  }

  private void curve(int column, int colour, String name, int below) {
    StringBuilder path = new StringBuilder();
    double lastX = 0;
    double lastY = 0;
    for (String[] row : rows) {
      double value = Double.parseDouble(row[column]);
      if (value > 0) {
        lastX = x(Double.parseDouble(row[0]));
        lastY = y(value);
        path.append(path.isEmpty() ? "M" : " L").append(Svg.n(lastX)).append(' ');
        path.append(Svg.n(lastY));
      }
    }
    svg.path(path.toString(), "line l" + colour);
    svg.text(lastX - 6, lastY + below, name, "end", 12, "f" + colour);
  }

  private double x(double ids) {
    return left + WIDTH * (Math.log10(ids) - 1) / 6;
  }

  private double y(double value) {
    return TOP + HEIGHT * (high - Math.log10(value)) / (high - low);
  }
}
