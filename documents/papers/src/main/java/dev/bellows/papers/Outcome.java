package dev.bellows.papers;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** The result of computing an item: numbers with verdicts, a table of data, and pictures. */
public final class Outcome {
  private final List<Result.Builder> numbers = new ArrayList<>();
  private final Map<String, Supplier<String>> pictures = new LinkedHashMap<>();
  private final List<String> header = new ArrayList<>();
  private final List<List<Object>> rows = new ArrayList<>();

  /** Adds a number to the results. */
  Result.Builder number(String id, String what) {
    Result.Builder number = Result.of(id, what);
    numbers.add(number);
    return number;
  }

  /** Adds a picture: an SVG and its text alternative. */
  void picture(String words, Supplier<String> svg) {
    pictures.put(words, svg);
  }

  /** Sets the names of the columns; a string may hold several, separated by commas. */
  void columns(String... names) {
    for (String name : names) {
      header.addAll(List.of(name.split(", ")));
    }
  }

  /** Adds a row of data: numbers, words, and measured values with both ends of their intervals. */
  void row(Object... values) {
    List<Object> row = new ArrayList<>();
    for (Object value : values) {
      row.addAll(
          value instanceof Measured m ? List.of(m.value(), m.low(), m.high()) : List.of(value));
    }
    if (row.size() != header.size()) {
      throw new IllegalArgumentException(
          row.size() + " values for " + header.size() + " columns: " + header);
    }
    rows.add(row);
  }

  /** Returns the numbers with a verdict. */
  public List<Result> results() {
    return numbers.stream().map(Result.Builder::build).toList();
  }

  /** Returns the pictures by their words. */
  public Map<String, Supplier<String>> pictures() {
    return pictures;
  }

  /** Returns the data as comma-separated values, or the numbers if there is no other data. */
  public String csv() {
    StringBuilder out = new StringBuilder();
    if (header.isEmpty()) {
      out.append("id,printed,rule,formula,measured,low,high,comparison,verdict,erratum\n");
      for (Result r : results()) {
        line(
            out,
            r.id(),
            r.printed(),
            r.rule(),
            r.formula(),
            r.measured(),
            r.low(),
            r.high(),
            r.comparison() == null ? null : r.comparison().words(),
            r.verdict().name().toLowerCase(Locale.ROOT),
            r.erratum());
      }
    } else {
      line(out, header.toArray());
      rows.forEach(row -> line(out, row.toArray()));
    }
    return out.toString();
  }

  private static void line(StringBuilder out, Object... values) {
    for (int i = 0; i < values.length; i++) {
      out.append(i == 0 ? "" : ",").append(cell(values[i]));
    }
    out.append('\n');
  }

  private static String cell(Object value) {
    if (value == null || (value instanceof Double real && real.isNaN())) {
      return "";
    }
    if (value instanceof Double real) {
      return real == Math.rint(real) && Math.abs(real) < 1e15
          ? Long.toString(real.longValue())
          : String.format(Locale.ROOT, "%.9g", real);
    }
    String text = value.toString();
    return text.contains(",") || text.contains("\"")
        ? '"' + text.replace("\"", "\"\"") + '"'
        : text;
  }
}
