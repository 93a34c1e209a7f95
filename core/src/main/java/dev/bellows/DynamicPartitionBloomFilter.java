package dev.bellows;

import dev.bellows.io.FilterHeader;
import dev.bellows.io.FilterKind;
import dev.bellows.io.FilterReader;
import dev.bellows.io.FilterWriter;
import dev.bellows.io.ReadLimits;
import dev.bellows.plan.IdPartition;
import dev.bellows.plan.PartitionPlan;
import dev.bellows.plan.PartitionTree;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A filter over the ids {@code [0, universe)} whose rate stays below its bound at every size, for
 * one thread at a time; its {@link #view} is safe from any thread (002).
 *
 * <p>The ids are cut into units by a binary tree. A node of that tree whose part of the set fits
 * into one unit filter, while its parent's does not, is a leaf with a filter; a query asks the one
 * leaf its id belongs to. Inserting splits leaves and removing joins them, so that no leaf ever
 * holds more keys than its filter takes at the asked rate. Beside the tree stands what it was built
 * from: unit filters or the ids themselves ({@link PartitionMode}).
 */
public final class DynamicPartitionBloomFilter implements Filter {
  private final PartitionPlan plan;
  private final PartitionMode mode;
  private final HashScheme scheme;
  private final IdPartition partition;
  private final LeafSizes sizes;
  private final LeafDirectory<PartitionLeaf> directory;
  private long keys;

  private DynamicPartitionBloomFilter(PartitionPlan plan, PartitionMode mode, HashScheme scheme) {
    this(plan, mode, scheme, new LeafSizes(plan, mode));
  }

  private DynamicPartitionBloomFilter(
      PartitionPlan plan, PartitionMode mode, HashScheme scheme, LeafSizes sizes) {
    this.plan = plan;
    this.mode = mode;
    this.scheme = scheme;
    this.partition = plan.partition();
    this.sizes = sizes;
    this.directory = new LeafDirectory<>(plan.depth());
    place(root(), emptyContent());
  }

  /** An empty filter over a universe cut into 2^depth units, in the default mode. */
  public static DynamicPartitionBloomFilter create(long universe, int depth, double fpp) {
    return builder().universe(universe).depth(depth).fpp(fpp).build();
  }

  /** A builder for everything else. */
  public static PartitionBuilder builder() {
    return new PartitionBuilder();
  }

  static DynamicPartitionBloomFilter of(PartitionPlan plan, PartitionMode mode, HashScheme scheme) {
    return new DynamicPartitionBloomFilter(plan, mode, scheme);
  }

  private LeafContent.Node root() {
    return LeafContent.Node.root(partition);
  }

  private LeafContent emptyContent() {
    return mode == PartitionMode.PUBLISHED
        ? UnitFilters.empty(partition, sizes.unit())
        : ExactIds.of(scheme, plan.unitKeys(), root(), new long[0]);
  }

  /** Sizes and bounds. */
  public PartitionPlan plan() {
    return plan;
  }

  /** What is kept beside the tree. */
  public PartitionMode mode() {
    return mode;
  }

  /** How ids, and keys of other types, become hashes. */
  public HashScheme hashScheme() {
    return scheme;
  }

  /** The id of a key of any type: its hash, scaled to the universe. */
  public <T> long idOf(T key, KeyHasher<? super T> hasher) {
    return partition.idOfHash(hasher.hash(key, scheme));
  }

  /** Puts an id; true iff it was new (EXACT_LEAVES) or changed a bit of its unit (PUBLISHED). */
  public boolean put(long id) {
    PartitionLeaf leaf = leafOf(partition.leafIndex(id));
    long hash = scheme.hash(id);
    long before = leaf.content.keys();
    if (!leaf.content.put(id, hash)) {
      return false;
    }
    keys += leaf.content.keys() - before;
    if (leaf.content.keys() > plan.unitKeys()) {
      split(leaf.node, leaf.content);
    } else if (!leaf.set(hash)) {
      place(leaf.node, leaf.content);
    }
    return true;
  }

  /** Puts the id of a key of any type. */
  public <T> boolean put(T key, KeyHasher<? super T> hasher) {
    return put(idOf(key, hasher));
  }

  /** Puts all ids and returns how many of them changed the filter. */
  public int putAll(long[] ids) {
    int changed = 0;
    for (long id : ids) {
      changed += put(id) ? 1 : 0;
    }
    return changed;
  }

  /** Whether the id may be in the set; an id outside the universe is not. */
  public boolean mightContain(long id) {
    return id >= 0
        && Long.compareUnsigned(id, plan.universe()) < 0
        && leafOf(partition.leafIndex(id)).test(scheme.hash(id));
  }

  /** Whether the id of a key of any type may be in the set. */
  public <T> boolean mightContain(T key, KeyHasher<? super T> hasher) {
    return mightContain(idOf(key, hasher));
  }

  /**
   * Takes an id back; true iff it was there. Only in mode EXACT_LEAVES: unit filters cannot forget.
   */
  public boolean remove(long id) {
    PartitionLeaf leaf = leafOf(partition.leafIndex(id));
    if (!leaf.content.remove(id)) {
      return false;
    }
    keys--;
    LeafContent.Node node = leaf.node;
    LeafContent content = leaf.content;
    while (node.level() > 0) {
      PartitionLeaf sibling = leafOf(node.sibling().firstUnit());
      if (sibling.node.level() > node.level()
          || sibling.content.keys() + content.keys() > plan.unitKeys()) {
        break;
      }
      node = node.parent();
      content = content.union(sibling.content, node);
    }
    place(node, content);
    return true;
  }

  /** Takes the id of a key of any type back. */
  public <T> boolean remove(T key, KeyHasher<? super T> hasher) {
    return remove(idOf(key, hasher));
  }

  private PartitionLeaf leafOf(long unit) {
    return Objects.requireNonNull(directory.find(unit));
  }

  private void place(LeafContent.Node node, LeafContent content) {
    directory.set(node, sizes.leaf(node, content));
  }

  /** Places the leaves below a node that holds too much for one. */
  private void split(LeafContent.Node node, LeafContent content) {
    for (int side = 0; side < 2; side++) {
      LeafContent.Node child = node.child(side);
      LeafContent part = content.part(child);
      if (part.keys() > plan.unitKeys()) {
        split(child, part);
      } else {
        place(child, part);
      }
    }
  }

  /** The number of keys: exact in mode EXACT_LEAVES, else a bound as of errata D8. */
  public long keys() {
    return keys;
  }

  /** The number of units that hold something: s in the document (002 Eq 2). */
  public long populatedUnits() {
    return leaves().stream().mapToLong(leaf -> leaf.content.populatedUnits(partition)).sum();
  }

  List<PartitionLeaf> leaves() {
    return directory.leaves();
  }

  /** The shape of the compressed tree, with the keys of each leaf. */
  public PartitionTree tree() {
    List<PartitionTree.Node> shape = new ArrayList<>();
    List<PartitionTree.Node> inner = new ArrayList<>();
    collect(root(), shape, inner);
    return new PartitionTree(shape, inner);
  }

  private long collect(
      LeafContent.Node node, List<PartitionTree.Node> shape, List<PartitionTree.Node> inner) {
    PartitionLeaf leaf = leafOf(node.firstUnit());
    if (leaf.node.level() == node.level()) {
      shape.add(new PartitionTree.Node(node.level(), node.index(), leaf.content.keys()));
      return leaf.content.keys();
    }
    int place = inner.size();
    inner.add(new PartitionTree.Node(node.level(), node.index(), 0));
    long sum = collect(node.child(0), shape, inner) + collect(node.child(1), shape, inner);
    inner.set(place, new PartitionTree.Node(node.level(), node.index(), sum));
    return sum;
  }

  /** The tree alone, as it is now: answers the same queries, small, immutable. */
  public PartitionView view() {
    return PartitionView.of(plan, mode, scheme, leaves());
  }

  /** The rate that no query exceeds in the mean over hash functions: that of the fullest leaf. */
  public double expectedFpp() {
    return leaves().stream().mapToDouble(PartitionLeaf::fpp).max().orElse(0);
  }

  /** Why the other filter cannot be merged with this one; empty if it can. */
  public Optional<String> incompatibility(DynamicPartitionBloomFilter other) {
    return incompatibility(
        List.of(scheme, mode, plan), List.of(other.scheme, other.mode, other.plan));
  }

  static Optional<String> incompatibility(List<Object> here, List<Object> there) {
    for (int i = 0; i < here.size(); i++) {
      if (!here.get(i).equals(there.get(i))) {
        return Optional.of(here.get(i) + " here and " + there.get(i) + " there");
      }
    }
    return Optional.empty();
  }

  /**
   * A filter of the ids of both. Exact in mode EXACT_LEAVES; in mode PUBLISHED unit filters are
   * OR-ed and counts are bounds, which at worst makes the tree finer than necessary (errata D8).
   */
  public DynamicPartitionBloomFilter union(DynamicPartitionBloomFilter other) {
    return merge(other, LeafContent::union);
  }

  /**
   * A filter of the ids in both. Exact in mode EXACT_LEAVES; in mode PUBLISHED unit filters are
   * AND-ed, so that an id of one side alone passes at the other side's rate (errata D9).
   */
  public DynamicPartitionBloomFilter intersection(DynamicPartitionBloomFilter other) {
    return merge(other, LeafContent::intersection);
  }

  /** How two contents of one node become one. */
  private interface Merge {
    LeafContent apply(LeafContent mine, LeafContent theirs, LeafContent.Node node);
  }

  private DynamicPartitionBloomFilter merge(DynamicPartitionBloomFilter other, Merge operation) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("filters cannot be merged: " + reason);
            });
    DynamicPartitionBloomFilter merged = new DynamicPartitionBloomFilter(plan, mode, scheme, sizes);
    LeafContent whole = merged.merge(root(), this, null, other, null, operation);
    if (whole != null) {
      merged.place(root(), whole);
    }
    merged.keys = merged.leaves().stream().mapToLong(leaf -> leaf.content.keys()).sum();
    return merged;
  }

  /**
   * Merges what two filters have below a node. A side that has a leaf there, or above, brings its
   * content; a side that has smaller leaves brings null. Returns the merged content if it fits into
   * one leaf, which the caller places; else places the leaves itself and returns null.
   */
  private @Nullable LeafContent merge(
      LeafContent.Node node,
      DynamicPartitionBloomFilter a,
      @Nullable LeafContent inA,
      DynamicPartitionBloomFilter b,
      @Nullable LeafContent inB,
      Merge operation) {
    LeafContent mine = inA == null ? a.contentAt(node) : inA;
    LeafContent theirs = inB == null ? b.contentAt(node) : inB;
    if (mine != null && theirs != null) {
      LeafContent merged = operation.apply(mine, theirs, node);
      if (merged.keys() <= plan.unitKeys()) {
        return merged;
      }
      split(node, merged);
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
    if (parts[0] != null
        && parts[1] != null
        && parts[0].keys() + parts[1].keys() <= plan.unitKeys()) {
      return parts[0].union(parts[1], node);
    }
    for (int side = 0; side < 2; side++) {
      if (parts[side] != null) {
        place(node.child(side), parts[side]);
      }
    }
    return null;
  }

  /** The content of the leaf at this node, or null where the node has been split. */
  private @Nullable LeafContent contentAt(LeafContent.Node node) {
    PartitionLeaf leaf = leafOf(node.firstUnit());
    return leaf.node.level() == node.level() ? leaf.content : null;
  }

  /** An independent filter with the same content. */
  public DynamicPartitionBloomFilter copy() {
    DynamicPartitionBloomFilter copy = new DynamicPartitionBloomFilter(plan, mode, scheme, sizes);
    for (PartitionLeaf leaf : leaves()) {
      copy.directory.set(
          leaf.node,
          new PartitionLeaf(
              leaf.node, leaf.content.copy(), leaf.size, leaf.words.clone(), leaf.ones()));
    }
    copy.keys = keys;
    return copy;
  }

  /** All ids, ascending; only in mode EXACT_LEAVES. */
  public long[] ids() {
    if (mode != PartitionMode.EXACT_LEAVES) {
      throw new UnsupportedOperationException(
          "unit filters do not know their ids: use mode EXACT_LEAVES");
    }
    return leaves().stream()
        .flatMapToLong(l -> Arrays.stream(((ExactIds) l.content).ids()))
        .toArray();
  }

  @Override
  public FilterStats stats() {
    return view().stats(FilterKind.PARTITION, keys, header(body()).fileBytes());
  }

  @Override
  public String explain() {
    return GrowthExplanation.of(this);
  }

  private byte[] body() {
    return mode == PartitionMode.PUBLISHED
        ? PartitionCodec.units(leaves())
        : PartitionCodec.ids(ids());
  }

  private FilterHeader header(byte[] body) {
    return PartitionCodec.header(
        FilterKind.PARTITION, plan, mode, scheme, List.of(), List.of((long) body.length));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    byte[] body = body();
    FilterWriter writer = FilterWriter.begin(out, header(body));
    writer.bytes(body);
    writer.end();
  }

  /** Reads a filter, to the end of the stream. */
  public static DynamicPartitionBloomFilter readFrom(InputStream in, ReadLimits limits)
      throws IOException {
    return read(FilterReader.open(in, limits).expect(FilterKind.PARTITION), null);
  }

  /** Reads a filter from the bytes of {@link #toBytes}. */
  public static DynamicPartitionBloomFilter fromBytes(byte[] bytes) throws IOException {
    return readFrom(new ByteArrayInputStream(bytes), ReadLimits.NONE);
  }

  static DynamicPartitionBloomFilter read(FilterReader reader, @Nullable HashScheme given)
      throws IOException {
    PartitionCodec.Parameters read = PartitionCodec.parameters(reader, given, 0, 1);
    byte[] body = reader.bytes();
    reader.end();
    try {
      return reader.checked(
          1,
          () -> {
            DynamicPartitionBloomFilter filter =
                new DynamicPartitionBloomFilter(read.plan(), read.mode(), read.scheme());
            LeafContent all =
                read.mode() == PartitionMode.PUBLISHED
                    ? PartitionCodec.units(body, read.plan(), filter.sizes.unit())
                    : ExactIds.of(
                        read.scheme(),
                        read.plan().unitKeys(),
                        filter.root(),
                        PartitionCodec.ids(body, read.plan()));
            filter.keys = all.keys();
            if (all.keys() > read.plan().unitKeys()) {
              filter.split(filter.root(), all);
            } else {
              filter.place(filter.root(), all);
            }
            return filter;
          });
    } catch (IllegalStateException sealed) {
      // the tree is rebuilt by hashing every id, which takes the key of a keyed scheme
      throw reader.header().schemeError(sealed.getMessage());
    }
  }

  /** Whether the other has the same plan, mode and hashing, and the same content. */
  @Override
  public boolean equals(Object other) {
    return other instanceof DynamicPartitionBloomFilter filter
        && incompatibility(filter).isEmpty()
        && keys == filter.keys
        && Arrays.equals(body(), filter.body());
  }

  @Override
  public int hashCode() {
    return 31 * plan.hashCode() + Arrays.hashCode(body());
  }

  @Override
  public String toString() {
    return "DynamicPartitionBloomFilter[%s, %s, %d keys]".formatted(plan, mode, keys);
  }
}
