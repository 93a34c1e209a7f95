package dev.bellows.partition;

import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.PackedLongs;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.math.Bisection;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.partition.IdPartition;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One tree of a view: its leaves with their filters, from left to right, and a directory to find
 * them.
 */
final class ViewTree {
  private final PartitionPlan plan;
  private final List<Leaf> leaves;
  private final LeafDirectory<Leaf> directory;

  /** The false positive rate of every leaf, from its actual fill. */
  private final double[] rates;

  /** A filter of any size up to that of a unit. */
  record Part(Positions positions, HeapBits store) {
    long bits() {
      return store.bits();
    }

    double fpp(int hashes) {
      return BloomRates.fppFromOnes(bits(), store.ones(), hashes);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Part part && store.equals(part.store);
    }

    @Override
    public int hashCode() {
      return store.hashCode();
    }
  }

  /**
   * A node with its filters: one, or several after an intersection. A key must pass all of them.
   */
  record Leaf(LeafContent.Node node, long keys, List<Part> parts) {
    long firstUnit() {
      return node.firstUnit();
    }

    boolean test(long hash) {
      for (int i = 0; i < parts.size(); i++) {
        Part part = parts.get(i);
        if (!part.positions.test(part.store, hash)) {
          return false;
        }
      }
      return true;
    }

    /**
     * Returns the highest rate of a part: that of a key which is in all other sides of an
     * intersection (see erratum <a href="{@docRoot}/doc-files/errata.html#D9">D9</a>).
     */
    double fpp(int hashes) {
      return parts.stream().mapToDouble(part -> part.fpp(hashes)).max().orElse(0);
    }
  }

  ViewTree(PartitionPlan plan, List<Leaf> leaves) {
    this.plan = plan;
    this.leaves = List.copyOf(leaves);
    this.directory = new LeafDirectory<>(plan.depth());
    this.rates = new double[leaves.size()];
    for (int i = 0; i < rates.length; i++) {
      Leaf leaf = leaves.get(i);
      directory.set(leaf.node, leaf);
      rates[i] = leaf.fpp(plan.hashes());
    }
  }

  static ViewTree of(PartitionPlan plan, List<CompressedTree.Leaf> leaves) {
    List<Leaf> populated = new ArrayList<>();
    for (CompressedTree.Leaf leaf : leaves) {
      if (leaf.size != null) {
        populated.add(
            new Leaf(
                leaf.node,
                leaf.content.keys(),
                List.of(new Part(leaf.size.positions(), leaf.store.copy()))));
      }
    }
    return new ViewTree(plan, populated);
  }

  List<Leaf> leaves() {
    return leaves;
  }

  boolean test(long unit, long hash) {
    Leaf leaf = directory.find(unit);
    return leaf != null && leaf.test(hash);
  }

  long keys() {
    return leaves.stream().mapToLong(Leaf::keys).sum();
  }

  private Stream<Part> parts() {
    return leaves.stream().flatMap(leaf -> leaf.parts.stream());
  }

  long bits() {
    return parts().mapToLong(Part::bits).sum();
  }

  long ones() {
    return parts().mapToLong(part -> part.store.ones()).sum();
  }

  /** Returns the highest rate of the leaves that overlap a node. */
  double worstFpp(LeafContent.Node node) {
    int from = firstEndingFrom(node.firstUnit());
    double worst = 0;
    for (int i = from; i < rates.length && leaves.get(i).firstUnit() <= node.lastUnit(); i++) {
      worst = Math.max(worst, rates[i]);
    }
    return worst;
  }

  /** Returns the index of the first leaf that does not end before a unit. */
  private int firstEndingFrom(long unit) {
    return (int)
        Bisection.first(0, leaves.size(), i -> leaves.get((int) i).node.lastUnit() >= unit);
  }

