package dev.bellows.internal.partition;

import dev.bellows.internal.base.Checks;

/**
 * The compressed tree (Partition paper, Definition 2.4) of evenly spread ids, where the numbers of
 * ids in two nodes of the same level differ by at most one. Its leaves are on one level, or on two
 * if only the nodes with one more id are split.
 *
 * @param level the level of the upper leaves
 * @param keys number of ids in the tree
 * @param split number of nodes on that level that are split into two leaves
 */
public record EvenTree(int level, long keys, long split) {
  /** The deepest level. */
  private static final int MOST = Long.SIZE - 2;

  /** Returns the tree whose leaves hold at most this many ids. */
  public static EvenTree of(long unitKeys, long keys) {
    Checks.positive(unitKeys, "unitKeys");
    Checks.notNegative(keys, "keys");
    int level = 0;
    while (level < MOST && keys >> level > unitKeys) {
      level++;
    }
    long more = keys & ((1L << level) - 1);
    return new EvenTree(level, keys, keys >> level == unitKeys ? more : 0);
  }

  /** Returns the number of nodes that have a filter; the root of an empty tree has none. */
  public long leaves() {
    return keys == 0 ? 0 : (1L << level) + split;
  }

  /** Returns the maximum number of inner nodes that a query visits before it reaches its leaf. */
  public int steps() {
    return split > 0 ? level + 1 : level;
  }

  /** Returns the total number of bits of all filters, each folded to fit the keys of its leaf. */
  public double bits(LeafLadder ladder) {
    long few = keys >> level;
    double nodes = 1L << level;
    if (split > 0) {
      long half = (few + 1) / 2;
      double both = (double) ladder.bitsFor(half) + ladder.bitsFor(few + 1 - half);
      return (nodes - split) * ladder.bitsFor(few) + split * both;
    }
    double more = keys & ((1L << level) - 1);
    return (nodes - more) * ladder.bitsFor(few) + more * ladder.bitsFor(few + 1);
  }
}
