package dev.bellows.spark;

import dev.bellows.spark.internal.JoinRule;
import dev.bellows.spark.internal.SqlFunctions;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
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
    extensions.injectPreCBORule(
        new AbstractFunction1<SparkSession, Rule<LogicalPlan>>() {
          @Override
          public Rule<LogicalPlan> apply(SparkSession session) {
            return new JoinRule(session, BloomJoin.DEFAULT_FPP);
          }
        });
    return BoxedUnit.UNIT;
  }
}
