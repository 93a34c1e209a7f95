package dev.bellows.internal.partition;

import dev.bellows.internal.base.Checks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The shape of the compressed tree: a node is a leaf iff it holds at most {@code unitKeys} keys and
 * its parent, if it has one, holds more (Partition paper, Definition 2.4; see erratum <a
 * href="{@docRoot}/doc-files/errata.html#D4">D4</a> for the root).
 *
 * <p>Leaves without keys are part of the shape, but nothing is stored for them (erratum <a
 * href="{@docRoot}/doc-files/errata.html#D6">D6</a>).
 *
 * @param leaves from left to right, empty ones included
 * @param innerNodes parents before children, left before right
 */
public record PartitionTree(List<Node> leaves, List<Node> innerNodes) {
  /** A node and the number of keys below it. */
  public record Node(int level, long index, long keys) {}

  public PartitionTree {
    leaves = List.copyOf(leaves);
    innerNodes = List.copyOf(innerNodes);
  }

  /**
   * Returns the shape for given numbers of keys in the populated units.
   *
   * @param indices the indices of the units, ascending
   * @param keys the number of keys in each of them, at most unitKeys
   */
  public static PartitionTree of(int depth, long unitKeys, long[] indices, long[] keys) {
    Checks.inRange(0, IdPartition.MAX_DEPTH, depth, "depth");
    Checks.positive(unitKeys, "unitKeys");
    if (indices.length != keys.length) {
      throw new IllegalArgumentException(
          indices.length + " indices but " + keys.length + " counts: give one count per index");
    }
    long[] sums = new long[keys.length + 1];
    for (int i = 0; i < keys.length; i++) {
      Checks.inRange(i == 0 ? 0 : indices[i - 1] + 1, (1L << depth) - 1, indices[i], "index");
      Checks.inRange(0, unitKeys, keys[i], "keys of leaf " + indices[i]);
      sums[i + 1] = Math.addExact(sums[i], keys[i]);
    }
    return new Builder(depth, unitKeys, indices, sums).tree();
  }

  /**
   * Returns the upper levels of a shape, given the numbers of keys of all 2^levels nodes on the
   * lowest of them. Nodes there that hold more than unitKeys are inner nodes, whose leaves are
   * further down.
   */
  public static PartitionTree top(long unitKeys, long... keys) {
    Checks.positive(unitKeys, "unitKeys");
    int levels = Integer.numberOfTrailingZeros(keys.length);
    if (keys.length != 1 << levels) {
      throw new IllegalArgumentException("a level cannot have " + keys.length + " nodes");
    }
    long[] indices = new long[keys.length];
    long[] sums = new long[keys.length + 1];
    for (int i = 0; i < keys.length; i++) {
      indices[i] = i;
      sums[i + 1] = Math.addExact(sums[i], Checks.notNegative(keys[i], "keys"));
    }
    return new Builder(levels, unitKeys, indices, sums).tree();
  }

  /** Returns the leaves that hold a filter. */
  public List<Node> populatedLeaves() {
    return leaves.stream().filter(leaf -> leaf.keys() > 0).toList();
  }

  /**
   * Splits the nodes that hold too many keys. The keys below a node are the difference of two sums.
   */
  private static final class Builder {
    final int depth;
    final long unitKeys;
    final long[] indices;
    final long[] sums;
    final List<Node> leaves = new ArrayList<>();
    final List<Node> innerNodes = new ArrayList<>();

    Builder(int depth, long unitKeys, long[] indices, long[] sums) {
      this.depth = depth;
      this.unitKeys = unitKeys;
      this.indices = indices;
      this.sums = sums;
    }

    PartitionTree tree() {
      add(0, 0, 0, indices.length);
      return new PartitionTree(leaves, innerNodes);
    }

    private void add(int level, long index, int from, int to) {
      Node node = new Node(level, index, sums[to] - sums[from]);
      if (node.keys <= unitKeys) {
        leaves.add(node);
        return;
      }
      innerNodes.add(node);
      if (level == depth) {
        return;
      }
      long middle = (2 * index + 1) << (depth - level - 1);
      int found = Arrays.binarySearch(indices, from, to, middle);
      int split = found < 0 ? -found - 1 : found;
      add(level + 1, 2 * index, from, split);
      add(level + 1, 2 * index + 1, split, to);
    }
  }
}
