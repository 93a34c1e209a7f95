package dev.bellows.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The document's Figures 1 and 2 in one picture, from the table that {@code GrowthStudy rates}
 * prints: the rate and the time of a query over the number of ids, tree and list.
 *
 * <pre>
 * java -cp bench/target/launcher/bellows.jar dev.bellows.bench.GrowthPicture table.csv picture.svg
 * </pre>
 */
public final class GrowthPicture {
  private static final int WIDTH = 340;
  private static final int HEIGHT = 240;
  private static final int LEFT = 64;
  private static final int TOP = 44;

  private GrowthPicture() {}

  private record Row(double ids, double tree, double list, double treeNanos, double listNanos) {}

  /** Reads the table and writes the picture. */
  public static void main(String[] arguments) throws IOException {
    List<Row> rows = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of(arguments[0]))) {
      String[] cells = line.split(",", -1);
      if (cells.length == 6 && cells[1].equals("uniform")) {
        rows.add(
            new Row(
                Double.parseDouble(cells[0]),
                Double.parseDouble(cells[2]),
                Double.parseDouble(cells[3]),
                Double.parseDouble(cells[4]),
                Double.parseDouble(cells[5])));
      }
    }
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"860\" height=\"340\""
            + " font-family=\"sans-serif\" font-size=\"12\">\n"
            + "<rect width=\"860\" height=\"340\" fill=\"white\"/>\n");
    panel(svg, 0, "false positives", -7, 0, 1e-4, rows, Row::tree, Row::list);
    panel(
        svg,
        430,
        "nanoseconds per query, half hits",
        1,
        6,
        0,
        rows,
        Row::treeNanos,
        Row::listNanos);
    svg.append("</svg>\n");
    Files.writeString(Path.of(arguments[1]), svg);
  }

  private static void panel(
      StringBuilder svg,
      int shift,
      String title,
      int low,
      int high,
      double line,
      List<Row> rows,
      ToDoubleFunction<Row> tree,
      ToDoubleFunction<Row> list) {
    text(svg, shift + LEFT, TOP - 18, "start", "black", title);
    for (int decade = low; decade <= high; decade++) {
      double y = y(decade, low, high);
      rule(svg, shift + LEFT, y, shift + LEFT + WIDTH, "#ddd", "");
      text(svg, shift + LEFT - 6, y + 4, "end", "black", "1e" + decade);
    }
    for (int decade = 1; decade <= 7; decade++) {
      text(svg, x(shift, decade), TOP + HEIGHT + 18, "middle", "black", "1e" + decade);
    }
    text(svg, shift + LEFT + WIDTH / 2.0, TOP + HEIGHT + 38, "middle", "black", "ids");
    if (line > 0) {
      double y = y(Math.log10(line), low, high);
      rule(svg, shift + LEFT, y, shift + LEFT + WIDTH, "#888", " stroke-dasharray=\"4 3\"");
      text(svg, shift + LEFT + WIDTH - 4, y - 4, "end", "#555", "asked: 1e-4");
    }
    curve(svg, shift, low, high, rows, tree, "#0a6", "partition tree", 20);
    curve(svg, shift, low, high, rows, list, "#c33", "list of equal filters", -8);
  }

  private static void curve(
      StringBuilder svg,
      int shift,
      int low,
      int high,
      List<Row> rows,
      ToDoubleFunction<Row> value,
      String colour,
      String name,
      int below) {
    StringBuilder points = new StringBuilder();
    double lastX = 0;
    double lastY = 0;
    for (Row row : rows) {
      double real = value.applyAsDouble(row);
      if (real > 0) {
        lastX = x(shift, Math.log10(row.ids));
        lastY = y(Math.log10(real), low, high);
        points.append(String.format(Locale.ROOT, "%.1f,%.1f ", lastX, lastY));
      }
    }
    svg.append("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"")
        .append(colour)
        .append("\" points=\"")
        .append(points.toString().strip())
        .append("\"/>\n");
    text(svg, lastX - 6, lastY + below, "end", colour, name);
  }

  private static double x(int shift, double decade) {
    return shift + LEFT + WIDTH * (decade - 1) / 6;
  }

  private static double y(double decade, int low, int high) {
    return TOP + HEIGHT * (high - decade) / (high - low);
  }

  private static void rule(
      StringBuilder svg, double x1, double y, double x2, String colour, String more) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"%s/>%n",
            x1,
            y,
            x2,
            y,
            colour,
            more));
  }

  private static void text(
      StringBuilder svg, double x, double y, String anchor, String colour, String text) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
            x,
            y,
            anchor,
            colour,
            text));
  }
}
