package dev.bellows.spark.internal;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeBlock;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * An expression over rows that is null if an argument is: what Catalyst requires of a tree node,
 * once for all. (Spark's own bases for one or two arguments cannot be extended from Java.)
 */
abstract class FilterExpression extends Expression implements Serializable {
  private static final long serialVersionUID = 1;

  private final String name;
  private final DataType dataType;
  private final Seq<Expression> children;

  FilterExpression(String name, DataType dataType, Seq<Expression> children) {
    this.name = name;
    this.dataType = dataType;
    this.children = children;
  }

  /** The same expression over other arguments. */
  abstract FilterExpression with(Seq<Expression> children);

  /** Returns the value for arguments that are not null; may be null itself. */
  abstract @Nullable Object value(Object[] arguments);

  /** Returns a statement of Java that sets the value from arguments that are not null. */
  abstract String statement(CodegenContext ctx, ExprCode target, String[] arguments);

  final Expression child(int index) {
    return children.apply(index);
  }

  @Override
  public final Seq<Expression> children() {
    return children;
  }

  @Override
  public final FilterExpression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return with(newChildren);
  }

  @Override
  public final String prettyName() {
    return name;
  }

  @Override
  public final DataType dataType() {
    return dataType;
  }

  /** Overrides Spark's since 4.0. */
  @SuppressWarnings("MissingOverride")
  public final boolean nullIntolerant() {
    return true;
  }

  @Override
  public boolean nullable() {
    return children.exists(Expression::nullable);
  }

  @Override
  public boolean foldable() {
    return children.forall(Expression::foldable);
  }

  @Override
  public @Nullable Object eval(@Nullable InternalRow row) {
    Object[] arguments = new Object[children.size()];
    for (int i = 0; i < arguments.length; i++) {
      Object argument = child(i).eval(row);
      if (argument == null) {
        return null;
      }
      arguments[i] = argument;
    }
    return value(arguments);
  }

  @Override
  public ExprCode doGenCode(CodegenContext ctx, ExprCode ev) {
    StringBuilder code = new StringBuilder();
    code.append("boolean %s = true;%n".formatted(ev.isNull()));
    String type = CodeGenerator.javaType(dataType);
    code.append(
        "%s %s = %s;%n"
            .formatted(
                type, ev.value(), CodeGenerator.defaultValue(dataType, /* typedNull= */ false)));
    String[] arguments = new String[children.size()];
    for (int i = 0; i < arguments.length; i++) {
      ExprCode argument = child(i).genCode(ctx);
      code.append(argument.code()).append("%nif (!%s) {%n".formatted(argument.isNull()));
      arguments[i] = argument.value().toString();
    }
    code.append("%s = false;%n%s%n".formatted(ev.isNull(), statement(ctx, ev, arguments)));
    code.append("}".repeat(arguments.length));
    return ev.copy(block(code.toString()), ev.isNull(), ev.value());
  }

  static CodeBlock block(String code) {
    return new CodeBlock(SparkApi.seq(List.of(code)), SparkApi.seq(List.<JavaCode>of()));
  }

  @Override
  public int productArity() {
    return 1;
  }

  @Override
  public Object productElement(int index) {
    return children;
  }

  @Override
  public final boolean canEqual(Object other) {
    return other.getClass() == getClass();
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return Arguments.equal(this, other);
  }

  @Override
  public final int hashCode() {
    return super.hashCode();
  }
}
