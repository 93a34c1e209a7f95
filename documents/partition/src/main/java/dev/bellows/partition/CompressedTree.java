package dev.bellows.partition;

import dev.bellows.HashScheme;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.partition.IdPartition;
import dev.bellows.internal.partition.LeafLadder;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The compressed tree of a partition filter with the contents of its leaves (Partition paper,
 * Definition 2.3): a node is a leaf if its part of the set fits into one unit filter while that of
 * its parent does not.
 *
 * <p>The monitor of the tree is held while the tree changes and while the contents of its leaves
 * are read. Finding a leaf and testing its filter need no lock: a leaf that has been replaced still
 * answers correctly for the ids that it contained.
 */
final class CompressedTree {
  private final PartitionSettings settings;
  private final PartitionPlan plan;
  private final HashScheme scheme;
  private final IdPartition partition;
  private final LeafSizes sizes;
  private final LeafDirectory<Leaf> directory;
  private volatile long keys;

  CompressedTree(PartitionSettings settings) {
    this(settings, new LeafSizes(settings, settings.plan().fpp()));
  }

  private CompressedTree(PartitionSettings settings, LeafSizes sizes) {
    this.settings = settings;
    this.plan = settings.plan();
    this.scheme = settings.idScheme();
    this.partition = settings.partition();
    this.sizes = sizes;
    this.directory = new LeafDirectory<>(plan.depth());
    clear();
  }

  IdPartition partition() {
    return partition;
  }

  LeafSizes sizes() {
    return sizes;
  }

  long keys() {
    return keys;
  }

  List<Leaf> leaves() {
    return directory.leaves();
  }

  synchronized void clear() {
    keys = 0;
    place(
        root(),
        settings.mode() == Mode.PUBLISHED
            ? new UnitFilters(partition, sizes.unit(), List.of())
            : new ExactIds(scheme, plan.unitKeys(), root(), new long[0]));
  }

  /**
   * Returns leaves for the current content, with filters of other settings and of at most this
   * rate. Only leaves that are single units may exceed the rate, because they cannot be split. The
   * caller must hold the monitor.
   */
  List<Leaf> leavesWithin(double fpp, PartitionSettings others) {
    LeafSizes smaller = new LeafSizes(others, fpp);
    List<Leaf> within = new ArrayList<>();
    for (Leaf leaf : leaves()) {
      smaller.collect(leaf.node, leaf.content, fpp, within);
    }
    return within;
  }

  LeafContent.Node root() {
    return LeafContent.Node.root(partition);
  }

  Leaf leafOf(long id) {
    return leafOfUnit(partition.leafIndex(id));
  }

  private Leaf leafOfUnit(long unit) {
    return Objects.requireNonNull(directory.find(unit));
  }

  /** Puts an id and returns whether the content of its leaf changed. */
  synchronized boolean put(long id) {
    Leaf leaf = leafOf(id);
    long hash = scheme.hash(id);
    long before = leaf.content.keys();
    if (!leaf.content.put(id, hash)) {
      return false;
    }
    keys += leaf.content.keys() - before;
    if (leaf.content.load() > plan.unitKeys() || !leaf.set(hash)) {
      place(leaf.node, leaf.content);
    }
    return true;
  }

  /** Removes an id, joins leaves that now fit into one, and returns whether the id was present. */
  synchronized boolean remove(long id) {
    Leaf leaf = leafOf(id);
    if (!leaf.content.remove(id)) {
      return false;
    }
    keys--;
    LeafContent.Node node = leaf.node;
    LeafContent content = leaf.content;
    while (node.level() > 0) {
      Leaf sibling = leafOfUnit(node.sibling().firstUnit());
      if (sibling.node.level() > node.level()
          || sibling.content.loadWith(content) > plan.unitKeys()) {
        break;
      }
      node = node.parent();
      content = content.union(sibling.content, node);
    }
    place(node, content);
    return true;
  }

  /** Creates the leaves for the content of the whole universe. */
  synchronized void fill(LeafContent all) {
    keys = all.keys();
    place(root(), all);
  }

