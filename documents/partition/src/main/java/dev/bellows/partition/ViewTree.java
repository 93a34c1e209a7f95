package dev.bellows.partition;

import dev.bellows.HashScheme;
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
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One tree of a view: its leaves with their filters, from left to right, and a directory for
 * lookups.
 */
final class ViewTree {
  private final PartitionPlan plan;
  private final List<Leaf> leaves;
  private final LeafDirectory<Leaf> directory;

  /** The false positive rate of every leaf, from its actual fill. */
  private final double[] rates;

  /** A test that the ids of a leaf must pass: a Bloom filter or a bitmap. */
  sealed interface Part {
    long bits();

    HeapBits store();

    /** Returns this part with other bits. */
    Part with(HeapBits store);

    boolean test(long id, long hash);

    /** Returns the false positive rate, from the actual fill. */
    double fpp(int hashes);

    /** Returns this part restricted to the ids of a node at or below the node of its leaf. */
    Part below(LeafContent.Node node);
  }

  /** A Bloom filter of any size up to that of a unit. */
  record Bloom(Positions positions, HeapBits store) implements Part {
    @Override
    public long bits() {
      return positions.bits();
    }

    @Override
    public Bloom with(HeapBits other) {
      return new Bloom(positions, other);
    }

    @Override
    public boolean test(long id, long hash) {
      return positions.test(store, hash);
    }

    @Override
    public double fpp(int hashes) {
      return BloomRates.fppFromOnes(bits(), store.ones(), hashes);
    }

    @Override
    public Bloom below(LeafContent.Node node) {
      return this;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Bloom bloom && store.equals(bloom.store);
    }

    @Override
    public int hashCode() {
      return store.hashCode();
    }
  }

  /**
   * A bitmap of the ids that some filters accepted, with one bit for each id of a node. It has the
   * same rate as these filters, because it accepts no other ids.
   *
   * @param ids the ids of the node
   * @param store the bits
   * @param rate the highest rate of an id in these filters
   */
  record Bitmap(IdPartition.IdRange ids, HeapBits store, double rate) implements Part {
    /** The maximum number of bits that the size and the rate of a bitmap take in a table. */
    static final int TABLE_BITS = 80;

    @Override
    public long bits() {
      return ids.size();
    }

    @Override
    public Bitmap with(HeapBits other) {
      return new Bitmap(ids, other, rate);
    }

    @Override
    public boolean test(long id, long hash) {
      return store.isSet(id - ids.from());
    }

    @Override
    public double fpp(int hashes) {
      return rate;
    }

    @Override
    public Bitmap below(LeafContent.Node node) {
      IdPartition.IdRange fewer = node.ids();
      if (fewer.equals(ids)) {
        return this;
      }
      HeapBits some = HeapBits.aligned(fewer.size());
      for (long i = 0; i < some.bits(); i++) {
        if (store.isSet(fewer.from() - ids.from() + i)) {
          some.loadBit(i);
        }
      }
      return new Bitmap(fewer, some, rate);
    }
  }

  /**
   * A node with its filters: one or, after an intersection, several. A key must pass all of them.
   */
  record Leaf(LeafContent.Node node, long keys, List<Part> parts) {
    long firstUnit() {
      return node.firstUnit();
    }

    /** Returns this leaf with the next bits for each of its filters. */
    Leaf with(Iterator<HeapBits> stores) {
      return new Leaf(node, keys, parts.stream().map(part -> part.with(stores.next())).toList());
    }

    /**
     * Returns the number of bits that the parts take in a file, where each consists of whole words.
     */
    long fileBits() {
      long bits = 0;
      for (Part part : parts) {
        bits += Long.SIZE * BitStore.words(part.bits());
        bits += part instanceof Bitmap ? Bitmap.TABLE_BITS : Byte.SIZE;
      }
      return bits;
    }

    boolean test(long id, long hash) {
      for (int i = 0; i < parts.size(); i++) {
        if (!parts.get(i).test(id, hash)) {
          return false;
        }
      }
      return true;
    }

