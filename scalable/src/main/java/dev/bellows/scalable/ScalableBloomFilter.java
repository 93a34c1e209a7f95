package dev.bellows.scalable;

import dev.bellows.BloomFilter;
import dev.bellows.Durable;
import dev.bellows.FilterBuilder;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.Mergeable;
import dev.bellows.StoredFilter;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.DurableContent;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.layout.Merging;
import dev.bellows.internal.math.HashFloor;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A thread-safe Bloom filter that grows with its keys and keeps its rate: queries take no lock,
 * puts of new keys are serialized, and copies, merges and files contain every put that returned
 * before they began.
 *
 * <p>It is a list of plain filters (levels), each twice as large as the one before. Keys are put
 * into the newest level; when it holds as many as its share of the rate allows, a new level is
 * created. A key that some level already contains is not put again, so repeated keys do not make
 * the filter grow. The shares of all levels, present and future, add up to the target rate ({@link
 * ScalablePlan}).
 */
public final class ScalableBloomFilter extends StoredFilter
    implements Durable, Mergeable.Intersectable<ScalableBloomFilter> {
  private static final long serialVersionUID = 1L;

  /** The format of this kind, which reads its filters from streams, files and byte arrays. */
  public static final FilterFormat<ScalableBloomFilter> FORMAT =
      FilterFormat.of(
          FilterKind.SCALABLE,
          ScalableBloomFilter.class,
          reader -> new ScalableBloomFilter(ScalableFormat.read(reader)),
          ScalableBloomFilter::empty);

  private final ScalablePlan plan;
  private final HashScheme scheme;

  /** Held while the series are changed or copied. */
  private final Object lock = new Object();

  /** One series, or several after an intersection; a key is contained if all series contain it. */
  private final List<LevelSeries> series;

  private ScalableBloomFilter(ScalablePlan plan, HashScheme scheme, List<LevelSeries> series) {
    this.plan = plan;
    this.scheme = scheme;
    this.series = List.copyOf(series);
  }

  private ScalableBloomFilter(ScalableFormat.Content read) {
    this(read.plan(), read.scheme(), read.series());
  }

  /** Returns an empty filter whose false positive rate never exceeds {@code fpp}. */
  public static ScalableBloomFilter create(double fpp) {
    return builder().fpp(fpp).build();
  }

  /** Returns a builder for all other settings. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public FilterKind kind() {
    return FilterKind.SCALABLE;
  }

  /** Returns the plan of all levels, present and future. */
  public ScalablePlan plan() {
    return plan;
  }

  /** Returns the layout, which maps keys to bits. */
  public Layout layout() {
    return plan.layout();
  }

  /** Returns the levels, newest first; after an intersection, those of both sides. */
  public List<Level> levels() {
    return content().levels().stream().map(LevelSeries.Level::now).toList();
  }

  /** Returns the rate of the plan. */
  @Override
  public double targetFpp() {
    return plan.fpp();
  }

  /**
   * Returns a copy of each of the {@link #levels} as a separate filter, so that they can be stored
   * or sent separately; {@link #ofLevels} reassembles them.
   *
   * @throws IllegalStateException if this filter is an intersection, which has two series of levels
   */
  public List<BloomFilter> levelFilters() {
    ScalableBloomFilter copy = copy();
    if (copy.series.size() > 1) {
      throw new IllegalStateException(
          "an intersection of growing filters has two series of levels: put the keys instead");
    }
    return copy.series.get(0).levels().stream().map(level -> level.filter(plan, scheme)).toList();
  }

  /**
   * Assembles a filter from levels that were stored separately.
   *
   * @param levels the levels, newest first
   * @param filters the bits of each level, which are copied
   */
  public static ScalableBloomFilter ofLevels(
      ScalablePlan plan, HashScheme scheme, List<Level> levels, List<BloomFilter> filters) {
    if (levels.isEmpty() || levels.size() != filters.size()) {
      throw new IllegalArgumentException(
          "%d levels and %d filters: pass one filter for each level, and at least one level"
              .formatted(levels.size(), filters.size()));
    }
    List<LevelSeries.Level> series = new ArrayList<>();
    long newest = LevelSeries.MAX_INDEX;
    for (int i = 0; i < levels.size(); i++) {
      Level level = levels.get(i);
      newest = Checks.inRange(0, newest, level.index, "index of a level");
      series.add(LevelSeries.Level.of(plan, scheme, level, filters.get(i)));
    }
    return new ScalableBloomFilter(plan, scheme, List.of(new LevelSeries(plan, series)));
  }

  @Override
  public HashScheme hashScheme() {
    return scheme;
  }

  @Override
  public boolean putHash(long hash) {
    if (mightContainHash(hash)) {
      return false;
    }
    synchronized (lock) {
      boolean changed = false;
      for (int i = 0; i < series.size(); i++) {
        changed |= series.get(i).put(hash);
      }
      return changed;
    }
  }

  @Override
  public boolean mightContainHash(long hash) {
    for (int i = 0; i < series.size(); i++) {
      if (!series.get(i).test(hash)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the current false positive rate, from the actual fill. After an intersection, it is the
   * higher rate of the two sides, which applies to keys that are only in the other side.
   */
  @Override
  public double expectedFpp() {
    return series.stream().mapToDouble(LevelSeries::expectedFpp).max().orElseThrow();
  }

  /**
   * Returns an upper bound on the rate for any number of keys: the target rate plus, after a union,
   * the shares of the levels of the other side.
   */
  public double promisedFpp() {
    return series.stream().mapToDouble(LevelSeries::promisedFpp).max().orElseThrow();
  }

  /**
   * Returns the number of keys that were added. Keys that were false positives when they were put
   * are not counted; keys of both sides of a union may be counted twice.
   */
  public long approximateElementCount() {
    return series.stream().mapToLong(LevelSeries::keys).min().orElseThrow();
  }

  /**
   * Returns a filter with the same keys in fewer bits: every level is folded as far as its share of
   * the rate allows. This is useful before sending a filter, because the newest level is rarely
   * full. The result can still grow.
   */
  public ScalableBloomFilter compact() {
    return new ScalableBloomFilter(
        plan, scheme, copy().series.stream().map(LevelSeries::compact).toList());
  }

  @Override
  public ScalableBloomFilter copy() {
    synchronized (lock) {
      return new ScalableBloomFilter(plan, scheme, series.stream().map(LevelSeries::copy).toList());
    }
  }

  /** Removes every key and starts again with the first level. */
  public void clear() {
    synchronized (lock) {
      series.forEach(LevelSeries::clear);
    }
  }

  @Override
  public Optional<String> incompatibility(ScalableBloomFilter other) {
    return scheme
        .incompatibility(other.scheme)
        .or(() -> Merging.difference(List.of(plan), List.of(other.plan)));
  }

  /**
   * Returns a filter that contains every key of both. It has the levels of both, because two full
   * filters cannot be combined into one at the same rate. Two levels of the same size are combined
   * if one can hold the keys of both. {@link #promisedFpp} of the result bounds its rate.
   *
   * @param maxFpp the maximum false positive rate of the result; if it is exceeded, the method
   *     throws
   */
  @Override
  public ScalableBloomFilter union(ScalableBloomFilter other, double maxFpp) {
    Merging.requireCompatible(incompatibility(other));
    // (a and b) or (c and d) is a subset of (a or c) and (b or d), for any pairing
    List<LevelSeries> mine = copy().series;
    List<LevelSeries> theirs = other.copy().series;
    int pairs = Math.max(mine.size(), theirs.size());
    List<LevelSeries> merged = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      merged.add(mine.get(i % mine.size()).union(theirs.get(i % theirs.size())));
    }
    ScalableBloomFilter union =
        new ScalableBloomFilter(plan, scheme.mergedWith(other.scheme), merged);
    Merging.requireUseful(union.expectedFpp(), maxFpp, "build both with a lower fpp");
    return union;
  }

  /**
   * Returns a filter that contains every key that is in both. A common key may be in any level of
   * either side, so levels are not paired: a query of the result tests both sides, each of them
   * without the bits that no key of the other side can have set. A key that is only in one side
   * passes at the rate of the other one.
   *
   * @param maxFpp the maximum false positive rate of the result; if it is exceeded, the method
   *     throws
   */
  @Override
  public ScalableBloomFilter intersection(ScalableBloomFilter other, double maxFpp) {
    Merging.requireCompatible(incompatibility(other));
    List<LevelSeries> both = new ArrayList<>();
    series.forEach(mine -> both.add(prune(mine, other)));
    other.series.forEach(theirs -> both.add(prune(theirs, this)));
    ScalableBloomFilter intersection =
        new ScalableBloomFilter(plan, scheme.mergedWith(other.scheme), both);
    Merging.requireUseful(intersection.expectedFpp(), maxFpp, "build both with a lower fpp");
    return intersection;
  }

  private static LevelSeries prune(LevelSeries series, ScalableBloomFilter by) {
    LevelSeries pruned = series;
    for (LevelSeries other : by.series) {
      pruned = pruned.prunedBy(other);
    }
    return pruned;
  }

  @Override
  public FilterStats stats() {
    long ones = content().levels().stream().mapToLong(level -> level.store.ones()).sum();
    return FilterStats.of(
            this, layout(), bits(), plan.hashes(), ones, (double) approximateElementCount())
        .growing(plan.fpp(), new FilterStats.Parts("levels", levels().size()));
  }

  @Override
  public long sizeInBytes() {
    return content().fileBytes();
  }

  @Override
  public boolean isEmpty() {
    return content().levels().stream().allMatch(level -> level.store.ones() == 0);
  }

  /** Returns the number of bits of all levels. */
  public long bits() {
    return content().levels().stream().mapToLong(level -> level.bits).sum();
  }

  private ScalableFormat.Content content() {
    return new ScalableFormat.Content(plan, scheme, series);
  }

  @Override
  public String explain() {
    StringBuilder levels = new StringBuilder();
    for (Level level : levels()) {
      levels.append(
          Prose.format(
              "  level %-2d           %,d of %,d keys in %,d bits, fpp %s%n",
              level.index(),
              level.keys(),
              level.capacity(),
              level.bits(),
              Prose.rate(level.expectedFpp())));
    }
    return "A scalable Bloom filter, "
        + plan.layout().describe()
        + ": it grows by levels, and its rate never exceeds "
        + Prose.rate(promisedFpp())
        + ".\n\n"
        + stats().lines("bits", sizeInBytes())
        + levels;
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    // a copy, so that other threads do not wait for a slow stream
    copy().content().writeTo(out);
  }

  /** Reads a filter of at most 1 GiB ({@link ReadOptions#DEFAULT}) from a file. */
  public static ScalableBloomFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a filter from the bytes that {@link #toBytes} returned. */
  public static ScalableBloomFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static ScalableBloomFilter empty(FilterReader header) throws IOException {
    ScalableFormat.Content settings = ScalableFormat.settings(header);
    ScalablePlan plan = settings.plan();
    header.requireWithinLimit(1, plan.initialBits() / 8);
    LevelSeries first = header.checked(1, () -> new LevelSeries(plan));
    return new ScalableBloomFilter(plan, settings.scheme(), List.of(first));
  }

  @SuppressWarnings("exports")
  @Override
  public DurableContent<ScalableBloomFilter> durableContent() {
    return new Durability();
  }

  /**
   * The durable content of this filter, whose image is the file of a copy that shares all levels
   * but the newest.
   */
  private final class Durability implements DurableContent<ScalableBloomFilter> {
    @Override
    public ScalableBloomFilter filter() {
      return ScalableBloomFilter.this;
    }

    @Override
    public ScalableBloomFilter empty(byte[] settings, ReadOptions options) throws IOException {
      return FORMAT.empty(settings, options);
    }

    @Override
    public byte[] settings() {
      return content().settings();
    }

    @Override
    public int commutingBits() {
      // the level of a key depends on all keys that were put before
      return 0;
    }

    @Override
    public void clear() {
      ScalableBloomFilter.this.clear();
    }

    @Override
    public ScalableBloomFilter read(InputStream in, ReadOptions options) throws IOException {
      return FORMAT.readFrom(in, options);
    }
  }

  /** Returns whether the other object is a filter with the same plan, hash scheme and levels. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ScalableBloomFilter filter
        && scheme.equals(filter.scheme)
        && plan.equals(filter.plan)
        && copy().series.equals(filter.copy().series);
  }

  @Override
  public int hashCode() {
    return Objects.hash(scheme, series);
  }

  @Override
  public String toString() {
    return "ScalableBloomFilter[%s, fpp %s, %d levels, %d keys in %d bits]"
        .formatted(
            plan.layout().family(),
            plan.fpp(),
            content().levels().size(),
            approximateElementCount(),
            bits());
  }

  /** Builds a {@link ScalableBloomFilter}. */
  public static final class Builder extends FilterBuilder<Builder> {
    private static final long DEFAULT_KEYS = 1000;

    private @Nullable Long initialKeys;
    private double fpp = 0.01;
    private long horizonKeys = ScalablePlan.DEFAULT_HORIZON;
    private Layout.Family layout = Layout.Family.BLOCKED;

    Builder() {}

    /** Sets the number of keys for which the first level is planned (default 1000). */
    public Builder initialKeys(long initialKeys) {
      this.initialKeys = Checks.positive(initialKeys, "initialKeys");
      return this;
    }

    /**
     * Sets the rate that the filter never exceeds (default 1 %). It does not include collisions of
     * 64-bit hashes, which add n / 2^64 for n keys.
     */
    public Builder fpp(double fpp) {
      this.fpp = Checks.probability(fpp, "fpp");
      return this;
    }

    /**
     * Sets the number of keys up to which the filter is planned (default 1e9). It can grow further,
     * at a few more bits per key for every doubling.
     */
    public Builder horizonKeys(long horizonKeys) {
      this.horizonKeys = Checks.positive(horizonKeys, "horizonKeys");
      return this;
    }

    /** Sets the layout: BLOCKED (default, one cache miss per level) or CLASSIC (fewest bits). */
    public Builder layout(Layout.Family layout) {
      this.layout = Objects.requireNonNull(layout, "layout");
      return this;
    }

    /** Returns the plan of the filter that would be built. */
    public ScalablePlan plan() {
      HashFloor.require(fpp, initialKeys == null ? 1 : initialKeys);
      return ScalablePlan.of(
          initialKeys == null ? DEFAULT_KEYS : initialKeys, fpp, horizonKeys, layout);
    }

    /** Builds the empty filter. */
    public ScalableBloomFilter build() {
      ScalablePlan plan = plan();
      return new ScalableBloomFilter(plan, hashScheme(), List.of(new LevelSeries(plan)));
    }
  }

  /**
   * The current state of one level of a {@link ScalableBloomFilter}.
   *
   * @param index its index in the plan, starting at 0
   * @param bits its size
   * @param capacity the maximum number of keys it may hold
   * @param keys the number of keys it holds
   * @param expectedFpp its false positive rate, from its actual fill
   */
  public record Level(int index, long bits, long capacity, long keys, double expectedFpp) {}
}
