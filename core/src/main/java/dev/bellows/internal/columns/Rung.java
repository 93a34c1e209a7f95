package dev.bellows.internal.columns;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.RibbonSize;

/**
 * One step of the ladder of a frozen filter: the number of columns of every group, and the number
 * of leading groups that have one more. Between two whole numbers of columns there is a rung for
 * each group.
 *
 * @param columns the number of columns of every group
 * @param lead the number of leading groups that have one more column
 */
public record Rung(int columns, long lead) implements Comparable<Rung> {
  /** The maximum number of columns: a key has one check bit for each. */
  public static final int MOST_COLUMNS = RibbonSize.MOST_COLUMNS;

  /** No columns at all: every key passes. */
  public static final Rung NONE = new Rung(0, 0);

  /** Checks the arguments. */
  public Rung {
    Checks.inRange(0, MOST_COLUMNS, columns, "columns");
    Checks.notNegative(lead, "groups with one more column");
    if (columns == MOST_COLUMNS && lead > 0) {
      throw new IllegalArgumentException(
          "%d groups with %d columns, but there are at most %d columns"
              .formatted(lead, columns + 1, MOST_COLUMNS));
    }
  }

  /** Returns the number of columns of a group. */
  int columns(long group) {
    return group < lead ? columns + 1 : columns;
  }

  /** Returns the number of words of all groups before this one. */
  long word(long group) {
    return group * columns + Math.min(group, lead);
  }

  /** Returns how many more words this rung has than a lower one, for this many groups. */
  public long wordsAbove(Rung lower, long groups) {
    return word(groups) - lower.word(groups);
  }

  /** Returns the average number of columns of a group. */
  public double mean(long groups) {
    return groups == 0 ? columns : columns + (double) lead / groups;
  }

  /** Returns the probability that an absent key passes if all groups are equally likely. */
  public double fpp(long groups) {
    return Math.scalb(1 - (mean(groups) - columns) / 2, -columns);
  }

  @Override
  public int compareTo(Rung other) {
    return columns != other.columns
        ? Integer.compare(columns, other.columns)
        : Long.compare(lead, other.lead);
  }
}
