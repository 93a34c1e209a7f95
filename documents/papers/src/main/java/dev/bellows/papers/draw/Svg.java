package dev.bellows.papers.draw;

import java.util.Locale;

/**
 * A picture as SVG text, drawn element by element in the one palette. It has its own background,
 * white or nearly black depending on the reader's color scheme, so it fits on any page.
 */
public final class Svg {
  /** The share of the font size that a character is wide, on average. */
  private static final double CHARACTER = 0.56;

  private static final String STYLE =
      """
      <style>
      .bg { fill: #ffffff } text { fill: #24292f } .soft { fill: #57606a }
      .grid { stroke: #d0d7de; fill: none } .axis { stroke: #57606a; fill: none }
      .ink { stroke: #24292f; fill: none } .paper { fill: #eaeef2; stroke: #8c959f }
      .l0 { stroke: #0969da } .l1 { stroke: #cf5b00 } .l2 { stroke: #1a7f37 } .l3 { stroke: #8250df } .l4 { stroke: #bf3989 } .l5 { stroke: #9a6700 } .l6 { stroke: #57606a }
      .f0 { fill: #0969da } .f1 { fill: #cf5b00 } .f2 { fill: #1a7f37 } .f3 { fill: #8250df } .f4 { fill: #bf3989 } .f5 { fill: #9a6700 } .f6 { fill: #57606a }
      .t0 { fill: #0969da; fill-opacity: .22 } .t1 { fill: #cf5b00; fill-opacity: .22 } .t2 { fill: #1a7f37; fill-opacity: .22 } .t3 { fill: #8250df; fill-opacity: .22 } .t4 { fill: #bf3989; fill-opacity: .22 }
      .line { fill: none; stroke-width: 2.5; stroke-linejoin: round } .thin { fill: none; stroke-width: 1.5 } .hollow { fill: none; stroke-width: 2 }
      @media (prefers-color-scheme: dark) {
      .bg { fill: #0d1117 } text { fill: #e6edf3 } .soft { fill: #9198a1 }
      .grid { stroke: #30363d } .axis { stroke: #9198a1 }
      .ink { stroke: #e6edf3 } .paper { fill: #21262d; stroke: #656c76 }
      .l0 { stroke: #58a6ff } .l1 { stroke: #ffa657 } .l2 { stroke: #56d364 } .l3 { stroke: #bc8cff } .l4 { stroke: #ff7bce } .l5 { stroke: #e3b341 } .l6 { stroke: #9198a1 }
      .f0 { fill: #58a6ff } .f1 { fill: #ffa657 } .f2 { fill: #56d364 } .f3 { fill: #bc8cff } .f4 { fill: #ff7bce } .f5 { fill: #e3b341 } .f6 { fill: #9198a1 }
      .t0 { fill: #58a6ff } .t1 { fill: #ffa657 } .t2 { fill: #56d364 } .t3 { fill: #bc8cff } .t4 { fill: #ff7bce }
      }
      </style>
      """;

  /** The number of colours: classes l0 (lines), f0 (filled) and t0 (tinted areas) and so on. */
  public static final int COLOURS = 7;

  private final StringBuilder body = new StringBuilder();
  private final double width;
  private final double height;
  private final String title;

  private Svg(double width, double height, String title) {
    this.width = width;
    this.height = height;
    this.title = title;
  }

  /** Returns an empty picture with a text alternative. */
  public static Svg of(double width, double height, String title) {
    return new Svg(width, height, title);
  }

  /** Returns a rectangle. */
  public Svg rect(double x, double y, double w, double h, String classes) {
    return add(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>%n",
        classes, n(x), n(y), n(w), n(h));
  }

  /** Returns a straight line. */
  public Svg line(double x1, double y1, double x2, double y2, String classes) {
    return path("M%s %s L%s %s".formatted(n(x1), n(y1), n(x2), n(y2)), classes);
  }

  /** Returns a line with an arrow head at its end. */
  public Svg arrow(double x1, double y1, double x2, double y2, String classes) {
    double angle = Math.atan2(y2 - y1, x2 - x1);
    line(x1, y1, x2, y2, classes);
    for (double turn : new double[] {-0.45, 0.45}) {
      line(x2, y2, x2 - 9 * Math.cos(angle + turn), y2 - 9 * Math.sin(angle + turn), classes);
    }
    return this;
  }

  /** Returns a path in SVG's own commands. */
  public Svg path(String commands, String classes) {
    return add("<path class=\"%s\" d=\"%s\"/>%n", classes, commands);
  }

  /** Returns a dashed path. */
  public Svg dashed(String commands, String classes) {
    return add("<path class=\"%s\" stroke-dasharray=\"7 5\" d=\"%s\"/>%n", classes, commands);
  }

  /** Returns a circle. */
  public Svg circle(double x, double y, double radius, String classes) {
    return add(
        "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"/>%n", classes, n(x), n(y), n(radius));
  }

  /** Text that begins at x. */
  public Svg text(double x, double y, String text, String classes) {
    return text(x, y, text, "start", 15, classes);
  }

  /** Text around x. */
  public Svg centred(double x, double y, String text, String classes) {
    return text(x, y, text, "middle", 15, classes);
  }

  /** Text: anchor is start, middle or end. */
  public Svg text(double x, double y, String text, String anchor, double size, String classes) {
    return add(
        "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\" font-size=\"%s\">%s</text>%n",
        classes, n(x), n(y), anchor, n(size), escape(text));
  }

  /** Text that runs upwards, around a point. */
  public Svg upwards(double x, double y, String text, String classes) {
    return add(
        "<text class=\"%s\" transform=\"translate(%s %s) rotate(-90)\" text-anchor=\"middle\""
            + " font-size=\"15\">%s</text>%n",
        classes, n(x), n(y), escape(text));
  }

  /** About how wide the text will be. */
  public static double widthOf(String text, double size) {
    return text.length() * size * CHARACTER;
  }

  /** Returns a coordinate: one decimal. */
  public static String n(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }

  private Svg add(String pattern, Object... values) {
    body.append(String.format(Locale.ROOT, pattern, values));
    return this;
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** Returns the whole picture. */
  @Override
  public String toString() {
    return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %s %s\" width=\"%s\" font-family=\"sans-serif\" role=\"img\">%n"
            .formatted(n(width), n(height), n(width))
        + "<title>"
        + escape(title)
        + "</title>\n"
        + STYLE
        + "<rect class=\"bg\" width=\"%s\" height=\"%s\" rx=\"8\"/>%n"
            .formatted(n(width), n(height))
        + body
        + "</svg>\n";
  }
}