    /**
     * Returns the highest rate of a part, which applies to a key that is in all other sides of an
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
                List.of(new Bloom(leaf.size.positions(), leaf.store.copy()))));
      }
    }
    return new ViewTree(plan, populated);
  }

  List<Leaf> leaves() {
    return leaves;
  }

  boolean test(long unit, long id, long hash) {
    Leaf leaf = directory.find(unit);
    return leaf != null && leaf.test(id, hash);
  }

  static boolean hasBitmaps(List<Leaf> leaves) {
    return parts(leaves).anyMatch(Bitmap.class::isInstance);
  }

  long keys() {
    return leaves.stream().mapToLong(Leaf::keys).sum();
  }

  long bits() {
    return parts(leaves).mapToLong(Part::bits).sum();
  }

  long ones() {
    return parts(leaves).mapToLong(part -> part.store().ones()).sum();
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
   * Returns the highest rate of an id that is tested in several trees, one after the other. The
   * rate of an id is the sum of the rates of the leaves to which it belongs.
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
   * Returns the intersection of two trees: where their leaves overlap, it has a leaf at the smaller
   * of the two nodes, with the filters of both.
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
        LeafContent.Node node = mine.node.level() >= theirs.node.level() ? mine.node : theirs.node;
        Set<Part> parts = new LinkedHashSet<>();
        mine.parts.forEach(part -> parts.add(part.below(node)));
        theirs.parts.forEach(part -> parts.add(part.below(node)));
        both.add(new Leaf(node, Math.min(mine.keys, theirs.keys), List.copyOf(parts)));
      }
      i += myEnd <= theirEnd ? 1 : 0;
      j += theirEnd <= myEnd ? 1 : 0;
    }
    return new ViewTree(plan, both);
  }

  /** Returns the stores of all filters, from left to right. */
  List<BitStore> stores() {
    return parts(leaves).<BitStore>map(Part::store).toList();
  }

  /**
   * Writes the level of every leaf, the number of units skipped before it, its keys and the sizes
   * of its filters. A bitmap, whose size is that of its node, is written as 0 and its rate.
   */
  void writeTable(PackedLongs.Writer out) {
    out.put(leaves.size());
    long next = 0;
    for (Leaf leaf : leaves) {
      out.put(leaf.node.level());
      out.put(leaf.node.firstUnit() - next);
      out.put(leaf.keys);
      out.put(leaf.parts.size());
      for (Part part : leaf.parts) {
        if (part instanceof Bitmap bitmap) {
          out.put(0);
          out.put(Double.doubleToRawLongBits(bitmap.rate));
        } else {
          out.put(part.bits());
        }
      }
      next = leaf.node.lastUnit() + 1;
    }
  }

  /** The memory of the objects of a leaf, without its filters. */
  private static final long LEAF_BYTES = 200;

  /** The memory of the objects of a filter, in addition to its bits. */
  private static final long FILTER_BYTES = 120;

  /** Stands for the bits of a filter until they are read. */
  private static final HeapBits UNREAD = HeapBits.aligned(1);

  /**
   * Reads a table and returns its leaves, whose filters have no bits yet.
   *
   * @param mostIds the maximum number of ids in a bitmap; 0 if the file has none
   */
  static List<Leaf> readTable(
      PackedLongs.Reader in, PartitionPlan plan, long unitBits, long mostIds) {
    List<Leaf> leaves = new ArrayList<>();
    IdPartition partition = IdPartition.of(plan.universe(), plan.depth());
    Map<Long, Part> known = new HashMap<>();
    long next = 0;
    for (int left = in.count(); left > 0; left--) {
      int level = (int) in.next(plan.depth());
      long unit = next + in.next(partition.leaves() - next - 1);
      LeafContent.Node node =
          new LeafContent.Node(partition, level, unit >>> (plan.depth() - level));
      long keys = in.next(Long.MAX_VALUE);
      Part[] parts = new Part[in.count()];
      if (node.firstUnit() != unit || parts.length == 0) {
        throw new IllegalArgumentException(
            "no leaf of level %d with a filter begins at unit %d".formatted(level, unit));
      }
      for (int i = 0; i < parts.length; i++) {
        long bits = in.next(unitBits);
        parts[i] =
            bits == 0 && mostIds > 0
                ? bitmap(in, node.ids(), mostIds)
                : known.computeIfAbsent(
                    bits, b -> new Bloom(Positions.classic(b, plan.hashes()), UNREAD));
      }
      leaves.add(new Leaf(node, keys, List.of(parts)));
      next = node.lastUnit() + 1;
    }
    return leaves;
  }