  /**
   * Returns the highest rate of an id that is tested in several trees, one after the other: the sum
   * of the rates of the leaves that it belongs to.
   */
  static double worstFpp(List<ViewTree> trees) {
    int[] at = new int[trees.size()];
    double worst = 0;
    long unit = 0;
    while (unit < Long.MAX_VALUE) {
      double sum = 0;
      long next = Long.MAX_VALUE;
      for (int t = 0; t < at.length; t++) {
        List<Leaf> leaves = trees.get(t).leaves;
        while (at[t] < leaves.size() && leaves.get(at[t]).node.lastUnit() < unit) {
          at[t]++;
        }
        if (at[t] < leaves.size()) {
          LeafContent.Node node = leaves.get(at[t]).node;
          boolean inside = node.firstUnit() <= unit;
          sum += inside ? trees.get(t).rates[at[t]] : 0;
          next = Math.min(next, inside ? node.lastUnit() + 1 : node.firstUnit());
        }
      }
      worst = Math.max(worst, sum);
      unit = next;
    }
    return worst;
  }

  double averageFpp() {
    double accepted = 0;
    for (int i = 0; i < rates.length; i++) {
      Leaf leaf = leaves.get(i);
      accepted += (IdPartition.real(leaf.node.ids().size()) - leaf.keys) * rates[i];
    }
    double absent = IdPartition.real(plan.universe()) - keys();
    return absent <= 0 ? 0 : Math.max(0, accepted / absent);
  }

