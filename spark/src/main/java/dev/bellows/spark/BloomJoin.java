package dev.bellows.spark;

import dev.bellows.spark.internal.JoinFilter;
import java.util.Locale;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A filter before a join: rows of the large side that surely have no partner are dropped where they
 * are read, before they are shuffled. <strong>Only for joins that drop such rows</strong>: after a
 * left outer, full outer or anti join of the large side, rows would be missing; {@link #join} knows
 * which joins those are.
 *
 * <pre>{@code
 * Dataset<Row> joined = BloomJoin.join(sales, vips, "inner", "customer");
 * }</pre>
 */
public final class BloomJoin {
  /**
   * The rate of {@link #prefilter(Dataset, Dataset, String...)}. One of a hundred times as much
   * would halve the filter, but every row that passes is shuffled and sorted.
   */
  public static final double DEFAULT_FPP = 1e-4;

  private BloomJoin() {}

  /** The rows of the large side that may have a partner, and one in ten thousand of the others. */
  public static Dataset<Row> prefilter(Dataset<Row> large, Dataset<Row> small, String... keys) {
    return prefilter(large, small, DEFAULT_FPP, keys);
  }

  /**
   * The rows of the large side that may have a partner. Runs a job over the small side's keys now;
   * the large side stays lazy. Rows with a null key are dropped, as an inner join drops them: not
   * for outer and anti joins that keep rows of the large side without a partner. Keys are compared
   * as Spark's join compares them: both sides are cast to the type that its analysis finds.
   *
   * <p>Where the small side has so many keys that a filter cannot save what it costs, the large
   * side is returned as it is, and the log says so: with fewer than {@code
   * spark.bellows.join.minRowsPerKey} rows of the large side for each of them. 0 always filters.
   *
   * @param fpp the share of rows without a partner that may stay
   * @param keys the columns that the join compares, under the same names on both sides
   */
  public static Dataset<Row> prefilter(
      Dataset<Row> large, Dataset<Row> small, double fpp, String... keys) {
    return JoinFilter.apply(large, small, fpp, keys);
  }

  /**
   * Joins the large side, on the left, with the small one on equal keys. The large side is filtered
   * first where the type of join drops its rows without a partner (inner, right outer, left semi);
   * all other types are plain joins.
   *
   * @param joinType as in {@code Dataset.join}
   * @param keys the columns that the join compares, under the same names on both sides
   */
  public static Dataset<Row> join(
      Dataset<Row> large, Dataset<Row> small, String joinType, String... keys) {
    boolean drops =
        switch (joinType.toLowerCase(Locale.ROOT).replace("_", "")) {
          case "inner", "right", "rightouter", "semi", "leftsemi" -> true;
          default -> false;
        };
    Dataset<Row> left = drops ? prefilter(large, small, keys) : large;
    return left.join(small, keys, joinType);
  }
}
