package dev.bellows.spark;

import dev.bellows.spark.internal.RemoteSession;
import dev.bellows.spark.internal.SqlFunctions;
import org.apache.spark.sql.SparkSession;

/** The SQL functions in one session that was started without {@link BellowsExtensions}. */
public final class BellowsFunctions {
  private BellowsFunctions() {}

  /**
   * Adds {@code bellows_agg}, {@code bellows_union_agg}, {@code bellows_might_contain}, {@code
   * bellows_fold} and {@code bellows_info} to the session, and to those that begin later in this
   * process.
   *
   * @throws UnsupportedOperationException if it is a session of Spark Connect
   */
  public static void register(SparkSession session) {
    RemoteSession.refuse("BellowsFunctions", session);
    SqlFunctions.registerIn(session);
  }
}
