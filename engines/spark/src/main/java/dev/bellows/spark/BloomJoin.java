package dev.bellows.spark;

import dev.bellows.spark.internal.JoinFilter;
import dev.bellows.spark.internal.RemoteSession;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A filter before a join: rows of the large side that certainly have no match are dropped where
 * they are read, before they are shuffled. <strong>Only for joins that drop such rows</strong>:
 * after a left outer, full outer or anti join of the large side, rows would be missing; {@link
 * #join} knows which joins those are.
 *
 * <pre>{@code
 * Dataset<Row> joined = BloomJoin.join(sales, vips, "inner", "customer");
 * }</pre>
 *
 * <p>The filter is part of the query: each action builds it from the rows of the small side that it
 * reads. The small side is read twice, once for the filter and once for the join, so its source has
 * to give the same rows twice within one action. Tables with snapshots, cached and checkpointed
 * rows do; files that another process rewrites at that moment do not. A small side that is known to
 * vary (a limit, a sample, a nondeterministic function that decides about keys) is not filtered.
 */
public final class BloomJoin {
  /**
   * The default false positive rate. At a rate a hundred times as high the filter is half as large,
   * but every row that passes is shuffled and sorted.
   */
  public static final double DEFAULT_FPP = 1e-4;

  private BloomJoin() {}

  /**
   * Returns the rows of the large side that may have a match, and one in ten thousand of the
   * others.
   */
  public static Dataset<Row> prefilter(Dataset<Row> large, Dataset<Row> small, String... keys) {
    return prefilter(large, small, DEFAULT_FPP, keys);
  }

  /**
   * Returns the rows of the large side that may have a match. Rows with a null key are dropped, as
   * an inner join drops them: not for outer and anti joins that keep rows of the large side without
   * a match. Keys are compared as Spark's analysis of the join compares them under the settings of
   * this moment: cast to a common type, CHAR columns padded to a common length. Keys of types that
   * cannot be hashed are ignored if there are others.
   *
   * <p>If the small side has so many keys that a filter would cost more than it saves, the large
   * side is returned unchanged, and the log says so: with fewer than {@code
   * spark.bellows.join.minRowsPerKey} rows of the large side for each of them. 0 always filters.
   * The keys are counted, in a job, only if Spark's statistics do not decide.
   *
   * @param fpp the share of rows without a match that may stay
   * @param keys the columns that the join compares, under the same names on both sides
   * @throws IllegalArgumentException if no key can be hashed, or if the small side is a stream or
   *     may have other rows each time it is computed
   * @throws UnsupportedOperationException if the rows are those of Spark Connect
   */
  public static Dataset<Row> prefilter(
      Dataset<Row> large, Dataset<Row> small, double fpp, String... keys) {
    RemoteSession.refuse("BloomJoin", large, small);
    return JoinFilter.prefilter(large, small, fpp, keys);
  }

  /**
   * Joins the large side, on the left, with the small one on equal keys. The large side is filtered
   * first if the type of join drops its rows without a match (inner, right outer, left semi). All
   * other types are plain joins, and so are joins that {@link #prefilter} refuses; then the log
   * says why.
   *
   * <p>A task whose filter lets more than {@code spark.bellows.join.maxPassed} of the rows pass
   * (0.9 by default) queries it for only one row in 32, until it drops enough again. The result of
   * the join is the same.
   *
   * @param joinType as in {@code Dataset.join}
   * @param keys the columns that the join compares, under the same names on both sides
   * @throws UnsupportedOperationException if the rows are those of Spark Connect
   */
  public static Dataset<Row> join(
      Dataset<Row> large, Dataset<Row> small, String joinType, String... keys) {
    RemoteSession.refuse("BloomJoin", large, small);
    return JoinFilter.join(large, small, joinType, DEFAULT_FPP, keys);
  }
}
