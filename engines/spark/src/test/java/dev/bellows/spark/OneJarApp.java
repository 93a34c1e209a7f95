package dev.bellows.spark;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What {@link OneJarCheck} submits: an application that has Bellows from one jar alone. */
public final class OneJarApp {
  static final String DONE = "one jar is enough";

  private OneJarApp() {}

  public static void main(String[] args) {
    SparkSession spark = SparkSession.builder().appName("one jar").getOrCreate();
    try {
      Class.forName("com.dynatrace.hash4j.hashing.Hashing");
      throw new IllegalStateException("hash4j is on the class path under its own name");
    } catch (ClassNotFoundException expected) {
      BellowsFunctions.register(spark);
    }
    Dataset<Row> small = spark.sql("SELECT id * 100 AS k FROM range(0, 100)");
    Dataset<Row> large = spark.sql("SELECT id AS k FROM range(0, 10000)");
    long joined = BloomJoin.join(large, small, "inner", "k").count();
    boolean found =
        spark
            .sql("SELECT bellows_might_contain(bellows_agg(id, 0.01), 7) FROM range(0, 1000)")
            .head()
            .getBoolean(0);
    System.out.println(joined == 100 && found ? DONE : "joined " + joined + ", found " + found);
    spark.stop();
  }
}
