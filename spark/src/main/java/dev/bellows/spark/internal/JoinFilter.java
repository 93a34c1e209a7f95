package dev.bellows.spark.internal;

import java.util.List;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateFunction;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Builds, broadcasts and applies the filter of a join. */
public final class JoinFilter {
  private static final Logger LOG = LoggerFactory.getLogger(JoinFilter.class);

  private JoinFilter() {}

  public static Dataset<Row> apply(
      Dataset<Row> large, Dataset<Row> small, double fpp, String... keys) {
    SparkApi.requireSupported();
    if (keys.length == 0) {
      throw new IllegalArgumentException("a join has at least one key: name its columns");
    }
    DataType[] types = comparedTypes(large, small, keys);
    Column smallKey = key(small, keys, types);
    JoinEstimate estimate = JoinEstimate.of(large, small, smallKey);
    if (!estimate.mayPay()) {
      LOG.info("no filter before the join: {}", estimate);
      return large;
    }
    List<Expression> arguments =
        List.of(SparkApi.expression(smallKey), SparkApi.expression(functions.lit(fpp)));
    AggregateFunction aggregate =
        (AggregateFunction) SqlFunctions.AGG.build(SparkApi.seq(arguments));
    Column built = SparkApi.column(aggregate.toAggregateExpression());
    byte[] filter = small.agg(built).head().getAs(0);
    LOG.info("a filter of {} bytes before the join: {}", filter.length, estimate);
    Broadcast<byte[]> broadcast =
        JavaSparkContext.fromSparkContext(large.sparkSession().sparkContext()).broadcast(filter);
    return large.filter(
        SparkApi.column(
            new MightContain(
                SparkApi.seq(
                    List.of(
                        new BroadcastFilter(broadcast),
                        SparkApi.expression(key(large, keys, types)))))));
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
    Join join = (Join) SparkApi.queryExecution(joined).analyzed();
    return ((EqualTo) join.condition().get()).left().dataType();
  }
}
