package dev.bellows.partition;

import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.Layout;
import dev.bellows.Mergeable;
import dev.bellows.StoredFilter;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.PackedLongs;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.partition.IdPartition;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * An immutable, thread-safe copy of the tree of a {@link DynamicPartitionBloomFilter}, without the
 * ids: small enough to be sent to other processes, which query it.
 *
 * <p>Views can be merged without the ids. In a union, leaves whose filters have the same size are
 * combined if the result meets the target rate. Otherwise, queries test one tree after the other,
 * because the OR of two filters that are both as full as their rate allows would have hundreds of
 * times as many false positives. In an intersection, queries test the filters of both sides where
 * their leaves overlap. {@link #expectedFpp} is the rate of the result.
 *
 * <p>A union of views over a dense part of the universe becomes smaller, and faster to query, with
 * {@link #compact}.
 */
public final class PartitionView extends StoredFilter
    implements Mergeable.Intersectable<PartitionView> {
  private static final long serialVersionUID = 1L;

  /** The format of views with bitmaps ({@link #compact}). */
  public static final FilterFormat<PartitionView> COMPACT_FORMAT =
      FilterFormat.of(FilterKind.PARTITION_COMPACT, PartitionView.class, PartitionView::read);

  /**
   * The format of views, with or without bitmaps, which reads them from streams, files and byte
   * arrays.
   */
  public static final FilterFormat<PartitionView> FORMAT =
      FilterFormat.of(FilterKind.PARTITION_VIEW, PartitionView.class, PartitionView::read)
          .alsoReading(COMPACT_FORMAT);

  private final PartitionSettings settings;
  private final PartitionPlan plan;
  private final HashScheme idScheme;
  private final IdPartition partition;
  private final List<ViewTree> trees;
  private final boolean hasBitmaps;

  private PartitionView(PartitionSettings settings, List<ViewTree> trees) {
    this.settings = settings;
    this.plan = settings.plan();
    this.idScheme = settings.idScheme();
    this.partition = settings.partition();
    this.trees = List.copyOf(trees);
    this.hasBitmaps = trees.stream().anyMatch(tree -> ViewTree.hasBitmaps(tree.leaves()));
  }

  static PartitionView of(PartitionSettings settings, List<CompressedTree.Leaf> leaves) {
    return new PartitionView(settings, List.of(ViewTree.of(settings.plan(), leaves)));
  }

  /**
   * Returns {@link FilterKind#PARTITION_COMPACT} for a view with bitmaps, otherwise {@link
   * FilterKind#PARTITION_VIEW}.
   */
  @Override
  public FilterKind kind() {
    return hasBitmaps ? FilterKind.PARTITION_COMPACT : FilterKind.PARTITION_VIEW;
  }

  /** Returns the sizes and bounds of the filter from which this view was made. */
  public PartitionPlan plan() {
    return plan;
  }

  /**
   * Returns the mode of the filter from which this view was made, which determines the sizes of the
   * leaves.
   */
  public Mode mode() {
    return settings.mode();
  }

  @Override
  public HashScheme hashScheme() {
    return settings.scheme();
  }

  /** Returns whether the id may be in the set; false for an id outside the universe. */
  public boolean mightContainId(long id) {
    settings.requireIds();
    return test(id);
  }

  /**
   * Returns whether the id of the key with this hash, scaled to the universe, may be in the set.
   */
  public boolean mightContainHash(long hash) {
    return test(partition.idOfHash(hash));
  }

  /** Returns whether the id of a key of any type may be in the set. */
  public <T> boolean mightContain(T key, KeyHasher<? super T> hasher) {
    return mightContainHash(settings.hash(key, hasher));
  }

  private boolean test(long id) {
    if (!partition.contains(id)) {
      return false;
    }
    long unit = partition.leafIndex(id);
    long hash = idScheme.hash(id);
    for (int i = 0; i < trees.size(); i++) {
      if (trees.get(i).test(unit, id, hash)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of leaves that have a filter, in all trees. */
  public long leaves() {
    return trees.stream().mapToLong(tree -> tree.leaves().size()).sum();
  }

  /** Returns the number of ids; for a union or intersection, an upper bound. */
  public long approximateElementCount() {
    return trees.stream().mapToLong(ViewTree::keys).sum();
  }

  /** Returns the rate of the plan. */
  @Override
  public double targetFpp() {
    return plan().fpp();
  }

  /**
   * Returns an upper bound on the false positive rate, from the actual fill: the rate of the
   * fullest leaf or, in a union, the highest sum of rates over the leaves that one id tests. An id
   * that is in only one side of an intersection counts as absent.
   */
  @Override
  public double expectedFpp() {
    return Math.min(1, ViewTree.worstFpp(trees));
  }

  /**
   * Returns the false positive rate averaged over all ids that are not in the set, from the actual
   * fill (see erratum <a href="{@docRoot}/doc-files/errata.html#D11">D11</a>). For all ids of a
   * bitmap, the highest rate of any of them is used.
   */
  public double averageFpp() {
    return Math.min(1, trees.stream().mapToDouble(ViewTree::averageFpp).sum());
  }

  @Override
  public Optional<String> incompatibility(PartitionView other) {
    return settings.incompatibility(other.settings);
  }

  /** Returns this view, which is immutable. */
  @Override
  public PartitionView copy() {
    return this;
  }

  /**
   * Returns a view that contains the ids of both views. It must accept every id that one of them
   * accepts, so the rate of an id is at most the sum of its rates in both views, or half the fpp of
   * the plan if that is higher: leaves are merged only if the fill of the merged filter stays
   * within that half. Unions of views that were created for unions ({@link
   * DynamicPartitionBloomFilter#view(double)}) stay within the fpp of the plan.
   *
   * @param maxFpp the maximum false positive rate of the result; if it is exceeded, the method
   *     throws
   */
  @Override
  public PartitionView union(PartitionView other, double maxFpp) {
    PartitionSettings both = settings.mergedWith(other.settings);
    List<ViewTree> union = ViewTree.Union.of(both, trees, other.trees);
    return useful(both, hasBitmaps || other.hasBitmaps ? compacted(both, union) : union, maxFpp);
  }

  /**
   * Returns a view that accepts the same ids in less space and at the same rate. Where the filters
   * of a node, in all trees together, have at least one bit per id of the node's range, they are
   * replaced with a bitmap of the ids that they accept: all ids of the range are tested once, so
   * the sizes of the filters do not matter, and queries of the result read a single bit. Later
   * unions and intersections of the result are compact too.
   *
   * <p>Returns this view if no part of it is dense enough, or if its ids are hashed with a secret
   * key, because a bitmap would disclose them.
   */
  public PartitionView compact() {
    List<ViewTree> compact = compacted(settings, trees);
    return compact.equals(trees) ? this : nonEmpty(settings, compact);
  }

  private static List<ViewTree> compacted(PartitionSettings settings, List<ViewTree> trees) {
    return settings.scheme().isKeyed() ? trees : ViewTree.Compaction.of(settings, trees);
  }

  /** Returns the view of the non-empty trees, or of one empty tree. */
  private static PartitionView nonEmpty(PartitionSettings settings, List<ViewTree> candidates) {
    List<ViewTree> holding = candidates.stream().filter(tree -> !tree.leaves().isEmpty()).toList();
    return new PartitionView(settings, holding.isEmpty() ? candidates.subList(0, 1) : holding);
  }

  /** Returns the view of the non-empty trees if its rate is at most {@code maxFpp}. */
  private static PartitionView useful(
      PartitionSettings settings, List<ViewTree> candidates, double maxFpp) {
    PartitionView view = nonEmpty(settings, candidates);
    Merging.requireUseful(
        view.expectedFpp(),
        maxFpp,
        "create both with view(fpp), or merge the full filters instead");
    return view;
  }

  /**
   * Returns a view that contains the ids that are in both views. An id that is in only one of them
   * passes at the rate of the other (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#D9">D9</a>).
   *
   * @param maxFpp the maximum false positive rate of the result; if it is exceeded, the method
   *     throws
   */
  @Override
  public PartitionView intersection(PartitionView other, double maxFpp) {
    PartitionSettings both = settings.mergedWith(other.settings);
    List<ViewTree> pairs = new ArrayList<>();
    for (ViewTree mine : trees) {
      for (ViewTree theirs : other.trees) {
        pairs.add(mine.intersection(theirs));
      }
    }
    return useful(both, hasBitmaps || other.hasBitmaps ? compacted(both, pairs) : pairs, maxFpp);
  }

  @Override
  public FilterStats stats() {
    return stats(kind(), approximateElementCount());
  }

  /** Returns the statistics of the trees, for the view or for the filter to which they belong. */
  FilterStats stats(FilterKind kind, long keys) {
    return new FilterStats(
            kind,
            new Layout.Classic(plan.hashes()),
            bits(),
            plan.hashes(),
            settings.scheme(),
            trees.stream().mapToLong(ViewTree::ones).sum(),
            (double) keys,
            expectedFpp())
        .growing(plan.fpp(), new FilterStats.Parts("leaves", leaves()));
  }

  @Override
  public long sizeInBytes() {
    return header(table()).fileBytes();
  }

  @Override
  public boolean isEmpty() {
    return trees.stream().allMatch(tree -> tree.ones() == 0);
  }

  /** Returns the number of bits of all leaves. */
  public long bits() {
    return trees.stream().mapToLong(ViewTree::bits).sum();
  }

  @Override
  public String explain() {
    return "The tree of a dynamic partition Bloom filter.\n\n"
        + describe(approximateElementCount(), "at most ")
        + Prose.format("  file               %s\n", Prose.bytes(sizeInBytes()))
        + comparison(approximateElementCount());
  }

  /**
   * Returns the part of {@code explain()} that a view shares with its filter.
   *
   * @param bound the text before the number of keys; empty if the number is exact
   */
  String describe(long keys, String bound) {
    return Prose.format(
        """
          universe           %s ids, depth %d: %,d units of at most %,d keys
          keys               %s%,d
          leaves             %,d with a filter
          size               %,d bits in them, %s per key
          hashes             %d per key
          hash scheme        %s
          false positives    %s of the absent ids on average, never more than %s
        """,
        Long.toUnsignedString(plan.universe()),
        plan.depth(),
        plan.leaves(),
        plan.unitKeys(),
        bound,
        keys,
        leaves(),
        bits(),
        keys == 0 ? "none" : Prose.format("%.2f", bits() / (double) keys),
        plan.hashes(),
        hashScheme(),
        Prose.rate(averageFpp()),
        Prose.rate(expectedFpp()));
  }

  /**
   * Returns a comparison of the tree with simpler structures that may suffice (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#D13">D13</a>).
   */
  String comparison(long keys) {
    if (keys == 0) {
      return "";
    }
    double plain = BloomRates.bitsPerKey(BloomRates.hashesFor(plan.fpp()), plan.fpp());
    return Prose.format(
        """

          For comparison: one plain filter, sized for these keys, takes %.2f bits per key; a bitmap
          of the whole universe takes %.2f and is exact.
        """,
        plain, IdPartition.real(plan.universe()) / keys);
  }

  private byte[] table() {
    PackedLongs.Writer out = new PackedLongs.Writer();
    out.put(trees.size());
    trees.forEach(tree -> tree.writeTable(out));
    return out.toBytes();
  }

  private List<BitStore> stores() {
    return trees.stream().flatMap(tree -> tree.stores().stream()).toList();
  }

  private FilterHeader header(byte[] table) {
    return settings.header(
        kind(), List.of((long) table.length, FilterWriter.sectionBytes(stores())));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    byte[] table = table();
    FilterWriter.begin(out, header(table)).bytes(table).bits(stores()).end();
  }

  /** Reads a view of at most 1 GiB ({@link ReadOptions#DEFAULT}) from a file. */
  public static PartitionView readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a view from the bytes that {@link #toBytes} returned. */
  public static PartitionView fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static PartitionView read(FilterReader reader) throws IOException {
    PartitionSettings read = PartitionFormat.settings(reader, 2);
    byte[] table = reader.bytes();
    boolean hasBitmaps = reader.header().kind() == FilterKind.PARTITION_COMPACT;
    long mostIds = hasBitmaps ? mostBits(reader.header().sectionBytes().get(1)) : 0;
    List<List<ViewTree.Leaf>> tables =
        reader.checked(1, () -> tables(table, read, hasBitmaps, mostIds));
    long objects = tables.stream().mapToLong(ViewTree::objectBytes).sum();
    reader.requireWithinLimit(1, objects + reader.header().sectionBytes().get(1));
    List<Long> sizes = tables.stream().flatMap(ViewTree::parts).map(ViewTree.Part::bits).toList();
    Iterator<HeapBits> stores = reader.bits(sizes).iterator();
    List<ViewTree> trees = new ArrayList<>();
    for (List<ViewTree.Leaf> leaves : tables) {
      trees.add(new ViewTree(read.plan(), leaves.stream().map(leaf -> leaf.with(stores)).toList()));
    }
    return new PartitionView(read, trees);
  }

  private static long mostBits(long bytes) {
    return Byte.SIZE * Math.min(bytes, Long.MAX_VALUE / Byte.SIZE);
  }

  private static List<List<ViewTree.Leaf>> tables(
      byte[] table, PartitionSettings read, boolean hasBitmaps, long mostIds) {
    PackedLongs.Reader in = new PackedLongs.Reader(table);
    List<List<ViewTree.Leaf>> tables = new ArrayList<>();
    for (int left = Checks.positive(in.count(), "number of trees"); left > 0; left--) {
      tables.add(ViewTree.readTable(in, read.plan(), read.unitBits(), mostIds));
    }
    in.end();
    if (hasBitmaps && tables.stream().noneMatch(ViewTree::hasBitmaps)) {
      throw new IllegalArgumentException("a compact view without a bitmap");
    }
    return tables;
  }

  /** Returns whether the other object is a view with the same plan, hash scheme and filters. */
  @Override
  public boolean equals(Object other) {
    return other instanceof PartitionView view
        && settings.isLike(view.settings)
        && trees.equals(view.trees);
  }

  @Override
  public int hashCode() {
    return Objects.hash(plan, trees);
  }

  @Override
  public String toString() {
    return "PartitionView[%s, %d leaves, %d keys]"
        .formatted(plan, leaves(), approximateElementCount());
  }
}
