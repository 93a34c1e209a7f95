package dev.bellows.cli.keys;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.internal.base.Prose;
import java.util.List;
import java.util.stream.Collectors;

/** Which column of a line is meant: by its number or by its name in the header. */
final class Columns {
  /** The maximum number of names in a message. */
  private static final int SHOWN = 12;

  private Columns() {}

  /** Whether a column is meant by its number. */
  static boolean isNumber(String column) {
    return column.matches("\\d{1,9}");
  }

  /** A column of a CSV record (RFC 4180), counted from 1. */
  static String ofRecord(String record, String delimiter, int wanted) {
    StringBuilder value = new StringBuilder();
    int column = 1;
    boolean isQuoted = false;
    for (int i = 0; i < record.length(); i++) {
      char next = record.charAt(i);
      if (next == '"') {
        if (isQuoted && i + 1 < record.length() && record.charAt(i + 1) == '"') {
          value.append('"');
          i++;
        } else {
          isQuoted = !isQuoted;
        }
      } else if (!isQuoted && record.startsWith(delimiter, i)) {
        if (column == wanted) {
          return value.toString();
        }
        column++;
        value.setLength(0);
        i += delimiter.length() - 1;
      } else {
        value.append(next);
      }
    }
    if (column < wanted) {
      throw new IllegalArgumentException(
          "the record has %s, not %d: check --time-field and --delimiter"
              .formatted(Prose.plural(column, "column"), wanted));
    }
    return value.toString();
  }

  /** The number of a column, counted from 1; a name must occur once in the header. */
  static int find(List<String> header, String column, String file) {
    if (isNumber(column)) {
      return Integer.parseInt(column);
    }
    int index = header.indexOf(column);
    if (index < 0 || index != header.lastIndexOf(column)) {
      throw new CommandFailure(
          "%s: %s column is named %s: its header has %s%s",
          file,
          index < 0 ? "no" : "more than one",
          Prose.quote(column),
          header.stream().limit(SHOWN).map(Prose::quote).collect(Collectors.joining(", ")),
          header.size() > SHOWN ? ", ..." : "");
    }
    return index + 1;
  }
}
