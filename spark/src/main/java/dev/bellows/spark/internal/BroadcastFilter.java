package dev.bellows.spark.internal;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * A filter that every executor fetches once, as an expression; a literal would go to every task.
 */
public final class BroadcastFilter extends FilterExpression {
  private static final long serialVersionUID = 1;

  private final Source source;

  BroadcastFilter(Broadcast<byte[]> broadcast) {
    this(new Source(broadcast));
  }

  private BroadcastFilter(Source source) {
    super("broadcast_filter", DataTypes.BinaryType, SparkApi.seq(List.<Expression>of()));
    this.source = source;
  }

  /** The fetched bytes, for generated code: the same array for every row of a task. */
  public static final class Source implements Serializable {
    private static final long serialVersionUID = 1;

    private final Broadcast<byte[]> broadcast;
    private transient byte @Nullable [] fetched;

    Source(Broadcast<byte[]> broadcast) {
      this.broadcast = broadcast;
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
    return this;
  }

  /** Not a constant: the optimizer would put its value into the plan. */
  @Override
  public boolean foldable() {
    return false;
  }

  @Override
  Object value(Object[] arguments) {
    return source.bytes();
  }

  @Override
  String statement(CodegenContext ctx, ExprCode target, String[] arguments) {
    String filter = ctx.addReferenceObj("filter", source, Source.class.getCanonicalName());
    return "%s = %s.bytes();".formatted(target.value(), filter);
  }

  @Override
  public Object productElement(int index) {
    return source.broadcast.id();
  }
}