  /**
   * Returns the intersection: where leaves of both trees overlap, it has a leaf at the smaller of
   * the two nodes, with the filters of both.
   */
  ViewTree intersection(ViewTree other) {
    List<Leaf> both = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < leaves.size() && j < other.leaves.size()) {
      Leaf mine = leaves.get(i);
      Leaf theirs = other.leaves.get(j);
      long myEnd = mine.node.lastUnit();
      long theirEnd = theirs.node.lastUnit();
      if (mine.node.firstUnit() <= theirEnd && theirs.node.firstUnit() <= myEnd) {
        Set<Part> parts = new LinkedHashSet<>(mine.parts);
        parts.addAll(theirs.parts);
        both.add(
            new Leaf(
                mine.node.level() >= theirs.node.level() ? mine.node : theirs.node,
                Math.min(mine.keys, theirs.keys),
                List.copyOf(parts)));
      }
      i += myEnd <= theirEnd ? 1 : 0;
      j += theirEnd <= myEnd ? 1 : 0;
    }
    return new ViewTree(plan, both);
  }

  /** Returns the bits of all filters, from left to right. */
  List<BitStore> stores() {
    return parts().<BitStore>map(part -> part.store).toList();
  }

  /**
   * Writes the level of every leaf, the number of units skipped before it, its keys and the sizes
   * of its filters.
   */
  void writeTable(PackedLongs.Writer out) {
    out.put(leaves.size());
    long next = 0;
    for (Leaf leaf : leaves) {
      out.put(leaf.node.level());
      out.put(leaf.node.firstUnit() - next);
      out.put(leaf.keys);
      out.put(leaf.parts.size());
      leaf.parts.forEach(part -> out.put(part.bits()));
      next = leaf.node.lastUnit() + 1;
    }
  }

  /** The memory of the objects of a leaf, and of each of its filters, in addition to their bits. */
  private static final long LEAF_BYTES = 200;

  private static final long FILTER_BYTES = 120;

  /** A leaf whose filters have not been read yet. */
  record LeafEntry(LeafContent.Node node, long keys, List<Positions> filters) {}

  /** The table of a tree whose bits have not been read yet. */
  record LeafTable(PartitionPlan plan, List<LeafEntry> leaves) {
    static LeafTable read(PackedLongs.Reader in, PartitionPlan plan, long unitBits) {
      List<LeafEntry> leaves = new ArrayList<>();
      IdPartition partition = IdPartition.of(plan.universe(), plan.depth());
      Map<Long, Positions> known = new HashMap<>();
      long next = 0;
      for (int left = in.count(); left > 0; left--) {
        int level = (int) in.next(plan.depth());
        long unit = next + in.next(partition.leaves() - next - 1);
        LeafContent.Node node =
            new LeafContent.Node(partition, level, unit >>> (plan.depth() - level));
        long keys = in.next(Long.MAX_VALUE);
        Positions[] filters = new Positions[in.count()];
        if (node.firstUnit() != unit || filters.length == 0) {
          throw new IllegalArgumentException(
              "no leaf of level %d with a filter begins at unit %d".formatted(level, unit));
        }
        for (int i = 0; i < filters.length; i++) {
          filters[i] =
              known.computeIfAbsent(
                  in.next(unitBits), bits -> Positions.classic(bits, plan.hashes()));
        }
        leaves.add(new LeafEntry(node, keys, List.of(filters)));
        next = node.lastUnit() + 1;
      }
      return new LeafTable(plan, leaves);
    }

    /** Returns the memory that the tree will take in addition to the bits. */
    long objectBytes() {
      long filters = leaves.stream().mapToLong(leaf -> leaf.filters.size()).sum();
      return LEAF_BYTES * leaves.size() + FILTER_BYTES * filters;
    }

    /** Returns the sizes of all filters, from left to right. */
    Stream<Long> sizes() {
      return leaves.stream().flatMap(leaf -> leaf.filters.stream()).map(Positions::bits);
    }

    /** Returns the tree with these bits: one store for each of the {@link #sizes}. */
    ViewTree tree(Iterator<HeapBits> stores) {
      List<Leaf> filled = new ArrayList<>();
      for (LeafEntry leaf : leaves) {
        List<Part> parts = new ArrayList<>();
        for (Positions filter : leaf.filters) {
          parts.add(new Part(filter, stores.next()));
        }
        filled.add(new Leaf(leaf.node, leaf.keys, List.copyOf(parts)));
      }
      return new ViewTree(plan, filled);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ViewTree tree && plan.equals(tree.plan) && leaves.equals(tree.leaves);
  }

  @Override
  public int hashCode() {
    return leaves.hashCode();
  }

  /**
   * The union of two lists of trees, in which leaves are merged where the rate allows it (Partition
   * paper, Section 2.2).
   *
   * <p>Leaves that do not overlap share a tree. Leaves that overlap and whose filters have the same
   * size are replaced by the OR of the filters if the rate of every affected id stays at or below
   * half the fpp of the plan. That rate is {@code (X/m)^k}, where X is the number of ones of the OR
   * (see erratum <a href="{@docRoot}/doc-files/errata.html#D8">D8</a>), plus the rates of the id in
   * all other trees. A leaf that covers several leaves of the other side is merged with all of them
   * or with none. Leaves that cannot be merged stay in separate trees, which queries test one after
   * the other. For every id, therefore, {@code rate(A or B) <= max(fpp/2, rate(A) + rate(B))}, and
   * after any number of unions the rate is at most {@code fpp/2} plus the sum of its rates in all
   * views.
   *
   * <p>Two full filters are never merged: their OR would have hundreds of times the false
   * positives. The filters of a single unit always are, because they were sized for all of its ids.
   */
  static final class Union {
    private final PartitionPlan plan;
    private final long unitBits;
    private final List<ViewTree> placed;
    private final List<ViewTree> pending;

    private Union(PartitionSettings settings, List<ViewTree> mine, List<ViewTree> theirs) {
      this.plan = settings.plan();
      this.unitBits = settings.unitBits();
      this.placed = new ArrayList<>(mine);
      this.pending = new ArrayList<>(theirs);
    }

    static List<ViewTree> of(
        PartitionSettings settings, List<ViewTree> mine, List<ViewTree> theirs) {
      Union union = new Union(settings, mine, theirs);
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

    /** Moves as many leaves of a tree as possible into a placed one and returns the rest. */
    private ViewTree place(ViewTree tree, int index) {
      ViewTree into = placed.get(index);
      List<Leaf> mine = into.leaves();
      List<Leaf> theirs = tree.leaves();
      List<Leaf> kept = new ArrayList<>();
      List<Leaf> left = new ArrayList<>();
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
          List<Leaf> ours = mine.subList(i, mineEnd);
          List<Leaf> others = theirs.subList(j, theirsEnd);
          List<Leaf> merged = merge(node, ours, others, spare(node, index));
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

    /**
     * Returns the index after the last leaf at or below a node; the first one is at {@code from}.
     */
    private static int end(List<Leaf> leaves, int from, LeafContent.Node node) {
      int end = from;
      while (end < leaves.size() && leaves.get(end).firstUnit() <= node.lastUnit()) {
        end++;
      }
      return end;
    }

    /** Returns the part of half the fpp that all other trees leave for the ids of a node. */
    private double spare(LeafContent.Node node, int index) {
      double used = 0;
      for (int i = 0; i < placed.size(); i++) {
        used += i == index ? 0 : placed.get(i).worstFpp(node);
      }
      for (ViewTree tree : pending) {
        used += tree.worstFpp(node);
      }
      return plan.fpp() / 2 - used;
    }

    /**
     * Returns the merged leaves of both sides, of which one is a single leaf, or null if they
     * cannot be merged.
     */
    private @Nullable List<Leaf> merge(
        LeafContent.Node node, List<Leaf> a, List<Leaf> b, double spare) {
      boolean firstIsWider = a.get(0).node().equals(node);
      Leaf wide = (firstIsWider ? a : b).get(0);
      List<Leaf> narrow = firstIsWider ? b : a;
      double wideFpp = wide.fpp(plan.hashes());
      @Nullable Leaf one = wide;
      for (Leaf leaf : narrow) {
        boolean same = leaf.node().equals(node);
        double least = wideFpp + (same ? leaf.fpp(plan.hashes()) : 0);
        one = one == null ? null : merge(node, one, leaf, Math.max(spare, least));
      }
      if (one != null) {
        return List.of(one);
      }
      return covers(narrow, node) ? intoEach(wide, narrow, spare) : null;
    }

    private static boolean covers(List<Leaf> leaves, LeafContent.Node node) {
      long units = 0;
      for (Leaf leaf : leaves) {
        units += leaf.node().lastUnit() - leaf.firstUnit() + 1;
      }
      return units == node.lastUnit() - node.firstUnit() + 1;
    }

    private @Nullable List<Leaf> intoEach(Leaf wide, List<Leaf> narrow, double spare) {
      double wideFpp = wide.fpp(plan.hashes());
      List<Leaf> merged = new ArrayList<>();
      for (Leaf leaf : narrow) {
        double least = wideFpp + leaf.fpp(plan.hashes());
        Leaf both = merge(leaf.node(), leaf, wide, Math.max(spare, least));
        if (both == null) {
          return null;
        }
        merged.add(both);
      }
      return merged;
    }

    /** Returns the merged leaf of two, or null if its rate would exceed the limit. */
    private @Nullable Leaf merge(LeafContent.Node node, Leaf a, Leaf b, double mostFpp) {
      if (a.parts().equals(b.parts())) {
        return new Leaf(node, Math.max(a.keys(), b.keys()), a.parts());
      }
      if (a.parts().size() > 1 || b.parts().size() > 1) {
        return null;
      }
      Part mine = a.parts().get(0);
      Part theirs = b.parts().get(0);
      if (mine.bits() != theirs.bits()) {
        return null;
      }
      HeapBits both = mine.store.union(theirs.store);
      boolean isUnit = a.node().height() == 0 && b.node().height() == 0 && mine.bits() == unitBits;
      if (!isUnit && BloomRates.fppFromOnes(mine.bits(), both.ones(), plan.hashes()) > mostFpp) {
        return null;
      }
      boolean nested = both.equals(mine.store) || both.equals(theirs.store);
      long sum = a.keys() + b.keys();
      long ids = node.ids().size();
      long keys = nested ? Math.max(a.keys(), b.keys()) : ids > 0 ? Math.min(sum, ids) : sum;
      return new Leaf(node, keys, List.of(new Part(mine.positions, both)));
    }
  }
}
