package dev.bellows.spark.internal;

import java.io.Serializable;

/**
 * Decides from a filter's own answers whether querying it is worth the time. A task queries the
 * filter for a stretch of rows; if too large a share of them passed, it lets a longer stretch of
 * rows pass without a query, and then tries again, because rows that come later may be different.
 * The first stretch that does not pay off costs a task at most {@link #ASKED} queries, and from
 * then on one row of {@code UNASKED / ASKED + 1} is queried.
 *
 * <p>Rows that pass without a query may have no match, so this is only for a filter before a join
 * that drops them anyway. Each task has its own copy; if threads share one, they lose counts but no
 * rows.
 */
public final class Watch implements Serializable {
  private static final long serialVersionUID = 1;

  /** The number of rows in a stretch that is queried. */
  static final int ASKED = 1 << 13;

  /** The number of rows in a stretch that is not queried, after one that did not pay off. */
  static final int UNASKED = 31 * ASKED;

  private final double maxPassed;
  private transient boolean asking;
  private transient int left;
  private transient int passed;

  /**
   * @param maxPassed the share of rows up to which querying pays off; with 1, every row is queried
   */
  Watch(double maxPassed) {
    this.maxPassed = maxPassed;
  }

  /** Begins a row, and returns whether to query the filter for it. */
  public boolean asks() {
    if (left-- == 0) {
      turn();
    }
    return asking;
  }

  private void turn() {
    boolean paid = !asking || passed <= maxPassed * ASKED;
    asking = paid;
    left = (paid ? ASKED : UNASKED) - 1;
    passed = 0;
  }

  /** Counts an answer and returns it. */
  public boolean answered(boolean mayMatch) {
    if (mayMatch) {
      passed++;
    }
    return mayMatch;
  }
}
