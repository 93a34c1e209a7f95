package dev.bellows.spark.internal;

import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.NumericType;
import org.jspecify.annotations.Nullable;
import scala.Product;

/** What the expressions share: the checks of their arguments, with the sentence for the user. */
final class Arguments {
  private Arguments() {}

  /** Returns the failure with the first of the problems that is not null, or else success. */
  static TypeCheckResult checked(@Nullable String... problems) {
    for (String problem : problems) {
      if (problem != null) {
        return new TypeCheckResult.TypeCheckFailure(problem);
      }
    }
    return TypeCheckResult.TypeCheckSuccess$.MODULE$;
  }

  static @Nullable String key(Expression value) {
    return KeyType.problemWith(value.dataType());
  }

  static @Nullable String filter(Expression filter) {
    DataType type = filter.dataType();
    return type instanceof BinaryType || type instanceof NullType
        ? null
        : "a filter is BINARY, not " + type.sql() + ": use what bellows_agg returned";
  }

  /**
   * Returns the problem with a constant that is not a filter whose "no" is certain, or null. Other
   * expressions are judged when their values are read.
   */
  static @Nullable String certain(Expression filter) {
    return filter instanceof Literal literal && literal.value() instanceof byte[] bytes
        ? SharedFilter.problemWith(bytes)
        : null;
  }

  static @Nullable String fpp(Expression fpp) {
    if (!(fpp.dataType() instanceof NumericType)) {
      return "fpp is a number, not " + fpp.dataType().sql() + ": use 0.01 for one percent";
    }
    if (!fpp.foldable()) {
      return "fpp is the same for all rows and a constant, not " + fpp.sql();
    }
    Number value = constant(fpp);
    double rate = value == null ? Double.NaN : value.doubleValue();
    return rate > 0 && rate < 1 ? null : "fpp must be in (0, 1): " + value;
  }

  /** Judges a rate that may be null or differ by row as far as it is constant. */
  static @Nullable String fppIfConstant(Expression fpp) {
    return !fpp.foldable() || constant(fpp) == null ? null : fpp(fpp);
  }

  static @Nullable String room(Expression keys) {
    if (!(keys.dataType() instanceof NumericType) || !keys.foldable()) {
      return "the keys to make room for are a constant number, not " + keys.sql();
    }
    Number value = constant(keys);
    return value != null && value.longValue() >= 0
        ? null
        : "the keys to make room for must be at least 0: " + value;
  }

  /** Returns the value of a constant number. */
  static @Nullable Number constant(Expression expression) {
    Object value = expression.eval(null);
    return value instanceof Decimal decimal ? decimal.toJavaBigDecimal() : (Number) value;
  }

  /** Equality of expressions: the same class and equal elements. */
  static boolean equal(Product expression, @Nullable Object other) {
    if (other == null || other.getClass() != expression.getClass()) {
      return false;
    }
    for (int i = 0; i < expression.productArity(); i++) {
      if (!expression.productElement(i).equals(((Product) other).productElement(i))) {
        return false;
      }
    }
    return true;
  }
}
