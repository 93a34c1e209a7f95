package dev.bellows.partition;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.partition.IdPartition;

/**
 * The content of a leaf of the compressed tree: the part of the set below one node, with enough
 * information to split the leaf, to join it with its sibling and to build its filter.
 */
sealed interface LeafContent permits ExactIds, UnitFilters {
  /** Returns the number of keys: exact, or an upper bound. */
  long keys();

  /**
   * Returns what {@link #keys} lacks of the keys that bound the rate of every query: more than 0
   * only in units that were intersected (erratum <a
   * href="{@docRoot}/doc-files/errata.html#D10">D10</a>).
   */
  long excess();

  /**
   * Returns the number of keys that determines the shape of the tree: it may not exceed a unit's.
   */
  default long load() {
    return keys() + excess();
  }

  /** Returns the load of this content and another one, of other units, in one leaf. */
  default long loadWith(LeafContent other) {
    return keys() + other.keys() + Math.max(excess(), other.excess());
  }

  /** Returns the number of units that are not empty. */
  long populatedUnits(IdPartition partition);

  /** Puts an id of this node; true iff that changed the content. */
  boolean put(long id, long hash);

  /** Removes an id; true iff it was there. */
  boolean remove(long id);

  /** Returns the part below one node. */
  LeafContent part(Node node);

  /** Everything of both, as the content of one node. */
  LeafContent union(LeafContent other, Node node);

  /** Everything that is in both, as the content of one node. */
  LeafContent intersection(LeafContent other, Node node);

  /** Returns an independent copy. */
  LeafContent copy();

  /** Returns the bits of the filter of this content, at one size. */
  HeapBits filter(CompressedTree.LeafSizes.Size size);

  /** A node of the tree, by its level and its index there. */
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

    /** Returns how many levels of the tree lie below. */
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
