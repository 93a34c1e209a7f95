package dev.bellows.papers.partition;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.partition.IdPartition;
import dev.bellows.partition.PartitionPlan;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The shape of a compressed tree (Partition paper, Definition 2.4; see erratum D4 for the root),
 * without any filter. Leaves without keys are part of it, but nothing is stored for them (erratum
 * D6).
 *
 * @param leaves from left to right, empty ones included
 * @param innerNodes parents before children, left before right
 */
record TreeShape(List<Node> leaves, List<Node> innerNodes) {
  /** A node and the number of keys below it. */
  record Node(int level, long index, long keys) {}

  /** Returns the tree of distinct ids: a leaf holds at most the keys of a unit. */
  static TreeShape of(PartitionPlan plan, long... ids) {
    SortedMap<Long, Node> units = new TreeMap<>();
    units(plan, ids).forEach((unit, keys) -> units.put(unit, new Node(plan.depth(), unit, keys)));
    return of(plan.depth(), units, node -> node.keys() <= plan.unitKeys());
  }

  /**
   * Returns the tree in which every node is split that is not a leaf.
   *
   * @param parts nodes that hold all keys, by their first units
   */
  static TreeShape of(int depth, SortedMap<Long, Node> parts, Predicate<Node> isLeaf) {
    TreeShape tree = new TreeShape(new ArrayList<>(), new ArrayList<>());
    tree.add(0, 0, depth, parts, isLeaf);
    return tree;
  }

  private void add(
      int level, long index, int depth, SortedMap<Long, Node> parts, Predicate<Node> isLeaf) {
    SortedMap<Long, Node> below =
        parts.subMap(index << (depth - level), (index + 1) << (depth - level));
    Node node = new Node(level, index, below.values().stream().mapToLong(Node::keys).sum());
    if (isLeaf.test(node)) {
      leaves.add(node);
      return;
    }
    innerNodes.add(node);
    add(level + 1, 2 * index, depth, below, isLeaf);
    add(level + 1, 2 * index + 1, depth, below, isLeaf);
  }

  /** Returns the leaves that hold a filter. */
  List<Node> populatedLeaves() {
    return leaves.stream().filter(leaf -> leaf.keys() > 0).toList();
  }

  /**
   * Returns the mean rate over all ids that are not keys: the absent ids of a leaf have the rate of
   * that leaf (erratum D11). Returns 0 if every id is a key.
   */
  double averageFpp(PartitionPlan plan) {
    IdPartition partition = partition(plan);
    double absent = 0;
    double accepted = 0;
    for (Node leaf : leaves) {
      double ids = partition.nodeRange(leaf.level, leaf.index).size() - leaf.keys;
      absent += ids;
      accepted += ids * BloomRates.fppClassic(plan.unitBits(), leaf.keys, plan.hashes());
    }
    return absent == 0 ? 0 : accepted / absent;
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
