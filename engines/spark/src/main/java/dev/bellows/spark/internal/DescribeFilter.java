package dev.bellows.spark.internal;

import dev.bellows.FilterStats;
import dev.bellows.Layout;
import java.util.Locale;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import scala.collection.immutable.Seq;

/**
 * {@code bellows_info(filter)}: the numbers of a filter, as a struct; null for numbers that it does
 * not have. It has a warning if the filter holds too many keys for its bits.
 */
public final class DescribeFilter extends FilterExpression {
  private static final long serialVersionUID = 1;
  private static final StructType TYPE =
      StructType.fromDDL(
          "kind STRING NOT NULL, layout STRING, bits BIGINT NOT NULL, hashes INT NOT NULL,"
              + " hash_scheme STRING NOT NULL, ones BIGINT, fill DOUBLE,"
              + " approximate_keys DOUBLE, expected_fpp DOUBLE NOT NULL,"
              + " bytes BIGINT NOT NULL, warning STRING");

  DescribeFilter(Seq<Expression> children) {
    super("bellows_info", TYPE, children);
  }

  /** Returns the numbers, for generated code. */
  public static InternalRow describe(byte[] bytes) {
    FilterStats stats = SharedFilter.parse(bytes).stats();
    Layout.Family layout = stats.family();
    return new GenericInternalRow(
        new Object[] {
          UTF8String.fromString(stats.kind().word()),
          layout == null ? null : UTF8String.fromString(layout.name().toLowerCase(Locale.ROOT)),
          stats.bits(),
          stats.hashes(),
          UTF8String.fromString(stats.hashScheme().word()),
          stats.ones(),
          stats.fill(),
          stats.approximateKeys(),
          stats.expectedFpp(),
          (long) bytes.length,
          UTF8String.fromString(Overfull.warning(stats))
        });
  }

  @Override
  FilterExpression with(Seq<Expression> children) {
    return new DescribeFilter(children);
  }

  @Override
  public TypeCheckResult checkInputDataTypes() {
    return Arguments.checked(Arguments.filter(child(0)));
  }

  @Override
  Object value(Object[] arguments) {
    return describe((byte[]) arguments[0]);
  }

  @Override
  String statement(CodegenContext ctx, ExprCode target, String[] arguments) {
    return "%s = %s.describe((byte[]) %s);"
        .formatted(target.value(), DescribeFilter.class.getName(), arguments[0]);
  }
}
