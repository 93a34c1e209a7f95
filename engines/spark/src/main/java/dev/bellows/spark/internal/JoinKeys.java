package dev.bellows.spark.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression$;
import org.apache.spark.sql.catalyst.expressions.ScalarSubquery;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.logical.Aggregate;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.ResolvedHint;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;
import scala.None$;

/**
 * The keys of a join: what its analyzed condition compares. Analysis may cast a column to another
 * type, in some time zone, or pad it; the filter has to hash the same values. Each pair of equal
 * keys is required for a match, so a filter over some of the pairs keeps every match too.
 *
 * @param joinType the analyzed type of the join
 * @param large the key of the large side; several keys are a struct
 * @param small the key of the small side
 * @param smallPlan the plan of the small side, in whose columns its key is expressed
 */
record JoinKeys(JoinType joinType, Expression large, Expression small, LogicalPlan smallPlan) {
  /**
   * Returns the keys that both sides of a join have in a type that can be hashed; the large side is
   * on the left.
   *
   * @throws UnfilteredJoinException if there are none
   */
  static JoinKeys of(Dataset<Row> joined) {
    LogicalPlan plan = SparkApi.queryExecution(joined).analyzed();
    while (plan instanceof Project project) {
      plan = project.child();
    }
    if (plan instanceof Join join) {
      return of(join, /* largeOnTheLeft= */ true);
    }
    throw new UnfilteredJoinException("it has no keys: name its columns");
  }

  /**
   * Returns the keys that both sides of a join have in a type that can be hashed.
   *
   * @throws UnfilteredJoinException if there are none
   */
  static JoinKeys of(Join join, boolean largeOnTheLeft) {
    if (join.condition().isEmpty()) {
      throw new UnfilteredJoinException("it has no keys: name its columns");
    }
    LogicalPlan largeSide = largeOnTheLeft ? join.left() : join.right();
    LogicalPlan smallSide = largeOnTheLeft ? join.right() : join.left();
    List<Expression> large = new ArrayList<>();
    List<Expression> small = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Expression condition : conjuncts(join.condition().get())) {
      EqualTo equal = acrossSides(condition, largeSide, smallSide);
      String problem =
          equal == null
              ? condition.sql() + " does not compare the two sides for equality"
              : problemWith(equal);
      if (problem == null) {
        large.add(withoutError(equal.left()));
        small.add(withoutError(equal.right()));
      } else {
        problems.add(problem);
      }
    }
    if (large.isEmpty()) {
      throw new UnfilteredJoinException(String.join("; ", problems));
    }
    return new JoinKeys(join.joinType(), asOne(large), asOne(small), withoutHints(smallSide));
  }

  private static List<Expression> conjuncts(Expression condition) {
    if (condition instanceof And and) {
      List<Expression> all = new ArrayList<>(conjuncts(and.left()));
      all.addAll(conjuncts(and.right()));
      return all;
    }
    return List.of(condition);
  }

  /**
   * Returns the condition as an equality with the large side on its left, null if it is not one.
   */
  private static @Nullable EqualTo acrossSides(
      Expression condition, LogicalPlan large, LogicalPlan small) {
    if (!(condition instanceof EqualTo equal)) {
      return null;
    }
    if (isOf(large, equal.left()) && isOf(small, equal.right())) {
      return equal;
    }
    return isOf(large, equal.right()) && isOf(small, equal.left())
        ? new EqualTo(equal.right(), equal.left())
        : null;
  }

  private static boolean isOf(LogicalPlan side, Expression key) {
    return !key.references().isEmpty() && key.references().subsetOf(side.outputSet());
  }

  private static @Nullable String problemWith(EqualTo equal) {
    String key = "key " + equal.left().sql();
    if (!equal.deterministic()) {
      return key + " is not deterministic";
    }
    if (!equal.left().dataType().equals(equal.right().dataType())) {
      return "%s is %s, and the other side is %s"
          .formatted(key, equal.left().dataType().sql(), equal.right().dataType().sql());
    }
    if (equal.left().dataType() instanceof StructType) {
      return key
          + " is a struct, of which Spark calls two with null fields equal: name its fields as"
          + " keys";
    }
    String problem = KeyType.problemWith(equal.left().dataType());
    return problem == null ? null : key + ": " + problem;
  }

  /**
   * Returns a key whose cast gives null where it fails. The filter may see rows that are dropped
   * before their keys are cast for the join; any other row fails there.
   */
  private static Expression withoutError(Expression key) {
    return key instanceof Cast cast && cast.evalMode().equals(EvalMode.ANSI())
        ? new Cast(cast.child(), cast.dataType(), cast.timeZoneId(), EvalMode.TRY())
        : key;
  }

  private static Expression asOne(List<Expression> keys) {
    if (keys.size() == 1) {
      return keys.get(0);
    }
    List<Expression> namesAndKeys = new ArrayList<>();
    for (Expression key : keys) {
      namesAndKeys.add(Literal.create("key" + namesAndKeys.size() / 2, DataTypes.StringType));
      namesAndKeys.add(key);
    }
    return new CreateNamedStruct(SparkApi.seq(namesAndKeys));
  }

  /** A hint is about the join and would only be logged as misplaced in an aggregation. */
  private static LogicalPlan withoutHints(LogicalPlan plan) {
    return plan instanceof ResolvedHint hint ? withoutHints(hint.child()) : plan;
  }

  /** Returns a subquery that aggregates the small side to one value. */
  Expression ofSmall(AggregateFunction function) {
    return ofSmall(function, plan -> plan);
  }

  /** The same, with a plan that is prepared: the optimizer prunes no subquery that it is given. */
  Expression ofSmall(AggregateFunction function, UnaryOperator<LogicalPlan> prepared) {
    NamedExpression value =
        new Alias(
            function.toAggregateExpression(),
            function.prettyName(),
            NamedExpression$.MODULE$.newExprId(),
            SparkApi.seq(List.<String>of()),
            None$.empty(),
            SparkApi.seq(List.<String>of()));
    LogicalPlan aggregate =
        SparkApi.create(
            Aggregate.class, SparkApi.seq(List.of()), SparkApi.seq(List.of(value)), smallPlan);
    return SparkApi.create(
        ScalarSubquery.class,
        prepared.apply(aggregate),
        SparkApi.seq(List.of()),
        NamedExpression$.MODULE$.newExprId(),
        SparkApi.seq(List.of()));
  }
}