  private static Bitmap bitmap(PackedLongs.Reader in, IdPartition.IdRange ids, long mostIds) {
    if (Long.compareUnsigned(ids.size(), mostIds) > 0) {
      throw new IllegalArgumentException(
          "a bitmap of %s ids, but there are %d bits"
              .formatted(Long.toUnsignedString(ids.size()), mostIds));
    }
    return new Bitmap(ids, UNREAD, Double.longBitsToDouble(in.next(Double.doubleToRawLongBits(1))));
  }

  /** Returns the memory that leaves take in addition to the bits of their filters. */
  static long objectBytes(List<Leaf> leaves) {
    return LEAF_BYTES * leaves.size() + FILTER_BYTES * parts(leaves).count();
  }

  /** Returns the filters of leaves, from left to right. */
  static Stream<Part> parts(List<Leaf> leaves) {
    return leaves.stream().flatMap(leaf -> leaf.parts.stream());
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
   * all other trees of the union. A leaf that covers several leaves of the other side is merged
   * with all of them or with none. Leaves that cannot be merged stay in separate trees, which
   * queries test one after the other. Therefore, {@code rate(A or B) <= max(fpp/2, rate(A) +
   * rate(B))} for every id, and after any number of unions, the rate of an id is at most {@code
   * fpp/2} plus the sum of its rates in all views.
   *
   * <p>Two full filters are never merged, because their OR would have hundreds of times as many
   * false positives. The exception is the filters of a single unit, which are always merged,
   * because they were sized for all of its ids.
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
      while (!union.pending.isEmpty()) {
        ViewTree left = union.pending.remove(0);
        for (int i = 0; i < union.placed.size() && !left.leaves().isEmpty(); i++) {
          left = union.place(left, i);
        }
        if (!left.leaves().isEmpty()) {
          union.placed.add(left);
        }
      }
      return union.placed;
    }

    /**
     * Moves as many leaves of a tree as possible into a placed tree and returns a tree of the rest.
     */
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
     * Returns the index after the last leaf at or below a node, where the first such leaf is at
     * {@code from}.
     */
    private static int end(List<Leaf> leaves, int from, LeafContent.Node node) {
      int end = from;
      while (end < leaves.size() && leaves.get(end).firstUnit() <= node.lastUnit()) {
        end++;
      }
      return end;
    }

    /**
     * Returns the rate that is left for the ids of a node: half the fpp minus their rates in all
     * other trees.
     */
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
     * Returns the merged leaves of both sides, or null if they cannot be merged. One of the sides
     * is a single leaf.
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

    /** Returns the merged leaf of two leaves, or null if its rate would exceed the limit. */
    private @Nullable Leaf merge(LeafContent.Node node, Leaf a, Leaf b, double mostFpp) {
      if (a.parts().equals(b.parts())) {
        return new Leaf(node, Math.max(a.keys(), b.keys()), a.parts());
      }
      if (a.parts().size() > 1
          || b.parts().size() > 1
          || !(a.parts().get(0) instanceof Bloom mine)
          || !(b.parts().get(0) instanceof Bloom theirs)
          || mine.bits() != theirs.bits()) {
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
      return new Leaf(node, keys, List.of(new Bloom(mine.positions, both)));
    }
  }

  /**
   * The replacement of filters with bitmaps where the bitmaps are not larger: a node of N ids whose
   * leaves, in all trees together, take at least N bits of a file becomes one leaf, whose bitmap
   * has the ids that any of these leaves accepts.
   *
   * <p>The ids that a filter accepts are found by testing all ids of its range, so the bits of
   * filters of different sizes can be combined without a common divisor of these sizes, and without
   * additional false positives: the result accepts the same ids as the trees, and the rate of an id
   * is the sum of its rates in the trees. The number of tests is bounded by a multiple of the
   * number of bits.
   */
  static final class Compaction {
    /**
     * The maximum number of tests per bit, which bounds the time for trees that were read from
     * untrusted input by their size.
     */
    private static final int TESTS_PER_BIT = 64;

