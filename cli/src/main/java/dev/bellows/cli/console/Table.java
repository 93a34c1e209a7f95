package dev.bellows.cli.console;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import dev.bellows.internal.base.Prose;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A table without borders, to which rows are added. */
public final class Table {
  private final List<String> header;
  private final List<String[]> rows = new ArrayList<>();

  /** An empty table with a header; all columns are right-aligned. */
  public Table(String... header) {
    this.header = List.of(header);
  }

  /** Adds a row of texts and numbers. */
  public Table row(Object... cells) {
    rows.add(Stream.of(cells).map(Table::cell).toArray(String[]::new));
    return this;
  }

  /** Returns a text as it is, a number of type double as a rate and any other as a count. */
  static String cell(Object value) {
    return value instanceof Double rate
        ? Prose.rate(rate)
        : value instanceof Number count ? Prose.count(count.longValue()) : value.toString();
  }

  @Override
  public String toString() {
    return of(HorizontalAlign.RIGHT, header, rows);
  }

  /** Returns a table with a header and a first column of words; the others are right-aligned. */
  public static String ofWords(List<String> header, List<String[]> rows) {
    return of(HorizontalAlign.LEFT, header, rows);
  }

  private static String of(HorizontalAlign first, List<String> header, List<String[]> rows) {
    Column[] columns = new Column[header.size()];
    for (int i = 0; i < columns.length; i++) {
      HorizontalAlign align = i == 0 ? first : HorizontalAlign.RIGHT;
      columns[i] = new Column().header(header.get(i)).headerAlign(align).dataAlign(align);
    }
    return of(columns, rows);
  }

  /** Returns a table of such columns, indented by one space. */
  public static String of(Column[] columns, List<String[]> rows) {
    String table =
        AsciiTable.builder()
            .lineSeparator("\n")
            .border(AsciiTable.NO_BORDERS)
            .data(columns, rows.toArray(new String[0][]))
            .asString();
    return table
        .lines()
        .filter(line -> !line.isBlank())
        .map(line -> " " + line.stripTrailing() + "\n")
        .collect(Collectors.joining());
  }
}
