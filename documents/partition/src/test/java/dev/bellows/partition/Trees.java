package dev.bellows.partition;

import dev.bellows.internal.partition.IdPartition;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * The nodes of a compressed tree: those of an actual filter, or those that follow from its ids.
 *
 * @param leaves from left to right, empty ones included
 * @param innerNodes parents before children, left before right
 */
record Trees(List<Node> leaves, List<Node> innerNodes) {
  /** A node and the number of keys below it. */
  record Node(int level, long index, long keys) {}

  /** The nodes of a filter, from its leaves. */
  static Trees of(DynamicPartitionBloomFilter filter) {
    List<Node> leaves = new ArrayList<>();
    for (CompressedTree.Leaf leaf : filter.leaves()) {
      leaves.add(new Node(leaf.node.level(), leaf.node.index(), leaf.content.keys()));
    }
    return new Trees(leaves, inner(leaves, 0, 0));
  }

  /** The nodes above the leaves, parents before children and left before right. */
  private static List<Node> inner(List<Node> leaves, int level, long index) {
    List<Node> below =
        leaves.stream()
            .filter(leaf -> leaf.level() > level && leaf.index() >> leaf.level() - level == index)
            .toList();
    List<Node> inner = new ArrayList<>();
    if (!below.isEmpty()) {
      inner.add(new Node(level, index, below.stream().mapToLong(Node::keys).sum()));
      inner.addAll(inner(below, level + 1, 2 * index));
      inner.addAll(inner(below, level + 1, 2 * index + 1));
    }
    return inner;
  }

  /** The load that each inner node would have as a leaf. */
  static List<Long> loads(DynamicPartitionBloomFilter filter) {
    List<Long> loads = new ArrayList<>();
    for (Node node : of(filter).innerNodes()) {
      long keys = 0;
      long excess = 0;
      for (CompressedTree.Leaf leaf : filter.leaves()) {
        int levels = leaf.node.level() - node.level();
        if (levels > 0 && leaf.node.index() >> levels == node.index()) {
          keys += leaf.content.keys();
          excess = Math.max(excess, leaf.content.excess());
        }
      }
      loads.add(keys + excess);
    }
    return loads;
  }

  /** The tree of a set of ids, by its definition. */
  static Trees of(DynamicPartitionBloomFilter like, LongStream ids) {
    return of(like.leaves().get(0).node.partition(), ids);
  }

  /**
   * The tree of a set of ids: a node is a leaf iff it holds at most the keys of a unit and its
   * parent, if it has one, holds more (Partition paper, Definition 2.4; erratum D4).
   */
  static Trees of(IdPartition partition, LongStream ids) {
    TreeMap<Long, Long> keys = new TreeMap<>();
    ids.distinct().map(partition::leafIndex).forEach(unit -> keys.merge(unit, 1L, Long::sum));
    List<Node> leaves = new ArrayList<>();
    addLeaves(leaves, 0, 0, partition, keys);
    return new Trees(leaves, inner(leaves, 0, 0));
  }

  private static void addLeaves(
      List<Node> leaves,
      int level,
      long index,
      IdPartition partition,
      SortedMap<Long, Long> keysOfUnits) {
    int height = partition.depth() - level;
    SortedMap<Long, Long> below = keysOfUnits.subMap(index << height, (index + 1) << height);
    long keys = below.values().stream().mapToLong(Long::longValue).sum();
    if (keys <= partition.unitKeys()) {
      leaves.add(new Node(level, index, keys));
    } else {
      addLeaves(leaves, level + 1, 2 * index, partition, below);
      addLeaves(leaves, level + 1, 2 * index + 1, partition, below);
    }
  }
}
