package dev.bellows.spark;

import org.apache.spark.sql.SparkSession;

/** The one local session of the tests, with the functions from {@code spark.sql.extensions}. */
public final class LocalSpark {
  private LocalSpark() {}

  public static synchronized SparkSession session() {
    return SparkSession.builder()
        .master("local[2]")
        .appName("bellows")
        .config("spark.ui.enabled", false)
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.sql.shuffle.partitions", 2)
        .config("spark.sql.adaptive.enabled", false)
        .config("spark.sql.extensions", BellowsExtensions.class.getName())
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir"))
        .getOrCreate();
  }

  /** Ends the session: a process has one Spark context at a time. */
  public static synchronized void stop() {
    SparkSession.getDefaultSession()
        .foreach(
            session -> {
              session.stop();
              return null;
            });
  }
}
