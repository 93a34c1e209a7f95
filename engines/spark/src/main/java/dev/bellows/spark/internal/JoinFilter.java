package dev.bellows.spark.internal;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.expressions.aggregate.Count;
import org.apache.spark.sql.catalyst.expressions.aggregate.HyperLogLogPlusPlus;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.expressions.aggregate.Sum;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationRef;
import org.apache.spark.sql.catalyst.plans.logical.CollectMetrics;
import org.apache.spark.sql.catalyst.plans.logical.Deduplicate;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.Sample;
import org.apache.spark.sql.catalyst.plans.logical.Tail;
import org.apache.spark.sql.catalyst.plans.logical.Window;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DoubleType;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Option;

/**
 * Places a filter before a join. The filter is a scalar subquery over the plan of the small side,
 * so that each run of the query builds it from the rows that this run reads.
 */
public final class JoinFilter {
  private static final Logger LOG = LoggerFactory.getLogger(JoinFilter.class);

  /** The relative standard deviation of the counted keys. */
  private static final double PRECISION = 0.05;

  private JoinFilter() {}

  /**
   * Returns the large side, filtered if this may pay off.
   *
   * @throws UnfilteredJoinException if the join cannot be filtered
   */
  public static Dataset<Row> prefilter(
      Dataset<Row> large, Dataset<Row> small, double fpp, String... keys) {
    SparkApi.requireSupported();
    return filtered(large, small, fpp, JoinKeys.of(large.join(small, keys, "inner")), false);
  }

  /** Returns the join, with a filter before it if the join drops rows and a filter is possible. */
  public static Dataset<Row> join(
      Dataset<Row> large, Dataset<Row> small, String joinType, double fpp, String... keys) {
    SparkApi.requireSupported();
    Dataset<Row> plain = large.join(small, keys, joinType);
    try {
      JoinKeys joinKeys = JoinKeys.of(plain);
      if (dropsRowsWithoutMatch(joinKeys.joinType())) {
        return filtered(large, small, fpp, joinKeys, true).join(small, keys, joinType);
      }
    } catch (UnfilteredJoinException e) {
      LOG.warn("no filter before the join: {}", e.getMessage());
    }
    return plain;
  }

  private static boolean dropsRowsWithoutMatch(JoinType type) {
    return type == Inner$.MODULE$ || type == RightOuter$.MODULE$ || type == LeftSemi$.MODULE$;
  }

  /**
   * Filters the large side. Only if the join with the small side follows may a row without a match
   * pass because querying does not pay off.
   */
  private static Dataset<Row> filtered(
      Dataset<Row> large, Dataset<Row> small, double fpp, JoinKeys keys, boolean joined) {
    if (small.isStreaming()) {
      throw new UnfilteredJoinException("the small side is a stream");
    }
    Expression filter = keys.ofSmall(aggregate(keys, fpp));
    if (whyNotRepeatable(keys.smallPlan()) != null) {
      // once more about the optimized plan, which computes nothing but the keys
      String cause =
          whyNotRepeatable(SparkApi.queryExecution(alone(large, filter)).optimizedPlan());
      if (cause != null) {
        throw new UnfilteredJoinException(
            ("the small side may have other keys each time it is computed, because "
                    + "of %s: write it or checkpoint it first")
                .formatted(cause));
      }
    }
    double minRowsPerKey = JoinEstimate.minRowsPerKey(large.sparkSession());
    if (minRowsPerKey > 0 && !large.isStreaming()) {
      JoinEstimate estimate =
          JoinEstimate.of(large, small, () -> count(large, keys), minRowsPerKey);
      LOG.info("{} before the join: {}", estimate.mayPay() ? "a filter" : "no filter", estimate);
      if (!estimate.mayPay()) {
        return large;
      }
    }
    Expression shared = new BroadcastFilter(filter);
    return large.filter(
        SparkApi.column(
            joined
                ? MayMatch.of(large.sparkSession(), shared, keys)
                : MayMatch.always(shared, keys)));
  }

  /** Returns what makes the filter of the small side's keys. */
  static AggregateFunction aggregate(JoinKeys keys, double fpp) {
    Expression rate = Literal.create(fpp, DataTypes.DoubleType);
    return (AggregateFunction) SqlFunctions.AGG.build(SparkApi.seq(List.of(keys.small(), rate)));
  }

  /** Returns a query of one subquery alone. */
  private static Dataset<Row> alone(Dataset<Row> session, Expression subquery) {
    return session.sparkSession().range(1).select(SparkApi.column(subquery));
  }

  private static long count(Dataset<Row> session, JoinKeys keys) {
    Expression precision = Literal.create(PRECISION, DataTypes.DoubleType);
    Expression counted = keys.ofSmall(new HyperLogLogPlusPlus(keys.small(), precision));
    return alone(session, counted).head().getLong(0);
  }

  /**
   * Returns a node that may give other rows when a plan is computed a second time, null if none
   * does.
   */
  static @Nullable String whyNotRepeatable(LogicalPlan plan) {
    List<LogicalPlan> queries = new ArrayList<>(SparkApi.list(plan.subqueriesAll()));
    queries.add(plan);
    for (LogicalPlan query : queries) {
      Option<LogicalPlan> found = query.find(JoinFilter::mayVary);
      if (found.isDefined()) {
        return found.get().nodeName();
      }
    }
    return null;
  }

  private static boolean mayVary(LogicalPlan node) {
    return node instanceof GlobalLimit
        || node instanceof LocalLimit
        || node instanceof Offset
        || node instanceof Tail
        || node instanceof Sample
        || node instanceof Window
        || node instanceof Deduplicate
        || node instanceof CollectMetrics
        || node instanceof CTERelationRef // one that is left is computed once, because it varies
        || (node instanceof DataSourceV2ScanRelation scan && VersionTwo.mayVary(scan.relation()))
        || node.expressions().exists(JoinFilter::mayVary);
  }

  private static boolean mayVary(Expression expression) {
    return !expression.deterministic()
        || expression.exists(
            part -> part instanceof AggregateFunction function && !ignoresOrder(function));
  }

  /** Returns whether an aggregate is known to be the same in whatever order the rows come. */
  private static boolean ignoresOrder(AggregateFunction function) {
    return function instanceof BuildAggregate
        || function instanceof Count
        || function instanceof Max
        || function instanceof Min
        || (function instanceof Sum && !(function.dataType() instanceof DoubleType));
  }
}