  /**
   * Creates the leaf at a node, or the leaves below it if the content is too large for one leaf.
   */
  private void place(LeafContent.Node node, LeafContent content) {
    if (content.load() <= plan.unitKeys()) {
      directory.set(node, sizes.leaf(node, content));
      return;
    }
    for (int side = 0; side < 2; side++) {
      LeafContent.Node child = node.child(side);
      place(child, content.part(child));
    }
  }

  synchronized CompressedTree copy() {
    CompressedTree copy = new CompressedTree(settings, sizes);
    for (Leaf leaf : leaves()) {
      copy.directory.set(
          leaf.node,
          new Leaf(leaf.node, leaf.content.copy(), leaf.size, leaf.store.copy(), leaf.ones()));
    }
    copy.keys = keys;
    return copy;
  }

  /** An operation that merges two contents of one node. */
  @FunctionalInterface
  interface Merge {
    LeafContent apply(LeafContent mine, LeafContent theirs, LeafContent.Node node);
  }

  /** Merges copies of both trees, so that other threads wait only while the copies are made. */
  CompressedTree merge(CompressedTree other, Merge operation) {
    CompressedTree merged = new CompressedTree(settings, sizes);
    LeafContent whole = merged.merge(root(), copy(), null, other.copy(), null, operation);
    if (whole != null) {
      merged.place(root(), whole);
    }
    merged.keys = merged.leaves().stream().mapToLong(leaf -> leaf.content.keys()).sum();
    return merged;
  }

  /**
   * Merges the parts of two trees below a node. For a tree with a leaf above the node, the caller
   * passes the content of that leaf, restricted to the node; for other trees, it passes null. If
   * the merged content fits into one leaf, it is returned and the caller creates the leaf;
   * otherwise this method creates the leaves and returns null.
   */
  private @Nullable LeafContent merge(
      LeafContent.Node node,
      CompressedTree a,
      @Nullable LeafContent inA,
      CompressedTree b,
      @Nullable LeafContent inB,
      Merge operation) {
    LeafContent mine = inA == null ? a.contentAt(node) : inA;
    LeafContent theirs = inB == null ? b.contentAt(node) : inB;
    if (mine != null && theirs != null) {
      LeafContent merged = operation.apply(mine, theirs, node);
      if (merged.load() <= plan.unitKeys()) {
        return merged;
      }
      place(node, merged);
      return null;
    }
    LeafContent[] parts = new LeafContent[2];
    for (int side = 0; side < 2; side++) {
      LeafContent.Node child = node.child(side);
      parts[side] =
          merge(
              child,
              a,
              mine == null ? null : mine.part(child),
              b,
              theirs == null ? null : theirs.part(child),
              operation);
    }
    if (parts[0] != null && parts[1] != null && parts[0].loadWith(parts[1]) <= plan.unitKeys()) {
      return parts[0].union(parts[1], node);
    }
    for (int side = 0; side < 2; side++) {
      if (parts[side] != null) {
        place(node.child(side), parts[side]);
      }
    }
    return null;
  }

  /** Returns the content of the leaf at this node, or null if the node has been split. */
  private @Nullable LeafContent contentAt(LeafContent.Node node) {
    Leaf leaf = leafOfUnit(node.firstUnit());
    return leaf.node.level() == node.level() ? leaf.content : null;
  }

  /** A leaf of the compressed tree: a node, its content and its filter. */
  static final class Leaf {
    final LeafContent.Node node;
    final LeafContent content;
    final HeapBits store;

    /**
     * The size of the filter; null for an empty leaf, which has no filter (see erratum <a
     * href="{@docRoot}/doc-files/errata.html#D6">D6</a>).
     */
    final LeafSizes.@Nullable Size size;

    private long ones;

    private Leaf(
        LeafContent.Node node,
        LeafContent content,
        LeafSizes.@Nullable Size size,
        HeapBits store,
        long ones) {
      this.node = node;
      this.content = content;
      this.size = size;
      this.store = store;
      this.ones = ones;
    }

    boolean test(long hash) {
      return size != null && size.positions().test(store, hash);
    }

    /**
     * Sets the bits of a key that was added to the content. Returns false if the filter must be
     * rebuilt at a larger size.
     */
    boolean set(long hash) {
      if (size == null || content.load() > size.maxKeys()) {
        return false;
      }
      ones += size.set(store, hash);
      return ones <= size.maxOnes();
    }

