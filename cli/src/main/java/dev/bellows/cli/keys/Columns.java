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

  /** What is wrong with a line or record that has too few columns, and which options to check. */
  static String tooFew(String what, int columns, int wanted, String option) {
    return "the %s has %s, not %d: check %s and --delimiter"
        .formatted(what, Prose.plural(columns, "column"), wanted, option);
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
