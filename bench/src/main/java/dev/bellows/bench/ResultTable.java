package dev.bellows.bench;

import java.util.ArrayList;
import java.util.List;

/** Rows under headings, as aligned text or as Markdown; the first column is words. */
final class ResultTable {
  private final List<List<String>> rows = new ArrayList<>();

  ResultTable(String... headings) {
    rows.add(List.of(headings));
  }

  /** Adds a row, with a cell for every heading. */
  ResultTable row(String... cells) {
    if (cells.length != rows.get(0).size()) {
      throw new IllegalArgumentException(
          cells.length + " cells under " + rows.get(0).size() + " headings");
    }
    rows.add(List.of(cells));
    return this;
  }

  /** For a page. */
  String markdown() {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < rows.size(); i++) {
      out.append("| ").append(String.join(" | ", rows.get(i))).append(" |\n");
      if (i == 0) {
        out.append("|---").append("|---:".repeat(rows.get(0).size() - 1)).append("|\n");
      }
    }
    return out.toString();
  }

  /** For a terminal. */
  String text() {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    StringBuilder out = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder("  ");
      for (int i = 0; i < columns; i++) {
        String gap = " ".repeat(widths[i] - row.get(i).length());
        line.append(i == 0 ? row.get(i) + gap : "  " + gap + row.get(i));
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
    return out.toString();
  }
}
