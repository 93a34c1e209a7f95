package dev.bellows.spark.internal;

import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * A key of the large side, or null if computing it fails. A filter is evaluated before the
 * predicates and joins between it and its own join, so it may see rows that these would have
 * dropped, and the optimizer puts expressions in place of columns. Such a row passes; if it reaches
 * the join, the join reports the error.
 */
final class KeyOrNull extends FilterExpression {
  private static final long serialVersionUID = 1;

  private KeyOrNull(Seq<Expression> children) {
    super("bellows_key", children.apply(0).dataType(), children);
  }

  static Expression of(Expression key) {
    return new KeyOrNull(SparkApi.seq(List.of(key)));
  }

  @Override
  KeyOrNull with(Seq<Expression> children) {
    return new KeyOrNull(children);
  }

  @Override
  public boolean nullable() {
    return true;
  }

  @Override
  public boolean foldable() {
    return false;
  }

  @Override
  @SuppressWarnings("CatchingUnchecked") // Scala throws checked exceptions without declaring them
  public @Nullable Object eval(@Nullable InternalRow row) {
    try {
      return child(0).eval(row);
    } catch (Exception e) {
      return null;
    }
  }

  @Override
  public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
    ExprCode key = child(0).genCode(ctx);
    String code =
        """
        boolean %1$s = true;
        %2$s %3$s = %4$s;
        try {
          %5$s
          %1$s = %6$s;
          %3$s = %7$s;
        } catch (Exception e) {
          %1$s = true;
        }
        """
            .formatted(
                ev.isNull(),
                CodeGenerator.javaType(dataType()),
                ev.value(),
                CodeGenerator.defaultValue(dataType(), /* typedNull= */ false),
                key.code(),
                key.isNull(),
                key.value());
    return ev.copy(block(code), ev.isNull(), ev.value());
  }

  @Override
  Object value(Object[] arguments) {
    return arguments[0];
  }

  @Override
  String statement(CodegenContext ctx, ExprCode target, String[] arguments) {
    return "%s = %s;".formatted(target.value(), arguments[0]);
  }
}
