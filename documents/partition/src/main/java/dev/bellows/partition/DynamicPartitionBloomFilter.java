package dev.bellows.partition;

import dev.bellows.FilterBuilder;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.Mergeable;
import dev.bellows.StoredFilter;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A filter for the ids {@code [0, universe)} whose false positive rate stays below a bound at every
 * size of the set (Partition paper).
 *
 * <p>A binary tree divides the ids into units. A node of that tree is a leaf, and has a filter, if
 * its keys fit into one unit filter while those of its parent do not; a query tests only the leaf
 * to which its id belongs. Puts split leaves and removals join them, so no leaf ever contains more
 * keys than its filter can hold at the target rate. In addition to the tree, the filter keeps the
 * data from which the tree was built: unit filters or the ids themselves ({@link Mode}).
 *
 * <p>All methods are thread-safe. Queries take no lock, changes are serialized, and views, copies,
 * merges and files are consistent snapshots.
 *
 * <p>Ids have their own methods, such as {@code putId}; keys of any other type become ids through
 * their hash ({@link #idOf}). A filter whose key type is IDS refuses other keys, and one with
 * another known key type refuses ids.
 */
public final class DynamicPartitionBloomFilter extends StoredFilter
    implements Mergeable.Intersectable<DynamicPartitionBloomFilter> {
  private static final long serialVersionUID = 1L;

  /** The format of this kind, which reads its filters from streams, files and byte arrays. */
  public static final FilterFormat<DynamicPartitionBloomFilter> FORMAT =
      FilterFormat.of(
          FilterKind.PARTITION,
          DynamicPartitionBloomFilter.class,
          DynamicPartitionBloomFilter::read);

  private final PartitionSettings settings;
  private final HashScheme idScheme;
  private final CompressedTree tree;

  private DynamicPartitionBloomFilter(PartitionSettings settings, CompressedTree tree) {
    this.settings = settings;
    this.idScheme = settings.idScheme();
    this.tree = tree;
  }

  /** Returns the rate of the plan. */
  @Override
  public double targetFpp() {
    return plan().fpp();
  }

  /**
   * Returns an empty filter over a universe that is divided into 2^depth units, in the default
   * mode.
   */
  public static DynamicPartitionBloomFilter create(long universe, int depth, double fpp) {
    return builder().universe(universe).depth(depth).fpp(fpp).build();
  }

  /** Returns a builder for all other settings. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public FilterKind kind() {
    return FilterKind.PARTITION;
  }

  /** Returns the sizes and bounds of this filter. */
  public PartitionPlan plan() {
    return settings.plan();
  }

  /** Returns the mode, which determines the data that this filter keeps in addition to its tree. */
  public Mode mode() {
    return settings.mode();
  }

  @Override
  public HashScheme hashScheme() {
    return settings.scheme();
  }

  /** Returns the id of a key of any type: its hash, scaled to the universe. */
  public <T> long idOf(T key, KeyHasher<? super T> hasher) {
    return idOfHash(settings.hash(key, hasher));
  }

  private long idOfHash(long hash) {
    return tree.partition().idOfHash(hash);
  }

  /**
   * Puts an id. Returns whether it was new (EXACT_LEAVES) or changed a bit of its unit (PUBLISHED).
   */
  public boolean putId(long id) {
    settings.requireIds();
    return tree.put(id);
  }

  /** Puts the id of the key with this hash: the hash, scaled to the universe. */
  public boolean putHash(long hash) {
    return tree.put(idOfHash(hash));
  }

  /** Puts the id of a key of any type. */
  public <T> boolean put(T key, KeyHasher<? super T> hasher) {
    return tree.put(idOf(key, hasher));
  }

  /** Puts all ids and returns how many of them changed the filter. */
  public int putIds(long[] ids) {
    int changed = 0;
    for (long id : ids) {
      changed += putId(id) ? 1 : 0;
    }
    return changed;
  }

  /**
   * Returns whether the id may be in the set. Only the tree is used, so the answer is the same as
   * that of a {@link #view}. An id outside the universe is never in the set.
   */
  public boolean mightContainId(long id) {
    settings.requireIds();
    return test(id);
  }

  /** Returns whether the id of the key with this hash may be in the set. */
  public boolean mightContainHash(long hash) {
    return test(idOfHash(hash));
  }

  /** Returns whether the id of a key of any type may be in the set. */
  public <T> boolean mightContain(T key, KeyHasher<? super T> hasher) {
    return test(idOf(key, hasher));
  }

  private boolean test(long id) {
    return tree.partition().contains(id) && tree.leafOf(id).test(idScheme.hash(id));
  }

  /**
   * Returns whether the id is in the set. The answer is exact, which only mode EXACT_LEAVES
   * supports. This method waits while another thread puts or removes an id of the same leaf.
   */
  public boolean containsId(long id) {
    requireExact();
    settings.requireIds();
    return tree.partition().contains(id) && ((ExactIds) tree.leafOf(id).content).contains(id);
  }

  /**
   * Removes an id and returns whether it was present. Only mode EXACT_LEAVES supports this, because
   * unit filters cannot remove ids.
   */
  public boolean removeId(long id) {
    requireExact();
    settings.requireIds();
    return tree.remove(id);
  }

  /** Removes the id of the key with this hash. */
  public boolean removeHash(long hash) {
    requireExact();
    return tree.remove(idOfHash(hash));
  }

  /** Removes the id of a key of any type. */
  public <T> boolean remove(T key, KeyHasher<? super T> hasher) {
    requireExact();
    return tree.remove(idOf(key, hasher));
  }

  private void requireExact() {
    if (mode() != Mode.EXACT_LEAVES) {
      throw new UnsupportedOperationException(
          "mode PUBLISHED keeps unit filters, not ids: use mode EXACT_LEAVES");
    }
  }

  /**
   * Returns the number of ids: exact in mode EXACT_LEAVES, otherwise an upper bound (see erratum <a
   * href="{@docRoot}/doc-files/errata.html#D8">D8</a>).
   */
  public long approximateElementCount() {
    return tree.keys();
  }

  /** Returns the leaves of the compressed tree, from left to right, empty ones included. */
  List<CompressedTree.Leaf> leaves() {
    return tree.leaves();
  }

  /** Returns the number of inner nodes of the compressed tree, each of which has two children. */
  public long innerNodes() {
    synchronized (tree) {
      return leaves().size() - 1L;
    }
  }

  /** Returns the number of units that are not empty (s in Partition paper, Eq. 2). */
  public long populatedUnits() {
    synchronized (tree) {
      return leaves().stream()
          .mapToLong(leaf -> leaf.content.populatedUnits(tree.partition()))
          .sum();
    }
  }

  /** Returns a small, immutable copy of the current tree, which answers the same queries. */
  public PartitionView view() {
    synchronized (tree) {
      return PartitionView.of(settings, leaves());
    }
  }

  /**
   * Returns a view that is meant to be merged with others: each of its leaves has at most this
   * rate, which is below that of the plan. A union must accept every id that one of its inputs
   * accepts, so the rates of views add up. N unions stay within the fpp of the plan if each view
   * was created with {@link PartitionPlan#viewFpp}; all of them must be created with the same rate.
   *
   * <p>Such a view is larger. The number of bits per key grows by {@code log2(plan().fpp() / fpp) /
   * ln 2}: for 100 unions at 1 %, from 9.6 to 20.6. In mode PUBLISHED, units have a fixed size, so
   * leaves contain fewer keys instead, which costs more: 25.2 bits per key in this example. In that
   * mode, a single unit cannot be divided and keeps its filter. Because that filter is sized for
   * all ids of the unit, unions of such units stay within the fpp of the plan, or within 1.5 times
   * the fpp where other views have wider leaves.
   *
   * @param fpp the maximum rate of every leaf, at most the fpp of the plan
   */
  public PartitionView view(double fpp) {
    if (Checks.probability(fpp, "fpp") > plan().fpp()) {
      throw new IllegalArgumentException(
          ("the fpp of a view is at most that of its filter, %s, not %s: divide the fpp of the "
                  + "filter by the number of views")
              .formatted(plan().fpp(), fpp));
    }
    PartitionSettings others = settings.forLeaves(fpp);
    synchronized (tree) {
      return PartitionView.of(others, tree.leavesWithin(fpp, others));
    }
  }

  /**
   * Returns an upper bound on the false positive rate, averaged over hash functions: the rate of
   * the fullest leaf.
   */
  @Override
  public double expectedFpp() {
    synchronized (tree) {
      return leaves().stream().mapToDouble(CompressedTree.Leaf::fpp).max().orElse(0);
    }
  }

  @Override
  public Optional<String> incompatibility(DynamicPartitionBloomFilter other) {
    return settings.incompatibility(other.settings);
  }

  /**
   * Returns a filter with the ids of both filters. In mode EXACT_LEAVES, the result is exact. In
   * mode PUBLISHED, unit filters are ORed and counts are upper bounds, which at worst makes the
   * tree finer than necessary (see erratum <a href="{@docRoot}/doc-files/errata.html#D8">D8</a>).
   *
   * @param maxFpp the maximum false positive rate of the result; if it is exceeded, the method
   *     throws
   */
  @Override
  public DynamicPartitionBloomFilter union(DynamicPartitionBloomFilter other, double maxFpp) {
    return merge(other, maxFpp, LeafContent::union);
  }

  /**
   * Returns a filter with the ids that are in both filters. In mode EXACT_LEAVES, the result is
   * exact. In mode PUBLISHED, unit filters are ANDed, so an id that is in only one filter passes at
   * the rate of the other (see erratum <a href="{@docRoot}/doc-files/errata.html#D9">D9</a>).
   *
   * @param maxFpp the maximum false positive rate of the result; if it is exceeded, the method
   *     throws
   */
  @Override
  public DynamicPartitionBloomFilter intersection(
      DynamicPartitionBloomFilter other, double maxFpp) {
    return merge(other, maxFpp, LeafContent::intersection);
  }

  private DynamicPartitionBloomFilter merge(
      DynamicPartitionBloomFilter other, double maxFpp, CompressedTree.Merge operation) {
    PartitionSettings both = settings.mergedWith(other.settings);
    DynamicPartitionBloomFilter merged =
        new DynamicPartitionBloomFilter(both, tree.merge(other.tree, operation));
    Merging.requireUseful(merged.expectedFpp(), maxFpp, "build both with a lower fpp");
    return merged;
  }

  @Override
  public DynamicPartitionBloomFilter copy() {
    return new DynamicPartitionBloomFilter(settings, tree.copy());
  }

  /** Removes every id. */
  public void clear() {
    tree.clear();
  }

  /** Returns all ids in ascending order; only mode EXACT_LEAVES supports this. */
  public long[] ids() {
    requireExact();
    synchronized (tree) {
      return ExactIds.idsOf(leaves());
    }
  }

  @Override
  public FilterStats stats() {
    synchronized (tree) {
      return view().stats(FilterKind.PARTITION, approximateElementCount());
    }
  }

  /** Returns the size of the filter's file in bytes; this method encodes the filter. */
  @Override
  public long sizeInBytes() {
    return header(body()).fileBytes();
  }

  @Override
  public boolean isEmpty() {
    return populatedUnits() == 0;
  }

  @Override
  public String explain() {
    long keys = approximateElementCount();
    PartitionView view = view();
    return "A dynamic partition Bloom filter, mode "
        + mode()
        + ".\n\n"
        + view.describe(keys, mode() == Mode.PUBLISHED ? "at most " : "")
        + Prose.format(
            "  file               %s: %s\n",
            Prose.bytes(sizeInBytes()),
            mode() == Mode.EXACT_LEAVES
                ? "the ids themselves; a view() holds only the tree"
                : "the unit filters; a view() holds only the tree")
        + view.comparison(keys);
  }

  private byte[] body() {
    synchronized (tree) {
      return PartitionFormat.body(mode(), leaves());
    }
  }

  private FilterHeader header(byte[] body) {
    return settings.header(FilterKind.PARTITION, List.of((long) body.length));
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    byte[] body = body();
    FilterWriter.begin(out, header(body)).bytes(body).end();
  }

  /** Reads a filter of at most 1 GiB ({@link ReadOptions#DEFAULT}) from a file. */
  public static DynamicPartitionBloomFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a filter from the bytes that {@link #toBytes} returned. */
  public static DynamicPartitionBloomFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static DynamicPartitionBloomFilter read(FilterReader reader) throws IOException {
    PartitionSettings settings = PartitionFormat.settings(reader, 1);
    byte[] body = reader.bytes();
    try {
      return new DynamicPartitionBloomFilter(
          settings, reader.checked(1, () -> PartitionFormat.tree(settings, body, reader.limit())));
    } catch (IllegalStateException keyMissing) {
      // rebuilding the tree hashes every id, which requires the secret key of a keyed scheme
      throw reader.schemeError(keyMissing.getMessage());
    }
  }

  /**
   * Returns whether the other object is a filter with the same plan, mode, hash scheme and content.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof DynamicPartitionBloomFilter filter
        && settings.isLike(filter.settings)
        && tree.keys() == filter.tree.keys()
        && Arrays.equals(body(), filter.body());
  }

  @Override
  public int hashCode() {
    return 31 * plan().hashCode() + Arrays.hashCode(body());
  }

  @Override
  public String toString() {
    return "DynamicPartitionBloomFilter[%s, %s, %d keys]"
        .formatted(plan(), mode(), approximateElementCount());
  }

  /**
   * The data that a {@link DynamicPartitionBloomFilter} keeps in addition to the tree that answers
   * queries.
   */
  public enum Mode {
    /**
     * The populated unit filters, at the exact size of Partition paper, Eq. 1. Ids cannot be
     * removed, counts are upper bounds, and the filters of the tree have the unit size.
     */
    PUBLISHED(0),

    /**
     * The ids themselves. Counts, unions and intersections are exact, ids can be removed, and the
     * filters of the tree are folded to fit their content. This is the default, because a unit
     * filter is many times larger than the exact set of its ids.
     */
    EXACT_LEAVES(1);

    private final int id;

    Mode(int id) {
      this.id = id;
    }

    /** Returns the id of this mode in files. */
    public int id() {
      return id;
    }

    /** Returns the name of this mode in command line options and JSON. */
    public String word() {
      return this == PUBLISHED ? "published" : "exact";
    }

    static Mode ofId(int id) {
      return id == PUBLISHED.id ? PUBLISHED : EXACT_LEAVES;
    }

    /** Returns the size of a unit filter in this mode. */
    public long unitBits(PartitionPlan plan) {
      return this == PUBLISHED ? plan.unitBits() : plan.allocatedUnitBits();
    }
  }

  /**
   * Builds a {@link DynamicPartitionBloomFilter} from a universe and either a depth or a unit size.
   */
  public static final class Builder extends FilterBuilder<Builder> {
    /** The default number of ids in a unit. */
    private static final long DEFAULT_UNIT_KEYS = 1024;

    private long universe = PartitionPlan.MAX_UNIVERSE;
    private @Nullable Integer depth;
    private @Nullable Long unitKeys;
    private double fpp = 0.01;
    private @Nullable Integer hashes;
    private Mode mode = Mode.EXACT_LEAVES;

    Builder() {}

    /**
     * Sets the size of the id space, up to 2^63 ({@link PartitionPlan#MAX_UNIVERSE}, the default).
     */
    public Builder universe(long universe) {
      this.universe = universe;
      return this;
    }

    /** Sets the depth of the tree, which divides the universe into 2^depth units. */
    public Builder depth(int depth) {
      this.depth = depth;
      return this;
    }

    /** Sets the maximum number of ids in a unit (default 1024), which determines the depth. */
    public Builder unitKeys(long unitKeys) {
      this.unitKeys = Checks.positive(unitKeys, "unitKeys");
      return this;
    }

    /** Sets the rate that no query exceeds (default 1 %). */
    public Builder fpp(double fpp) {
      this.fpp = Checks.probability(fpp, "fpp");
      return this;
    }

    /** Sets the number of positions per id (default: the number that needs the fewest bits). */
    public Builder hashes(int hashes) {
      this.hashes = Checks.positive(hashes, "hashes");
      return this;
    }

    /**
     * Sets the mode, i.e. the data that the filter keeps in addition to the tree (default: the
     * ids).
     */
    public Builder mode(Mode mode) {
      this.mode = Objects.requireNonNull(mode, "mode");
      return this;
    }

    /** Returns the plan of the filter that {@link #build} would create. */
    public PartitionPlan plan() {
      int k = hashes == null ? BloomRates.hashesFor(fpp) : hashes;
      if (depth == null) {
        long most = unitKeys == null ? DEFAULT_UNIT_KEYS : unitKeys;
        return PartitionPlan.ofUnitKeys(universe, most, fpp, k);
      }
      PartitionPlan plan = PartitionPlan.of(universe, depth, fpp, k);
      if (unitKeys != null && plan.unitKeys() > unitKeys) {
        throw new IllegalArgumentException(
            "depth %d gives units of %d keys, more than the unitKeys %d: set only one of the two"
                .formatted(depth, plan.unitKeys(), unitKeys));
      }
      return plan;
    }

    /** Builds the empty filter. */
    public DynamicPartitionBloomFilter build() {
      PartitionSettings settings =
          new PartitionSettings(PartitionFormat.checked(plan()), mode, hashScheme());
      return new DynamicPartitionBloomFilter(settings, new CompressedTree(settings));
    }
  }
}
