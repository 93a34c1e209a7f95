package dev.bellows.spark.internal;

import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** Builds, broadcasts and applies the filter of a join. */
public final class JoinFilter {
  private JoinFilter() {}

  public static Dataset<Row> apply(
      Dataset<Row> large, Dataset<Row> small, double fpp, String... keys) {
    if (keys.length == 0) {
      throw new IllegalArgumentException("a join has at least one key: name its columns");
    }
    DataType[] types = comparedTypes(large, small, keys);
    Column built =
        ExpressionUtils.column(
            SqlFunctions.AGG.build(
                FilterExpression.seq(
                    List.of(
                        ExpressionUtils.expression(key(small, keys, types)),
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
                        ExpressionUtils.expression(key(large, keys, types)))))));
  }

  /** The key columns of a side, as the join compares them; several are one key. */
  private static Column key(Dataset<Row> side, String[] names, DataType[] types) {
    Column[] columns = new Column[names.length];
    for (int i = 0; i < names.length; i++) {
      columns[i] = side.col(names[i]).cast(types[i]);
    }
    return columns.length == 1 ? columns[0] : functions.struct(columns);
  }

  /** The types to which Spark casts both sides before it compares them, by its own analysis. */
  private static DataType[] comparedTypes(Dataset<Row> large, Dataset<Row> small, String[] names) {
    DataType[] types = new DataType[names.length];
    for (int i = 0; i < names.length; i++) {
      types[i] = comparedType(large, small, names[i]);
      if (types[i] instanceof StructType) {
        throw new IllegalArgumentException(
            "key %s is a struct, of which Spark calls two with null fields equal: name its fields as keys"
                .formatted(names[i]));
      }
      String problem = KeyType.problemWith(types[i]);
      if (problem != null) {
        throw new IllegalArgumentException("key " + names[i] + ": " + problem);
      }
    }
    return types;
  }

  private static DataType comparedType(Dataset<Row> large, Dataset<Row> small, String name) {
    Dataset<Row> left = large.select(large.col(name).as("large_key"));
    Dataset<Row> right = small.select(small.col(name).as("small_key"));
    Dataset<Row> joined = left.join(right, left.col("large_key").equalTo(right.col("small_key")));
    Join join =
        (Join) ((org.apache.spark.sql.classic.Dataset<Row>) joined).queryExecution().analyzed();
    return ((EqualTo) join.condition().get()).left().dataType();
  }
}
