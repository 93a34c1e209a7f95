package dev.bellows.spark.internal;

import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.Sample;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreeNodeTag;
import org.apache.spark.sql.connector.write.RowLevelOperationTable;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;

/**
 * Tables of data source version 2, which may take over a limit or a sample: then the optimized plan
 * shows neither. Before that, this rule marks the tables below one.
 */
final class VersionTwo extends Rule<LogicalPlan> {
  private static final TreeNodeTag<Boolean> VARIES = new TreeNodeTag<>("bellows_varies");

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    plan.foreach(
        node -> {
          if (node instanceof GlobalLimit
              || node instanceof LocalLimit
              || node instanceof Offset
              || node instanceof Sample) {
            mark(node);
          }
          return null;
        });
    return plan;
  }

  private static void mark(LogicalPlan node) {
    LogicalPlan below = node;
    while (below.children().size() == 1) {
      below = below.children().apply(0);
    }
    if (below instanceof DataSourceV2Relation) {
      below.setTagValue(VARIES, true);
    }
  }

  /**
   * Returns whether a table may give other rows when it is read a second time, or must not be read
   * twice because a command is about to replace what it read.
   */
  static boolean mayVary(DataSourceV2Relation table) {
    return table.getTagValue(VARIES).isDefined() || table.table() instanceof RowLevelOperationTable;
  }
}
