package dev.bellows.internal.partition;

import dev.bellows.internal.base.Checks;

/**
 * The compressed tree (Partition paper, Definition 2.4) of ids that are spread evenly, so that two
 * nodes of a level differ by one id at most. It has leaves on one level, or on two where the nodes
 * with one id more split and the others do not.
 *
 * @param level the level of the upper leaves
 * @param keys ids in the tree
 * @param split how many nodes of that level are split into two leaves
 */
public record EvenTree(int level, long keys, long split) {
  /** The deepest level: more nodes than any number of ids. */
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

  /** Returns how many nodes have a filter; the root of an empty tree has none. */
  public long leaves() {
    return keys == 0 ? 0 : (1L << level) + split;
  }

  /** Returns how many nodes a query passes before it comes to its leaf, at most. */
  public int steps() {
    return split > 0 ? level + 1 : level;
  }

  /** Returns the bits of all filters, each folded to what its leaf holds. */
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
