package dev.bellows.spark.internal;

import java.util.Arrays;

/**
 * Refuses sessions of Spark Connect, and their rows. A client of Spark Connect has no classes of
 * the driver, such as those of expressions and plans, so this class uses none: it is called before
 * any class that needs them is loaded.
 */
public final class RemoteSession {
  private RemoteSession() {}

  /**
   * Refuses sessions and rows whose driver is elsewhere, in one sentence.
   *
   * @param caller what needs a session of this process
   * @param used sessions or rows
   */
  public static void refuse(String caller, Object... used) {
    for (Object each : used) {
      if (isRemote(each.getClass())) {
        throw new UnsupportedOperationException(
            caller
                + " needs the driver's own session, not one of Spark Connect: start the server with"
                + " spark.sql.extensions=dev.bellows.spark.BellowsExtensions, call the SQL"
                + " functions, and set "
                + JoinRule.ENABLED
                + "=true to filter joins");
      }
    }
  }

  /**
   * Returns whether a session or its rows have their driver elsewhere. Up to Spark 3.5, the classes
   * of both kinds of sessions have the same names.
   */
  static boolean isRemote(Class<?> type) {
    return type.getName().startsWith("org.apache.spark.sql.connect.")
        || Arrays.stream(type.getMethods())
            .noneMatch(
                method ->
                    method.getName().equals("queryExecution")
                        || method.getName().equals("sessionState"));
  }
}
