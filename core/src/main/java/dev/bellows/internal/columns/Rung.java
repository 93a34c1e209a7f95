package dev.bellows.internal.columns;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.math.RibbonSize;

/**
 * One step of the ladder of a frozen filter: the columns of every group, and the number of leading
 * groups that have one more. Between two whole numbers of columns there is a rung for each group.
 *
 * @param columns the columns of every group
 * @param lead the number of groups, from the first one on, that have one column more
 */
public record Rung(int columns, long lead) implements Comparable<Rung> {
  /** The most columns: a key has one check bit for each. */
  public static final int MOST_COLUMNS = RibbonSize.MOST_COLUMNS;

  /** Nothing: every key passes. */
  public static final Rung NONE = new Rung(0, 0);

  /** Refuses numbers that no filter has. */
  public Rung {
    Checks.inRange(0, MOST_COLUMNS, columns, "columns");
    Checks.notNegative(lead, "groups with one more column");
    if (columns == MOST_COLUMNS && lead > 0) {
      throw new IllegalArgumentException(
          "%d groups with %d columns where there are at most %d"
              .formatted(lead, columns + 1, MOST_COLUMNS));
    }
  }

  /** Returns the columns of a group. */
  int columns(long group) {
    return group < lead ? columns + 1 : columns;
  }

  /** Returns the words of all groups before this one. */
  long word(long group) {
    return group * columns + Math.min(group, lead);
  }

  /** Returns the words of this many groups that this rung has and a lower one does not. */
  public long wordsAbove(Rung lower, long groups) {
    return word(groups) - lower.word(groups);
  }

  /** Returns the columns that a group has on average. */
  public double mean(long groups) {
    return groups == 0 ? columns : columns + (double) lead / groups;
  }

  /** Returns the probability that an absent key passes, if all groups are used alike. */
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
