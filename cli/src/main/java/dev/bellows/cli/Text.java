package dev.bellows.cli;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import dev.bellows.FilterStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Numbers and tables as a person likes to read them. */
final class Text {
  private static final String[] BINARY_UNITS = {"bytes", "KiB", "MiB", "GiB", "TiB"};

  private Text() {}

  static String format(String pattern, Object... values) {
    return String.format(Locale.ROOT, pattern, values);
  }

  static String count(long count) {
    return format("%,d", count);
  }

  static String bytes(long bytes) {
    double size = bytes;
    int unit = 0;
    while (size >= 1024 && unit < BINARY_UNITS.length - 1) {
      size /= 1024;
      unit++;
    }
    return unit == 0 ? count(bytes) + " bytes" : format("%.1f %s", size, BINARY_UNITS[unit]);
  }

  /** A rate as a percentage, and "1 in n" where that is clearer. */
  static String rate(double rate) {
    if (Double.isNaN(rate)) {
      return "unknown";
    }
    if (rate == 0) {
      return "0";
    }
    if (rate < 1e-9) {
      return format("%.3g", rate);
    }
    String percent = format("%.5g %%", 100 * rate);
    return rate < 0.1 ? percent + format(" (1 in %,.0f)", 1 / rate) : percent;
  }

  /** The number of keys a filter's bits speak of; a full filter only tells the least. */
  static String keys(FilterStats stats) {
    return (stats.ones() == stats.bits() ? "at least " : "")
        + count(Math.round(stats.approximateKeys()));
  }

  /** A real bound that may be infinite. */
  static String bound(double value) {
    return Double.isInfinite(value) ? "unbounded" : format("%,.1f", value);
  }

  /** A bar for a rate from 1e-6 to 1 on a logarithmic scale. */
  static String logBar(double rate, int width) {
    double share = 1 + Math.log10(Math.max(rate, 1e-6)) / 6;
    return format("%-" + width + "s", "#".repeat((int) Math.round(share * width)));
  }

  /** Something of a user's data inside a message: short, and without control characters. */
  static String quote(String text) {
    String shown = text.length() > 60 ? text.substring(0, 57) + "..." : text;
    return "'" + shown.replaceAll("\\p{Cntrl}", "?") + "'";
  }

  /** A table of names and values without borders, built row by row. */
  static final class Facts {
    private final List<String[]> rows = new ArrayList<>();

    Facts add(String name, String value) {
      return add(name, value, "");
    }

    Facts add(String name, String value, String remark) {
      rows.add(new String[] {name, value, remark});
      return this;
    }

    @Override
    public String toString() {
      Column[] columns = {left(), left(), left()};
      return trimmed(
          AsciiTable.builder()
              .lineSeparator("\n")
              .border(AsciiTable.NO_BORDERS)
              .data(columns, rows.toArray(new String[0][]))
              .asString());
    }

    private static Column left() {
      return new Column().dataAlign(HorizontalAlign.LEFT).maxWidth(100);
    }
  }

  /** A table with a header; numbers stand at the right. */
  static String table(List<String> header, List<String[]> rows) {
    Column[] columns = new Column[header.size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] =
          new Column()
              .header(header.get(i))
              .headerAlign(HorizontalAlign.RIGHT)
              .dataAlign(HorizontalAlign.RIGHT);
    }
    return trimmed(
        AsciiTable.builder()
            .lineSeparator("\n")
            .border(AsciiTable.NO_BORDERS)
            .data(columns, rows.toArray(new String[0][]))
            .asString());
  }

  private static String trimmed(String table) {
    StringBuilder out = new StringBuilder();
    for (String line : table.split("\n")) {
      if (!line.isBlank()) {
        out.append(' ').append(line.stripTrailing()).append('\n');
      }
    }
    return out.toString();
  }
}
