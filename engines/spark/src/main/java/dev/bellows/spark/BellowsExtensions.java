package dev.bellows.spark;

import dev.bellows.spark.internal.JoinRule;
import dev.bellows.spark.internal.SqlFunctions;
import org.apache.spark.sql.SparkSessionExtensions;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * The SQL functions for every session, and filters before the joins of those that set {@code
 * spark.bellows.join.enabled}: {@code spark.sql.extensions=dev.bellows.spark.BellowsExtensions}.
 */
public final class BellowsExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    SqlFunctions.registerBuiltIn();
    JoinRule.addTo(extensions, BloomJoin.DEFAULT_FPP);
    return BoxedUnit.UNIT;
  }
}
