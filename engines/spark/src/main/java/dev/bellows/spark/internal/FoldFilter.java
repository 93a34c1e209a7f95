package dev.bellows.spark.internal;

import dev.bellows.Filter;
import dev.bellows.FoldableFilter;
import dev.bellows.frozen.FrozenFilter;
import java.util.List;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ImplicitCastInputTypes;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.Seq;

/** {@code bellows_fold(filter, fpp)}: the smallest folding that still holds the rate. */
public final class FoldFilter extends FilterExpression implements ImplicitCastInputTypes {
  private static final long serialVersionUID = 1;

  FoldFilter(Seq<Expression> children) {
    super("bellows_fold", DataTypes.BinaryType, children);
  }

  /** Returns the folded filter, for generated code. */
  public static byte[] fold(byte[] bytes, double fpp) {
    Filter filter = SharedFilter.parse(bytes);
    if (filter instanceof FoldableFilter<?> foldable) {
      return foldable.foldToFpp(fpp).toBytes();
    }
    if (filter instanceof FrozenFilter frozen) {
      return frozen.foldToFpp(fpp).toBytes();
    }
    throw new IllegalArgumentException(
        "bellows_fold takes plain, counting and frozen filters, not one of kind "
            + filter.kind().word());
  }

  @Override
  FilterExpression with(Seq<Expression> children) {
    return new FoldFilter(children);
  }

  @Override
  public Seq<AbstractDataType> inputTypes() {
    return SparkApi.seq(List.<AbstractDataType>of(DataTypes.BinaryType, DataTypes.DoubleType));
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    TypeCheckResult types = ImplicitCastInputTypes.super.checkInputDataTypes();
    return types.isSuccess() ? Arguments.checked(Arguments.fppIfConstant(child(1))) : types;
  }

  @Override
  Object value(Object[] arguments) {
    return fold((byte[]) arguments[0], (Double) arguments[1]);
  }

  @Override
  String statement(CodegenContext ctx, ExprCode target, String[] arguments) {
    return "%s = %s.fold(%s, %s);"
        .formatted(target.value(), FoldFilter.class.getName(), arguments[0], arguments[1]);
  }
}
