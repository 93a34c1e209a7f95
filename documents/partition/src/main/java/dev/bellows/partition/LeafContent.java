package dev.bellows.partition;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.partition.IdPartition;

/**
 * The content of a leaf of the compressed tree: the keys below one node, with enough information to
 * split the leaf, to join it with its sibling and to build its filter.
 */
sealed interface LeafContent permits ExactIds, UnitFilters {
  /** Returns the number of keys: exact, or an upper bound. */
  long keys();

  /**
   * Returns the number of keys that must be added to {@link #keys} to bound the rate of every
   * query. It is greater than 0 only in units that were intersected (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#D10">D10</a>).
   */
  long excess();

  /**
   * Returns the number of keys that determines the shape of the tree: the load of a leaf is at most
   * unitKeys.
   */
  default long load() {
    return keys() + excess();
  }

  /** Returns the load of a leaf that holds this content and that of other units. */
  default long loadWith(LeafContent other) {
    return keys() + other.keys() + Math.max(excess(), other.excess());
  }

  /** Returns the number of units that are not empty. */
  long populatedUnits(IdPartition partition);

  /** Puts an id of this node and returns whether the content changed. */
  boolean put(long id, long hash);

  /** Removes an id and returns whether it was present. */
  boolean remove(long id);

  /** Returns the part of this content that lies below a node. */
  LeafContent part(Node node);

  /** Returns the keys of either content, as the content of one node. */
  LeafContent union(LeafContent other, Node node);

  /** Returns the keys that are in both contents, as the content of one node. */
  LeafContent intersection(LeafContent other, Node node);

  /** Returns an independent copy. */
  LeafContent copy();

  /** Returns the bits of a filter of this size with this content. */
  HeapBits filter(CompressedTree.LeafSizes.Size size);

  /** A node of the tree, identified by its level and its index on that level. */
  record Node(IdPartition partition, int level, long index) {
    static Node root(IdPartition partition) {
      return new Node(partition, 0, 0);
    }

    Node child(int side) {
      return new Node(partition, level + 1, 2 * index + side);
    }

    Node parent() {
      return new Node(partition, level - 1, index >>> 1);
    }

    Node sibling() {
      return new Node(partition, level, index ^ 1);
    }

    IdPartition.IdRange ids() {
      return partition.nodeRange(level, index);
    }

    /** Returns the number of levels of the tree below this node. */
    int height() {
      return partition.depth() - level;
    }

    long firstUnit() {
      return index << height();
    }

    long lastUnit() {
      return ((index + 1) << height()) - 1;
    }
  }
}
