package dev.bellows.bench;

import dev.bellows.cli.console.Table;
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
    return Table.ofWords(
        rows.get(0), rows.stream().skip(1).map(row -> row.toArray(String[]::new)).toList());
  }
}
