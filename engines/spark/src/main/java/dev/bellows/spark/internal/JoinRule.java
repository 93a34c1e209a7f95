package dev.bellows.spark.internal;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.ExperimentalMethods;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalarSubquery;
import org.apache.spark.sql.catalyst.optimizer.ColumnPruning$;
import org.apache.spark.sql.catalyst.optimizer.PushDownPredicates$;
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
import org.apache.spark.sql.catalyst.plans.logical.Subquery;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Function1;
import scala.Option;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractPartialFunction;

/**
 * Places filters before the joins of any query, SQL included, when a session sets {@value
 * #ENABLED}. The rule knows only Spark's statistics and starts no job, so it requires more of a
 * join than {@code BloomJoin} does: one side must be larger by the factor {@value
 * JoinEstimate#MIN_ROWS_PER_KEY} in rows, the other one too large for Spark to broadcast, and its
 * rows the same each time they are computed. Other joins are left unchanged.
 *
 * <p>A filter holds a copy of the plan of the small side, so this is the last rule of the
 * optimizer: subqueries have become joins, predicates are where they stay, and tables have been
 * turned into scans, which both copies then share. Extensions cannot add a rule at that point, but
 * {@link ExperimentalMethods} can.
 */
public final class JoinRule extends Rule<LogicalPlan> {
  private static final Logger LOG = LoggerFactory.getLogger(JoinRule.class);

  static final String ENABLED = "spark.bellows.join.enabled";

  /** Marks a plan that has its filters: Spark repeats the rule until nothing changes. */
  private static final TreeNodeTag<Boolean> FILTERED = new TreeNodeTag<>("bellows_filtered");

  private final double fpp;

  private JoinRule(double fpp) {
    this.fpp = fpp;
  }

  /** Adds the rule, with filters of a rate, to all sessions with these extensions. */
  public static void addTo(SparkSessionExtensions extensions, double fpp) {
    extensions.injectPreCBORule(
        new AbstractFunction1<SparkSession, Rule<LogicalPlan>>() {
          @Override
          public Rule<LogicalPlan> apply(SparkSession session) {
            // Spark asks for this rule each time it collects the rules for a query, and for those
            // of the session afterwards
            install(session, fpp);
            return new VersionTwo();
          }
        });
  }

  /** Adds the rule to a session, and to those that begin from it, unless it has the rule. */
  public static void addTo(SparkSession session, double fpp) {
    if (install(session, fpp)) {
      addTo(SparkApi.extensions(session), fpp);
    }
  }

  private static boolean install(SparkSession session, double fpp) {
    ExperimentalMethods methods = SparkApi.rules(session);
    synchronized (methods) {
      List<Rule<LogicalPlan>> rules = new ArrayList<>(SparkApi.list(methods.extraOptimizations()));
      if (rules.stream().anyMatch(rule -> rule instanceof JoinRule)) {
        return false;
      }
      rules.add(new JoinRule(fpp));
      methods.extraOptimizations_$eq(SparkApi.seq(rules));
      return true;
    }
  }

  /**
   * Places filters before the joins of a whole query. The plan of a subquery, which is optimized on
   * its own first, may still become a part of the query, and is left until then.
   */
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (plan instanceof Subquery
        || plan.getTagValue(FILTERED).isDefined()
        || !isEnabled()
        || plan.exists(JoinRule::isRecursive)) {
      return plan;
    }
    LogicalPlan filtered = withFilters(plan);
    if (filtered != plan) {
      filtered.setTagValue(FILTERED, true);
    }
    return filtered;
  }

  /**
   * Returns whether a node belongs to a recursive query, whose steps Spark optimizes on their own.
   */
  private static boolean isRecursive(LogicalPlan node) {
    return node.nodeName().startsWith("UnionLoop");
  }

  private boolean isEnabled() {
    String text = conf().getConfString(ENABLED, "false");
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("%s is true or false, not %s".formatted(ENABLED, text));
    }
    return text.equals("true");
  }

  private LogicalPlan withFilters(LogicalPlan plan) {
    LogicalPlan withSubqueries =
        (LogicalPlan)
            plan.transformAllExpressions(
                new Rewrite<Expression, ScalarSubquery>(
                    ScalarSubquery.class, query -> query.withNewPlan(withFilters(query.plan()))));
    return withSubqueries.transformUp(new Rewrite<LogicalPlan, Join>(Join.class, this::filtered));
  }

  /** A function of the nodes of one type. */
  private static final class Rewrite<T, N extends T> extends AbstractPartialFunction<T, T> {
    private final Class<N> type;
    private final Function<N, T> function;

    Rewrite(Class<N> type, Function<N, T> function) {
      this.type = type;
      this.function = function;
    }

    @Override
    public boolean isDefinedAt(T node) {
      return type.isInstance(node);
    }

    @Override
    @SuppressWarnings("unchecked") // Scala asks for a supertype of T
    public <A extends T, B> B applyOrElse(A node, Function1<A, B> otherwise) {
      return type.isInstance(node) ? (B) function.apply(type.cast(node)) : otherwise.apply(node);
    }
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

  /**
   * Returns the join with a filter, or null. A union on the small side is not copied: since Spark
   * 4.1 it may lose its partitioning when both copies share their shuffles, and the query fails.
   */
  private @Nullable LogicalPlan filtered(Join join, boolean largeOnTheLeft) {
    LogicalPlan large = largeOnTheLeft ? join.left() : join.right();
    LogicalPlan small = largeOnTheLeft ? join.right() : join.left();
    Option<HintInfo> hint = largeOnTheLeft ? join.hint().rightHint() : join.hint().leftHint();
    if (small.isStreaming()
        || isBroadcast(small, hint)
        || isFiltered(large)
        || small.exists(node -> node instanceof Union)) {
      return null;
    }
    SparkSession session = SparkSession.active();
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
        PushDownPredicates$.MODULE$.apply(
            new Filter(MayMatch.of(session, new BroadcastFilter(filter), keys), large));
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