    long ones() {
      return ones;
    }

    /** Returns the false positive rate of the filter, from its actual fill. */
    double fpp() {
      return size == null ? 0 : BloomRates.fppFromOnes(size.bits(), ones, size.hashes());
    }
  }

  /**
   * The sizes that a leaf's filter may have: the unit size and, if filters are folded to fit their
   * content, the smaller sizes of {@link LeafLadder}. Each size has a maximum number of keys and a
   * maximum number of one bits at which it still meets the target rate.
   */
  static final class LeafSizes {
    /** The placeholder for the filter of an empty leaf. */
    private static final HeapBits NO_BITS = HeapBits.aligned(1);

    private final LeafLadder ladder;
    private final List<Size> ascending = new ArrayList<>();

    /**
     * One size.
     *
     * @param bits the size
     * @param hashes the number of positions of an id
     * @param maxKeys the maximum number of keys at which the rate, averaged over hash functions,
     *     meets the target
     * @param maxOnes the maximum number of one bits at which this particular filter meets the
     *     target; unlimited for the unit size
     * @param positions the mapping from hashes to positions
     */
    record Size(long bits, int hashes, long maxKeys, long maxOnes, Positions positions) {
      HeapBits newStore() {
        return positions.newStore();
      }

      /** Sets the bits of a hash and returns how many of them were zero. Not thread-safe. */
      int set(HeapBits store, long hash) {
        int changed = 0;
        long value = positions.begin(hash);
        for (int probe = 0; probe < hashes; probe++) {
          value = positions.step(value, probe);
          changed += store.loadBit(positions.at(hash, value, probe)) ? 1 : 0;
        }
        return changed;
      }
    }

    /** Creates the sizes for units with these settings and leaves of at most this rate. */
    LeafSizes(PartitionSettings settings, double fpp) {
      PartitionPlan plan = settings.plan();
      int hashes = plan.hashes();
      long unit = settings.unitBits();
      ladder =
          settings.mode() == Mode.EXACT_LEAVES
              ? LeafLadder.of(unit, plan.unitKeys(), hashes, fpp)
              : LeafLadder.unit(unit, plan.unitKeys(), hashes, fpp, plan.fpp());
      for (LeafLadder.Size size : ladder.ascending()) {
        long bits = size.bits();
        long maxOnes = bits == unit ? unit : BloomRates.maxOnes(bits, hashes, fpp);
        ascending.add(
            new Size(bits, hashes, size.maxKeys(), maxOnes, Positions.classic(bits, hashes)));
      }
    }

    /** Returns the number of bytes of the smallest filter for this many keys. */
    long bytesFor(long keys) {
      return ladder.bitsFor(keys) / 8;
    }

    Size unit() {
      return ascending.get(ascending.size() - 1);
    }

    /**
     * Returns a leaf whose filter has the smallest size that does not exceed its maximum numbers of
     * keys and of one bits.
     */
    Leaf leaf(LeafContent.Node node, LeafContent content) {
      if (content.keys() == 0) {
        return new Leaf(node, content, null, NO_BITS, 0);
      }
      for (Size size : ascending) {
        if (size.maxKeys >= content.load() || size.equals(unit())) {
          HeapBits store = content.filter(size);
          long ones = store.ones();
          if (ones <= size.maxOnes) {
            return new Leaf(node, content, size, store, ones);
          }
        }
      }
      throw new IllegalStateException(
          "a leaf has " + content.load() + " keys, more than " + unit() + " can hold");
    }

    /**
     * Adds the leaves for a content: a single leaf if the content fits into one, otherwise the
     * leaves of both halves of the node.
     */
    void collect(LeafContent.Node node, LeafContent content, double fpp, List<Leaf> into) {
      boolean isUnit = node.height() == 0;
      if (isUnit || content.load() <= unit().maxKeys) {
        Leaf leaf = leaf(node, content);
        if (isUnit || leaf.fpp() <= fpp) {
          into.add(leaf);
          return;
        }
      }
      for (int side = 0; side < 2; side++) {
        LeafContent.Node child = node.child(side);
        collect(child, content.part(child), fpp, into);
      }
    }
  }
}
