package dev.bellows.spark.internal;

import java.math.BigInteger;
import java.util.List;
import java.util.function.LongSupplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.types.StructField;
import scala.Option;

/**
 * Whether a filter before a join can save more than it costs. A key of the small side costs its
 * place in a buffer, in the shuffle and in the filter; a row of the large side that is dropped
 * saves its place in the shuffle and in the sort. With too few rows for each key the filter costs
 * more than it saves unless it drops nearly all of them.
 *
 * @param rows of the large side by Spark's statistics
 * @param keys of the small side: its rows by the same statistics, or counted
 * @param minRowsPerKey below this many rows for each key a filter does not pay off
 */
record JoinEstimate(BigInteger rows, BigInteger keys, double minRowsPerKey) {
  static final String MIN_ROWS_PER_KEY = "spark.bellows.join.minRowsPerKey";

  /**
   * With 4 rows, half of them dropped, a filter was measured to take 9 % more processor time than
   * none, in about the same wall time.
   */
  static final double DEFAULT_MIN_ROWS_PER_KEY = 6;

  /** Uses Spark's statistics, and counts the small side's keys only if these do not decide. */
  static JoinEstimate of(
      Dataset<Row> large, Dataset<Row> small, LongSupplier keys, double minRowsPerKey) {
    BigInteger rows = rows(large);
    JoinEstimate first = new JoinEstimate(rows, rows(small), minRowsPerKey);
    return first.mayPay()
        ? first
        : new JoinEstimate(rows, BigInteger.valueOf(keys.getAsLong()), minRowsPerKey);
  }

  /** Returns the setting of a session. */
  static double minRowsPerKey(SparkSession session) {
    String conf = session.conf().get(MIN_ROWS_PER_KEY, "" + DEFAULT_MIN_ROWS_PER_KEY);
    try {
      return Double.parseDouble(conf);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s is a number of rows such as %s, not %s"
              .formatted(MIN_ROWS_PER_KEY, DEFAULT_MIN_ROWS_PER_KEY, conf),
          e);
    }
  }

  boolean mayPay() {
    return rows.doubleValue() >= minRowsPerKey * keys.doubleValue();
  }

  private static BigInteger rows(Dataset<Row> side) {
    return rows(SparkApi.queryExecution(side).optimizedPlan());
  }

  /**
   * Returns the rows of an optimized plan by Spark's statistics, by those of a table, or by the
   * sizes of its files. If statistics count no rows, they multiply the bytes of the sides of a
   * join; here a join has as many rows as its larger side.
   */
  static BigInteger rows(LogicalPlan plan) {
    Statistics statistics = plan.stats();
    if (statistics.rowCount().isDefined()) {
      return statistics.rowCount().get().bigInteger();
    }
    if (plan instanceof LogicalRelation table && isCounted(table.catalogTable())) {
      return table.catalogTable().get().stats().get().rowCount().get().bigInteger();
    }
    List<LogicalPlan> children = SparkApi.list(plan.children());
    if (children.isEmpty()) {
      long bytes = 0;
      for (StructField field : plan.schema().fields()) {
        bytes += field.dataType().defaultSize();
      }
      return statistics.sizeInBytes().bigInteger().divide(BigInteger.valueOf(Math.max(1, bytes)));
    }
    return children.stream()
        .map(JoinEstimate::rows)
        .reduce(BigInteger.ZERO, plan instanceof Join ? BigInteger::max : BigInteger::add);
  }

  /**
   * Returns whether ANALYZE TABLE counted the rows. They are not among the statistics of the plan
   * unless the cost-based optimizer is enabled.
   */
  private static boolean isCounted(Option<CatalogTable> table) {
    return table.isDefined()
        && table.get().stats().isDefined()
        && table.get().stats().get().rowCount().isDefined();
  }

  @Override
  public String toString() {
    return "about %d rows and %d keys, %s %s rows for a key (%s)"
        .formatted(
            rows, keys, mayPay() ? "at least" : "fewer than", minRowsPerKey, MIN_ROWS_PER_KEY);
  }
}
