package dev.bellows.spark;

import dev.bellows.spark.internal.JoinRule;
import dev.bellows.spark.internal.RemoteSession;
import dev.bellows.spark.internal.SqlFunctions;
import org.apache.spark.sql.SparkSession;

/** What {@link BellowsExtensions} adds, in a session that was started without it. */
public final class BellowsFunctions {
  private BellowsFunctions() {}

  /**
   * Adds {@code bellows_agg}, {@code bellows_union_agg}, {@code bellows_might_contain}, {@code
   * bellows_fold} and {@code bellows_info} to the session, and to those that begin later in this
   * process. If the session sets {@code spark.bellows.join.enabled}, its joins are filtered, and so
   * are those of the sessions that begin from it ({@code newSession}).
   *
   * @throws UnsupportedOperationException if it is a session of Spark Connect
   */
  public static void register(SparkSession session) {
    RemoteSession.refuse("BellowsFunctions", session);
    SqlFunctions.registerIn(session);
    JoinRule.addTo(session, BloomJoin.DEFAULT_FPP);
  }
}
