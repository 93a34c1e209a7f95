package dev.bellows.spark.internal;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.FalseLiteral$;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * The filter of a scalar subquery, which every executor fetches once. Without this expression
 * around it, generated code holds the result of a subquery as a literal, and every task receives a
 * copy.
 */
public final class BroadcastFilter extends FilterExpression {
  private static final long serialVersionUID = 1;

  BroadcastFilter(Expression filter) {
    this(SparkApi.seq(List.of(filter)));
  }

  private BroadcastFilter(Seq<Expression> children) {
    super("broadcast_filter", DataTypes.BinaryType, children);
  }

  /** The fetched bytes, for generated code: the same array for every row of a task. */
  public static final class Source implements Serializable {
    private static final long serialVersionUID = 1;

    private final Broadcast<byte[]> broadcast;
    private transient byte @Nullable [] fetched;

    Source(byte[] filter) {
      this.broadcast =
          JavaSparkContext.fromSparkContext(SparkContext.getOrCreate()).broadcast(filter);
    }

    public byte[] bytes() {
      byte[] bytes = fetched;
      if (bytes == null) {
        bytes = broadcast.value();
        fetched = bytes;
      }
      return bytes;
    }
  }

  @Override
  FilterExpression with(Seq<Expression> children) {
    return new BroadcastFilter(children);
  }

  @Override
  Object value(Object[] arguments) {
    return arguments[0];
  }

  /** Not a constant: the optimizer would put its value into the plan. */
  @Override
  public boolean foldable() {
    return false;
  }

  /**
   * The driver generates the code of a stage after its subqueries are done. A task that generates
   * code itself, without whole-stage code generation, has the result in its copy of the plan.
   */
  @Override
  public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
    if (TaskContext.get() == null && child(0).eval(null) instanceof byte[] filter) {
      String source =
          ctx.addReferenceObj("filter", new Source(filter), Source.class.getCanonicalName());
      String code = "byte[] %s = %s.bytes();".formatted(ev.value(), source);
      return ev.copy(block(code), FalseLiteral$.MODULE$, ev.value());
    }
    return super.doGenCode(ctx, ev);
  }

  @Override
  String statement(CodegenContext ctx, ExprCode target, String[] arguments) {
    return "%s = %s;".formatted(target.value(), arguments[0]);
  }
}