    private final PartitionPlan plan;
    private final HashScheme scheme;
    private final List<List<Leaf>> compact = new ArrayList<>();

    private Compaction(PartitionSettings settings) {
      this.plan = settings.plan();
      this.scheme = settings.idScheme();
    }

    static List<ViewTree> of(PartitionSettings settings, List<ViewTree> trees) {
      Compaction compaction = new Compaction(settings);
      List<Placed> leaves = new ArrayList<>();
      for (int i = 0; i < trees.size(); i++) {
        compaction.compact.add(new ArrayList<>());
        for (Leaf leaf : trees.get(i).leaves) {
          leaves.add(new Placed(i, leaf));
        }
      }
      compaction.visit(LeafContent.Node.root(settings.partition()), leaves);
      return compaction.compact.stream().map(some -> new ViewTree(compaction.plan, some)).toList();
    }

    /** A leaf and the index of its tree. */
    private record Placed(int tree, Leaf leaf) {}

    /** Replaces or keeps leaves, all of which are at or below a node. */
    private void visit(LeafContent.Node node, List<Placed> leaves) {
      if (leaves.isEmpty()) {
        return;
      }
      if (isWorthwhile(node, leaves)) {
        // the tree has no other leaf in the range of the node, so the bitmap can take this place
        int tree = leaves.stream().mapToInt(Placed::tree).min().getAsInt();
        compact.get(tree).add(bitmap(node, leaves));
        return;
      }
      List<Placed> low = new ArrayList<>();
      List<Placed> high = new ArrayList<>();
      for (Placed placed : leaves) {
        Leaf leaf = placed.leaf;
        if (leaf.node.equals(node)) {
          compact.get(placed.tree).add(leaf);
        } else {
          (leaf.firstUnit() < node.child(1).firstUnit() ? low : high).add(placed);
        }
      }
      visit(node.child(0), low);
      visit(node.child(1), high);
    }

    private static boolean isWorthwhile(LeafContent.Node node, List<Placed> leaves) {
      long bits = leaves.stream().mapToLong(placed -> placed.leaf.fileBits()).sum();
      double most = Math.min(bits, BitStore.MAX_BITS) - Bitmap.TABLE_BITS;
      double tests =
          leaves.stream().mapToDouble(p -> IdPartition.real(p.leaf.node.ids().size())).sum();
      double ids = IdPartition.real(node.ids().size());
      return ids <= most
          && Long.SIZE * BitStore.words((long) ids) <= most
          && tests <= TESTS_PER_BIT * (double) bits;
    }

    private Leaf bitmap(LeafContent.Node node, List<Placed> leaves) {
      IdPartition.IdRange ids = node.ids();
      HeapBits accepted = HeapBits.aligned(ids.size());
      long keys = 0;
      for (Placed placed : leaves) {
        Leaf leaf = placed.leaf;
        keys = Math.min(ids.size(), keys + leaf.keys);
        IdPartition.IdRange some = leaf.node.ids();
        for (long id = some.from(); id != some.to(); id++) {
          if (!accepted.isSet(id - ids.from()) && accepts(leaf, id)) {
            accepted.loadBit(id - ids.from());
          }
        }
      }
      return new Leaf(
          node,
          Math.min(keys, accepted.ones()),
          List.of(new Bitmap(ids, accepted, worstFpp(leaves))));
    }

    private boolean accepts(Leaf leaf, long id) {
      boolean isBitmap = leaf.parts.size() == 1 && leaf.parts.get(0) instanceof Bitmap;
      return leaf.test(id, isBitmap ? 0 : scheme.hash(id));
    }

    /** Returns the highest sum of the rates of an id in these leaves, at most 1. */
    private double worstFpp(List<Placed> leaves) {
      Map<Integer, List<Leaf>> byTree = new TreeMap<>();
      for (Placed placed : leaves) {
        byTree.computeIfAbsent(placed.tree, tree -> new ArrayList<>()).add(placed.leaf);
      }
      List<ViewTree> some = byTree.values().stream().map(l -> new ViewTree(plan, l)).toList();
      return Math.min(1, ViewTree.worstFpp(some));
    }
  }
}
