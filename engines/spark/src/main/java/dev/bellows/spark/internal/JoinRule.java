package dev.bellows.spark.internal;

import java.math.BigInteger;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.optimizer.ColumnPruning$;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftOuter$;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.RightOuter$;
import org.apache.spark.sql.catalyst.plans.logical.BROADCAST$;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.HintInfo;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Function1;
import scala.Option;
import scala.runtime.AbstractPartialFunction;

/**
 * Places filters before the joins of any query, SQL included, when a session sets {@value
 * #ENABLED}. The rule knows only Spark's statistics and starts no job, so it requires more of a
 * join than {@code BloomJoin} does: one side must be larger by the factor {@value
 * JoinEstimate#MIN_ROWS_PER_KEY} in rows, the other one too large for Spark to broadcast, and its
 * rows the same each time they are computed. Other joins are left unchanged.
 */
public final class JoinRule extends Rule<LogicalPlan> {
  private static final Logger LOG = LoggerFactory.getLogger(JoinRule.class);

  static final String ENABLED = "spark.bellows.join.enabled";

  private final SparkSession session;
  private final double fpp;

  /** Returns a rule for the queries of a session, with filters of a rate. */
  public JoinRule(SparkSession session, double fpp) {
    this.session = session;
    this.fpp = fpp;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return isEnabled() ? withFilters(plan) : plan;
  }

  private boolean isEnabled() {
    String text = session.conf().get(ENABLED, "false");
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("%s is true or false, not %s".formatted(ENABLED, text));
    }
    return text.equals("true");
  }

  private LogicalPlan withFilters(LogicalPlan plan) {
    return plan.transformUp(
        new AbstractPartialFunction<LogicalPlan, LogicalPlan>() {
          @Override
          public boolean isDefinedAt(LogicalPlan node) {
            return node instanceof Join;
          }

          @Override
          public <A extends LogicalPlan, B> B applyOrElse(A node, Function1<A, B> otherwise) {
            return node instanceof Join join ? cast(filtered(join)) : otherwise.apply(node);
          }
        });
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <B> B cast(LogicalPlan plan) {
    return (B) plan;
  }

  private LogicalPlan filtered(Join join) {
    boolean leftIsLarger =
        JoinEstimate.rows(join.left()).compareTo(JoinEstimate.rows(join.right())) >= 0;
    for (boolean largeOnTheLeft : new boolean[] {leftIsLarger, !leftIsLarger}) {
      if (dropsRowsWithoutMatch(join.joinType(), largeOnTheLeft)) {
        try {
          LogicalPlan filtered = filtered(join, largeOnTheLeft);
          if (filtered != null) {
            return filtered;
          }
        } catch (UnfilteredJoinException e) {
          LOG.info("no filter before the join: {}", e.getMessage());
        }
      }
    }
    return join;
  }

  private @Nullable LogicalPlan filtered(Join join, boolean largeOnTheLeft) {
    LogicalPlan large = largeOnTheLeft ? join.left() : join.right();
    LogicalPlan small = largeOnTheLeft ? join.right() : join.left();
    Option<HintInfo> hint = largeOnTheLeft ? join.hint().rightHint() : join.hint().leftHint();
    if (small.isStreaming() || isBroadcast(small, hint) || isFiltered(large)) {
      return null;
    }
    JoinEstimate estimate =
        new JoinEstimate(
            JoinEstimate.rows(large),
            JoinEstimate.rows(small),
            JoinEstimate.minRowsPerKey(session));
    if (!estimate.mayPay()) {
      return null;
    }
    JoinKeys keys = JoinKeys.of(join, largeOnTheLeft);
    String cause = JoinFilter.whyNotRepeatable(keys.smallPlan());
    if (cause != null) {
      throw new UnfilteredJoinException(
          "the small side may have other keys each time it is computed, because of " + cause);
    }
    LOG.info("a filter before the join: {}", estimate);
    Expression filter =
        keys.ofSmall(JoinFilter.aggregate(keys, fpp), ColumnPruning$.MODULE$::apply);
    LogicalPlan fewer =
        new Filter(MayMatch.of(session, new BroadcastFilter(filter), keys.large()), large);
    return (LogicalPlan)
        join.withNewChildren(
            SparkApi.seq(
                largeOnTheLeft ? List.of(fewer, join.right()) : List.of(join.left(), fewer)));
  }

  /** Returns whether rows of a side that have no match leave no trace in the result. */
  private static boolean dropsRowsWithoutMatch(JoinType type, boolean left) {
    return type == Inner$.MODULE$
        || type == LeftSemi$.MODULE$
        || type == (left ? RightOuter$.MODULE$ : LeftOuter$.MODULE$);
  }

  /**
   * Returns whether Spark is likely to send a side to all executors, so that nothing is shuffled.
   */
  private boolean isBroadcast(LogicalPlan side, Option<HintInfo> hint) {
    boolean asked = hint.isDefined() && hint.get().strategy().contains(BROADCAST$.MODULE$);
    BigInteger most = BigInteger.valueOf(conf().autoBroadcastJoinThreshold());
    return asked || side.stats().sizeInBytes().bigInteger().compareTo(most) <= 0;
  }

  /** Returns whether there is already a filter before the join. */
  private static boolean isFiltered(LogicalPlan large) {
    LogicalPlan plan = large;
    while (true) {
      if (plan instanceof Filter filter) {
        if (filter.condition().exists(part -> part instanceof BroadcastFilter)) {
          return true;
        }
        plan = filter.child();
      } else if (plan instanceof Project project) {
        plan = project.child();
      } else {
        return false;
      }
    }
  }
}
