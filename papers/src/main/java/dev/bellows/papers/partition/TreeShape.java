package dev.bellows.papers.partition;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.bellows.internal.partition.IdPartition;
import dev.bellows.internal.partition.PartitionRates;
import dev.bellows.internal.partition.PartitionTree;
import dev.bellows.partition.PartitionPlan;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** The tree of a set of ids by the Partition paper, Definition 2.4, without any filter. */
final class TreeShape {
  private TreeShape() {}

  /** Returns the tree of distinct ids. */
  static PartitionTree of(PartitionPlan plan, long... ids) {
    Map<Long, Long> units = units(plan, ids);
    return PartitionTree.of(
        plan.depth(),
        plan.unitKeys(),
        units.keySet().stream().mapToLong(unit -> unit).toArray(),
        units.values().stream().mapToLong(keys -> keys).toArray());
  }

  /** Returns the mean rate of a tree over all absent ids. */
  static double averageFpp(PartitionPlan plan, PartitionTree tree) {
    return PartitionRates.averageFpp(partition(plan), tree, plan.unitBits(), plan.hashes());
  }

  /** Returns the units of a plan. */
  static IdPartition partition(PartitionPlan plan) {
    return IdPartition.of(plan.universe(), plan.depth());
  }

  /** Returns the populated units, ascending, with their numbers of keys. */
  static Map<Long, Long> units(PartitionPlan plan, long... ids) {
    return Arrays.stream(ids)
        .map(partition(plan)::leafIndex)
        .boxed()
        .collect(groupingBy(unit -> unit, TreeMap::new, counting()));
  }
}
