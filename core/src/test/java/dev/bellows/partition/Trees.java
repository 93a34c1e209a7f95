package dev.bellows.partition;

import dev.bellows.internal.partition.PartitionTree;
import dev.bellows.internal.partition.PartitionTree.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** The actual tree of a partition filter, and the tree that follows from its ids. */
final class Trees {
  private Trees() {}

  /** The nodes of a filter, from its leaves. */
  static PartitionTree of(DynamicPartitionBloomFilter filter) {
    List<Node> leaves = new ArrayList<>();
    for (CompressedTree.Leaf leaf : filter.leaves()) {
      leaves.add(new Node(leaf.node.level(), leaf.node.index(), leaf.content.keys()));
    }
    return new PartitionTree(leaves, inner(leaves, 0, 0));
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
  static PartitionTree of(DynamicPartitionBloomFilter like, LongStream ids) {
    Map<Long, Long> keys = new TreeMap<>();
    ids.distinct()
        .map(like.leaves().get(0).node.partition()::leafIndex)
        .forEach(unit -> keys.merge(unit, 1L, Long::sum));
    return PartitionTree.of(
        like.plan().depth(),
        like.plan().unitKeys(),
        keys.keySet().stream().mapToLong(Long::longValue).toArray(),
        keys.values().stream().mapToLong(Long::longValue).toArray());
  }
}
