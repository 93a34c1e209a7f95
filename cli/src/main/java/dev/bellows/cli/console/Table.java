package dev.bellows.cli.console;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import java.util.List;

/** Tables without borders. */
public final class Table {
  private Table() {}

  /** Returns a table with a header; numbers are right-aligned. */
  public static String of(List<String> header, List<String[]> rows) {
    return of(HorizontalAlign.RIGHT, header, rows);
  }

  /** The same, with a first column of words. */
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
    StringBuilder out = new StringBuilder();
    for (String line : table.split("\n")) {
      if (!line.isBlank()) {
        out.append(' ').append(line.stripTrailing()).append('\n');
      }
    }
    return out.toString();
  }
}
