package dev.bellows.cli.keys;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.internal.base.Prose;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where the key of a line or record is.
 *
 * @param delimiter what separates columns
 * @param field the column of the key, counted from 1, or its name in the first line; null for the
 *     whole line
 * @param hasHeader whether the first line of an input names the columns and is not a key
 * @param maxLength the most bytes of a line, at most {@link Lines#MAX_LENGTH}
 * @param skipsBad whether lines without a key are skipped, instead of ending the input
 */
record LineFormat(
    byte[] delimiter, @Nullable String field, boolean hasHeader, int maxLength, boolean skipsBad) {
  /** The maximum number of names in a message. */
  private static final int SHOWN = 12;

  /** Whether a column is meant by its number. */
  static boolean isNumber(String column) {
    return column.matches("\\d{1,9}");
  }

  /**
   * Returns the number of the key's column, counted from 1; 0 for the whole line.
   *
   * @param header the names in the first line of a file, in which that of the column occurs once
   */
  int column(List<String> header, String file) {
    if (field == null) {
      return 0;
    }
    if (isNumber(field)) {
      return Integer.parseInt(field);
    }
    int index = header.indexOf(field);
    if (index < 0 || index != header.lastIndexOf(field)) {
      throw new CommandFailure(
          "%s: %s column is named %s: its header has %s%s",
          file,
          index < 0 ? "no" : "more than one",
          Prose.quote(field),
          header.stream().limit(SHOWN).map(Prose::quote).collect(Collectors.joining(", ")),
          header.size() > SHOWN ? ", ..." : "");
    }
    return index + 1;
  }

  /** What is wrong with a line or record that has too few columns, and which options to check. */
  static String tooFew(String what, int columns, int wanted, String option) {
    return "the %s has %s, not %d: check %s and --delimiter"
        .formatted(what, Prose.plural(columns, "column"), wanted, option);
  }
}
