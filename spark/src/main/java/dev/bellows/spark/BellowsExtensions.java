package dev.bellows.spark;

import dev.bellows.spark.internal.SqlFunctions;
import org.apache.spark.sql.SparkSessionExtensions;
import scala.runtime.AbstractFunction1;
import scala.runtime.BoxedUnit;

/**
 * The SQL functions for every session: {@code
 * spark.sql.extensions=dev.bellows.spark.BellowsExtensions}.
 */
public final class BellowsExtensions extends AbstractFunction1<SparkSessionExtensions, BoxedUnit> {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    SqlFunctions.registerBuiltIn();
    return BoxedUnit.UNIT;
  }
}
