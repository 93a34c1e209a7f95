package dev.bellows.papers.range;

import dev.bellows.papers.draw.Svg;
import dev.bellows.range.RangeBloomFilter;
import java.util.BitSet;
import java.util.function.IntFunction;

/** The picture of an idea: strips of cells, lines between them, and a caption below. */
final class Sketch {
  static final double WIDTH = 760;
  static final double LEFT = 28;
  private static final double RIGHT = WIDTH - LEFT;
  private static final double LINE = 22;
  private static final int CAPTION_CHARACTERS = 88;

  private final Svg svg;

  private Sketch(Svg svg) {
    this.svg = svg;
  }

  /** Returns a sketch with room for {@code height} below its title, and its caption under that. */
  static Sketch of(String title, double height, String caption) {
    String[] lines = wrapped(caption);
    double foot = 50 + height;
    Svg svg = Svg.of(WIDTH, foot + lines.length * LINE + 16, title);
    svg.text(LEFT, 34, title, "start", 20, "");
    for (int i = 0; i < lines.length; i++) {
      svg.text(LEFT, foot + 16 + i * LINE, lines[i], "soft");
    }
    return new Sketch(svg);
  }

  private static String[] wrapped(String text) {
    StringBuilder out = new StringBuilder();
    int column = 0;
    for (String word : text.strip().split("\\s+")) {
      boolean next = column + word.length() > CAPTION_CHARACTERS;
      out.append(column == 0 ? "" : next ? "\n" : " ").append(word);
      column = next ? word.length() : column + 1 + word.length();
    }
    return out.toString().split("\n");
  }

  Svg svg() {
    return svg;
  }

  /** Returns the width of a cell when this many fill the picture from left to right. */
  static double cell(int cells) {
    return (RIGHT - LEFT) / cells;
  }

  /** Returns the middle of a cell in a strip that fills the picture. */
  static double middle(int index, int cells) {
    return LEFT + (index + 0.5) * cell(cells);
  }

  /** Draws a strip of cells over the whole width; a tint is a color class or empty. */
  Sketch strip(double y, double height, int cells, IntFunction<String> tint) {
    double width = cell(cells);
    for (int i = 0; i < cells; i++) {
      cell(LEFT + i * width, y, width, height, tint.apply(i));
    }
    return this;
  }

  /** Returns one cell. */
  Sketch cell(double x, double y, double width, double height, String tint) {
    svg.rect(x, y, width, height, "paper");
    if (!tint.isEmpty()) {
      svg.rect(x, y, width, height, tint);
    }
    return this;
  }

  /** Returns the words in the cells of a strip. */
  Sketch numbers(double y, int cells, double size, IntFunction<String> text) {
    for (int i = 0; i < cells; i++) {
      svg.text(middle(i, cells), y, text.apply(i), "middle", size, "");
    }
    return this;
  }

  /** Returns a key to a tint. */
  Sketch key(double x, double y, String tint, String text) {
    cell(x, y - 12, 15, 15, tint);
    svg.text(x + 22, y, text, "");
    return this;
  }

  /** Returns the one bits of a filter. */
  static BitSet ones(RangeBloomFilter filter) {
    return BitSet.valueOf(filter.toBareBytes());
  }

  @Override
  public String toString() {
    return svg.toString();
  }
}
