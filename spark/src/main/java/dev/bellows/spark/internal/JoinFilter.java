package dev.bellows.spark.internal;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.functions;

/** Builds, broadcasts and applies the filter of a join. */
public final class JoinFilter {
  private JoinFilter() {}

  public static Dataset<Row> apply(
      Dataset<Row> large, Dataset<Row> small, double fpp, String... keys) {
    if (keys.length == 0) {
      throw new IllegalArgumentException("a join has at least one key: name its columns");
    }
    requireSameKeys(large, small, keys);
    Column built =
        ExpressionUtils.column(
            SqlFunctions.AGG.build(
                FilterExpression.seq(
                    List.of(
                        ExpressionUtils.expression(key(small, keys)),
                        ExpressionUtils.expression(functions.lit(fpp))))));
    byte[] filter = small.agg(built).head().getAs(0);
    Broadcast<byte[]> broadcast =
        JavaSparkContext.fromSparkContext(large.sparkSession().sparkContext()).broadcast(filter);
    return large.filter(
        ExpressionUtils.column(
            new MightContain(
                FilterExpression.seq(
                    List.of(
                        new BroadcastFilter(broadcast),
                        ExpressionUtils.expression(key(large, keys)))))));
  }

  private static Column key(Dataset<Row> side, String[] names) {
    Column[] columns = Arrays.stream(names).map(side::col).toArray(Column[]::new);
    return columns.length == 1 ? columns[0] : functions.struct(columns);
  }

  private static void requireSameKeys(Dataset<Row> large, Dataset<Row> small, String[] names) {
    for (String name : names) {
      KeyType here = KeyType.of(large.select(large.col(name)).schema().apply(0).dataType());
      KeyType there = KeyType.of(small.select(small.col(name)).schema().apply(0).dataType());
      if (!here.hashedAs().equals(there.hashedAs())) {
        throw new IllegalArgumentException(
            "key %s is hashed as %s on the large side and as %s on the small side, so no key would match: cast one of them"
                .formatted(name, here.hashedAs(), there.hashedAs()));
      }
    }
  }
}
