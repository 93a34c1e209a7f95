package dev.bellows.spark;

import dev.bellows.spark.internal.SparkApi;
import dev.bellows.spark.internal.SqlFunctions;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;

/** The SQL functions in one session that was started without {@link BellowsExtensions}. */
public final class BellowsFunctions {
  private BellowsFunctions() {}

  /**
   * Adds {@code bellows_agg}, {@code bellows_union_agg}, {@code bellows_might_contain}, {@code
   * bellows_fold} and {@code bellows_info} to the session, and to those that begin later in this
   * process.
   */
  public static void register(SparkSession session) {
    SqlFunctions.registerBuiltIn();
    FunctionRegistry registry = SparkApi.functions(session);
    if (registry == null) {
      throw new IllegalArgumentException(
          "functions are registered where the driver runs, not through "
              + session.getClass().getName()
              + ": start the server with spark.sql.extensions="
              + BellowsExtensions.class.getName());
    }
    SqlFunctions.registerIn(registry);
  }
}
