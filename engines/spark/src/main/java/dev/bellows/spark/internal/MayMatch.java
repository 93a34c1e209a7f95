package dev.bellows.spark.internal;

import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * Whether a row of the large side of a join may have a match: what {@link MightContain} answers
 * about its key, as long as querying pays off. A {@link Watch} decides that from the answers, so
 * that a filter that drops next to nothing costs next to nothing.
 *
 * <p>It is placed only below its own join. That join drops every row whose key this expression may
 * deny, so it does not matter which of them pass, nor that the optimizer applies it to other
 * columns that are equal to the key.
 */
final class MayMatch extends MightContain {
  private static final long serialVersionUID = 1;

  static final String MAX_PASSED = "spark.bellows.join.maxPassed";

  /**
   * A query costs about a tenth of shuffling and sorting a row, so a filter begins to pay off when
   * it drops a tenth of the rows.
   */
  static final double DEFAULT_MAX_PASSED = 0.9;

  private final double maxPassed;
  private transient @Nullable Watch watch;

  private MayMatch(Seq<Expression> children, double maxPassed) {
    super("bellows_may_match", children);
    this.maxPassed = maxPassed;
  }

  /**
   * Queries the filter for the keys of a join, under the settings of a session. A null key passes:
   * the optimizer drops null keys before a join where it can, and others could not be computed.
   */
  static Expression of(SparkSession session, Expression filter, JoinKeys keys) {
    return orTrue(
        new MayMatch(
            SparkApi.seq(List.of(filter, KeyOrNull.of(keys.large()))), maxPassed(session)));
  }

  private static Expression orTrue(Expression answer) {
    return new Coalesce(SparkApi.seq(List.of(answer, Literal.TrueLiteral())));
  }

  /** The same for a filter that no join may follow: all keys are queried, and null ones dropped. */
  static Expression always(Expression filter, JoinKeys keys) {
    Expression key = KeyOrNull.of(keys.large());
    Expression all = orTrue(new MightContain(SparkApi.seq(List.of(filter, key))));
    for (Attribute column : SparkApi.list(keys.large().references().toSeq())) {
      all = new And(new IsNotNull(column), all);
    }
    return all;
  }

  private static double maxPassed(SparkSession session) {
    String text = session.conf().get(MAX_PASSED, "" + DEFAULT_MAX_PASSED);
    try {
      double share = Double.parseDouble(text);
      if (share >= 0 && share <= 1) {
        return share;
      }
    } catch (NumberFormatException e) {
      // refused below
    }
    throw new IllegalArgumentException(
        "%s is a share of rows from 0 to 1 such as %s, not %s: 1 queries every row"
            .formatted(MAX_PASSED, DEFAULT_MAX_PASSED, text));
  }

  @Override
  MayMatch with(Seq<Expression> children) {
    return new MayMatch(children, maxPassed);
  }

  @Override
  @Nullable Object value(Object[] arguments) {
    Watch watching = watch;
    if (watching == null) {
      watching = new Watch(maxPassed);
      watch = watching;
    }
    if (!watching.asks()) {
      return true;
    }
    Object answer = super.value(arguments);
    return answer == null ? null : watching.answered((Boolean) answer);
  }

  @Override
  String answer(CodegenContext ctx, String question) {
    String watching = ctx.addReferenceObj("watch", new Watch(maxPassed), Watch.class.getName());
    return "!%s.asks() || %s.answered(%s)".formatted(watching, watching, question);
  }
}
