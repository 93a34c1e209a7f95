package dev.bellows.spark.bench;

import dev.bellows.spark.BellowsExtensions;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;

/**
 * Aggregates few groups of many keys in a separate process, to which {@link MemoryBench} gives less
 * and less memory.
 */
public final class MemoryQuery {
  static final long GROUPS = 100;

  private MemoryQuery() {}

  /** Arguments: the aggregate, and the keys of a group. */
  public static void main(String[] args) {
    long keys = Long.parseLong(args[1]);
    SparkSession spark =
        SparkSession.builder()
            .master("local[2]")
            .appName("memory")
            .config("spark.ui.enabled", false)
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.sql.extensions", BellowsExtensions.class.getName())
            .getOrCreate();
    long bytes =
        spark
            .range(GROUPS * keys)
            .selectExpr("id % " + GROUPS + " AS part", "id AS key")
            .groupBy("part")
            .agg(
                (args[0].equals("bellows") ? AggregateBench.bellows() : AggregateBench.sparks(keys))
                    .as("filter"))
            .agg(functions.expr("sum(length(filter))"))
            .head()
            .getLong(0);
    System.out.println("filters of " + bytes + " bytes");
    spark.stop();
  }
}
