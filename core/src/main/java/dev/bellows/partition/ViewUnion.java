package dev.bellows.partition;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.math.BloomRates;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The union of two lists of trees, with leaves merged where that keeps the rate (002 section 2.2).
 *
 * <p>Leaves that do not overlap share a tree. Where leaves overlap and their filters have one size,
 * the OR of the filters takes their place, if the rate of every id that meets it stays at or below
 * the fpp of the plan: {@code (X/m)^k}, X the ones of the OR (errata <a
 * href="{@docRoot}/doc-files/errata.html#D8">D8</a>), plus the rates of all other trees there. A
 * leaf above several others is merged with all of them or with none. Everything else stays a list:
 * an id tests one tree after the other. So for every id {@code rate(A or B) <= max(fpp, rate(A) +
 * rate(B))}, and after any number of unions its rate is at most {@code fpp} plus the sum of its
 * rates in all views.
 *
 * <p>Two full filters never merge: their OR would have hundreds of times the false positives.
 */
final class ViewUnion {
  private final PartitionPlan plan;
  private final List<ViewTree> placed;
  private final List<ViewTree> pending;

  private ViewUnion(PartitionPlan plan, List<ViewTree> mine, List<ViewTree> theirs) {
    this.plan = plan;
    this.placed = new ArrayList<>(mine);
    this.pending = new ArrayList<>(theirs);
  }

  static List<ViewTree> of(PartitionPlan plan, List<ViewTree> mine, List<ViewTree> theirs) {
    ViewUnion union = new ViewUnion(plan, mine, theirs);
    union.run();
    return union.placed;
  }

  private void run() {
    while (!pending.isEmpty()) {
      ViewTree left = pending.remove(0);
      for (int i = 0; i < placed.size() && !left.leaves().isEmpty(); i++) {
        left = place(left, i);
      }
      if (!left.leaves().isEmpty()) {
        placed.add(left);
      }
    }
  }

  /** Places what it can of a tree into one of the others; returns what is left. */
  private ViewTree place(ViewTree tree, int index) {
    ViewTree into = placed.get(index);
    List<ViewTree.Leaf> mine = into.leaves();
    List<ViewTree.Leaf> theirs = tree.leaves();
    List<ViewTree.Leaf> kept = new ArrayList<>();
    List<ViewTree.Leaf> left = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < mine.size() || j < theirs.size()) {
      if (j == theirs.size()
          || (i < mine.size() && mine.get(i).node().lastUnit() < theirs.get(j).firstUnit())) {
        kept.add(mine.get(i++));
      } else if (i == mine.size() || theirs.get(j).node().lastUnit() < mine.get(i).firstUnit()) {
        kept.add(theirs.get(j++));
      } else {
        LeafContent.Node node = wider(mine.get(i).node(), theirs.get(j).node());
        int mineEnd = end(mine, i, node);
        int theirsEnd = end(theirs, j, node);
        List<ViewTree.Leaf> ours = mine.subList(i, mineEnd);
        List<ViewTree.Leaf> others = theirs.subList(j, theirsEnd);
        List<ViewTree.Leaf> merged = merge(node, ours, others, spare(node, index));
        kept.addAll(merged == null ? ours : merged);
        left.addAll(merged == null ? others : List.of());
        i = mineEnd;
        j = theirsEnd;
      }
    }
    placed.set(index, new ViewTree(plan, kept));
    return new ViewTree(plan, left);
  }

  private static LeafContent.Node wider(LeafContent.Node a, LeafContent.Node b) {
    return a.level() <= b.level() ? a : b;
  }

  /** The end of the leaves at or below a node that begin at an index. */
  private static int end(List<ViewTree.Leaf> leaves, int from, LeafContent.Node node) {
    int end = from;
    while (end < leaves.size() && leaves.get(end).firstUnit() <= node.lastUnit()) {
      end++;
    }
    return end;
  }

  /** What the trees that are not merged now leave of the plan's fpp for the ids of a node. */
  private double spare(LeafContent.Node node, int index) {
    double used = 0;
    for (int i = 0; i < placed.size(); i++) {
      used += i == index ? 0 : placed.get(i).worstFpp(node);
    }
    for (ViewTree tree : pending) {
      used += tree.worstFpp(node);
    }
    return plan.fpp() - used;
  }

  /** The leaves of both sides as leaves of one tree, or null; one side is a single leaf. */
  private @Nullable List<ViewTree.Leaf> merge(
      LeafContent.Node node, List<ViewTree.Leaf> a, List<ViewTree.Leaf> b, double spare) {
    boolean firstIsWider = a.get(0).node().equals(node);
    ViewTree.Leaf wide = (firstIsWider ? a : b).get(0);
    List<ViewTree.Leaf> narrow = firstIsWider ? b : a;
    double wideFpp = wide.fpp(plan.hashes());
    ViewTree.@Nullable Leaf one = wide;
    for (ViewTree.Leaf leaf : narrow) {
      boolean same = leaf.node().equals(node);
      double least = wideFpp + (same ? leaf.fpp(plan.hashes()) : 0);
      one = one == null ? null : merge(node, one, leaf, Math.max(spare, least));
    }
    if (one != null) {
      return List.of(one);
    }
    return covers(narrow, node) ? intoEach(wide, narrow, spare) : null;
  }

  private static boolean covers(List<ViewTree.Leaf> leaves, LeafContent.Node node) {
    long units = 0;
    for (ViewTree.Leaf leaf : leaves) {
      units += leaf.node().lastUnit() - leaf.firstUnit() + 1;
    }
    return units == node.lastUnit() - node.firstUnit() + 1;
  }

  private @Nullable List<ViewTree.Leaf> intoEach(
      ViewTree.Leaf wide, List<ViewTree.Leaf> narrow, double spare) {
    double wideFpp = wide.fpp(plan.hashes());
    List<ViewTree.Leaf> merged = new ArrayList<>();
    for (ViewTree.Leaf leaf : narrow) {
      double least = wideFpp + leaf.fpp(plan.hashes());
      ViewTree.Leaf both = merge(leaf.node(), leaf, wide, Math.max(spare, least));
      if (both == null) {
        return null;
      }
      merged.add(both);
    }
    return merged;
  }

  /** One leaf for two, if its rate is at most this. */
  private ViewTree.@Nullable Leaf merge(
      LeafContent.Node node, ViewTree.Leaf a, ViewTree.Leaf b, double mostFpp) {
    if (a.parts().equals(b.parts())) {
      return new ViewTree.Leaf(node, Math.max(a.keys(), b.keys()), a.parts());
    }
    if (a.parts().size() > 1 || b.parts().size() > 1) {
      return null;
    }
    ViewTree.Part mine = a.parts().get(0);
    ViewTree.Part theirs = b.parts().get(0);
    if (mine.bits != theirs.bits) {
      return null;
    }
    HeapBits both = mine.store.union(theirs.store);
    if (BloomRates.fppFromOnes(mine.bits, both.ones(), plan.hashes()) > mostFpp) {
      return null;
    }
    boolean nested = both.equals(mine.store) || both.equals(theirs.store);
    long sum = a.keys() + b.keys();
    long ids = node.ids().size();
    long keys = nested ? Math.max(a.keys(), b.keys()) : ids > 0 ? Math.min(sum, ids) : sum;
    return new ViewTree.Leaf(
        node, keys, List.of(new ViewTree.Part(mine.bits, mine.positions, both)));
  }
}
