package dev.bellows.spark.internal;

import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NullType;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;

/**
 * {@code bellows_might_contain(filter, value)}: false is certain; null about null. The value is
 * hashed as it is. A comparison of two columns would cast them to a common type and pad the shorter
 * of two CHAR columns; the caller has to do so on both sides.
 */
class MightContain extends FilterExpression {
  private static final long serialVersionUID = 1;

  private transient @Nullable Probe probe;

  MightContain(Seq<Expression> children) {
    this("bellows_might_contain", children);
  }

  MightContain(String name, Seq<Expression> children) {
    super(name, DataTypes.BooleanType, children);
  }

  @Override
  MightContain with(Seq<Expression> children) {
    return new MightContain(children);
  }

  @Override
  public boolean nullable() {
    return super.nullable() || type().isStruct();
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return Arguments.checked(
        Arguments.filter(child(0)), Arguments.key(child(1)), Arguments.certain(child(0)));
  }

  private KeyType type() {
    return KeyType.of(child(1).dataType());
  }

  @Override
  @Nullable Object value(Object[] arguments) {
    Probe asked = probe;
    if (asked == null) {
      asked = new Probe(type());
      probe = asked;
    }
    return asked.ask((byte[]) arguments[0], arguments[1]);
  }

  @Override
  String statement(CodegenContext ctx, ExprCode target, String[] arguments) {
    if (child(0).dataType() instanceof NullType || child(1).dataType() instanceof NullType) {
      return target.isNull() + " = true;";
    }
    KeyType type = type();
    String asked = ctx.addReferenceObj("probe", new Probe(type), Probe.class.getName());
    String cast =
        switch (type.hashedAs()) {
          case "long" -> "(long) ";
          case "double" -> "(double) ";
          default -> "";
        };
    String question =
        "%s.mightContain(%s, %s%s)".formatted(asked, arguments[0], cast, arguments[1]);
    String answer = "%s = %s;".formatted(target.value(), answer(ctx, question));
    return type.isStruct()
        ? "%s = %s.hasNull(%s); if (!%s) { %s }"
            .formatted(target.isNull(), asked, arguments[1], target.isNull(), answer)
        : answer;
  }

  /** Returns the answer in generated code, given the Java expression that queries the filter. */
  String answer(CodegenContext ctx, String question) {
    return question;
  }
}
