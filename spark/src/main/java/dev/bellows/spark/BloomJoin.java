package dev.bellows.spark;

import dev.bellows.spark.internal.JoinFilter;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A filter before a join: rows of the large side that surely have no partner are dropped where they
 * are read, before they are shuffled.
 *
 * <pre>{@code
 * Dataset<Row> joined = BloomJoin.prefilter(sales, vips, "customer").join(vips, "customer");
 * }</pre>
 */
public final class BloomJoin {
  /** The rate of {@link #prefilter(Dataset, Dataset, String...)}. */
  public static final double DEFAULT_FPP = 0.01;

  private BloomJoin() {}

  /** The rows of the large side that may have a partner, and one in a hundred of the others. */
  public static Dataset<Row> prefilter(Dataset<Row> large, Dataset<Row> small, String... keys) {
    return prefilter(large, small, DEFAULT_FPP, keys);
  }

  /**
   * The rows of the large side that may have a partner. Runs a job over the small side's keys now;
   * the large side stays lazy. Rows with a null key are dropped, as an inner join drops them: not
   * for outer joins that keep the large side.
   *
   * @param fpp the share of rows without a partner that may stay
   * @param keys the columns that the join compares, under the same names on both sides
   */
  public static Dataset<Row> prefilter(
      Dataset<Row> large, Dataset<Row> small, double fpp, String... keys) {
    return JoinFilter.apply(large, small, fpp, keys);
  }
}
