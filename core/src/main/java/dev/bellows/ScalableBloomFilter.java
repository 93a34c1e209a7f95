package dev.bellows;

import dev.bellows.internal.Checks;
import dev.bellows.internal.Words;
import dev.bellows.io.FilterHeader;
import dev.bellows.io.FilterKind;
import dev.bellows.io.FilterReader;
import dev.bellows.io.FilterWriter;
import dev.bellows.io.ReadLimits;
import dev.bellows.plan.Layout;
import dev.bellows.plan.ScalablePlan;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter that takes keys for as long as they come and keeps its rate, for one writing
 * thread at a time; queries may run beside it from any thread.
 *
 * <p>It is a row of plain filters, each twice as large as the one before. Keys go into the newest;
 * when that has taken as many as its share of the rate allows, a new one begins. A key that some
 * level already has is not put again, so repetitions do not make it grow. The shares of the levels,
 * all that may ever come, add up to the asked rate ({@link ScalablePlan}).
 */
public final class ScalableBloomFilter implements KeyFilter {
  private static final int OWN_PARAMETERS = 4;
  private static final int LEVEL_PARAMETERS = 5;
  private static final int MAX_INDEX = 1 << 12;

  private final ScalablePlan plan;
  private final HashScheme scheme;

  /** Those that must all have a key: one, or several after an intersection. */
  private final List<LevelSeries> series;

  private ScalableBloomFilter(ScalablePlan plan, HashScheme scheme, List<LevelSeries> series) {
    this.plan = plan;
    this.scheme = scheme;
    this.series = List.copyOf(series);
  }

  /** An empty filter that never passes more than this share of outsiders. */
  public static ScalableBloomFilter create(double fpp) {
    return builder().fpp(fpp).build();
  }

  /** A builder for everything else. */
  public static Builder builder() {
    return new Builder();
  }

  /** The levels it has and will have. */
  public ScalablePlan plan() {
    return plan;
  }

  /** How keys choose bits. */
  public Layout layout() {
    return plan.layout();
  }

  /** Its levels, newest first; after an intersection those of both sides. */
  public List<ScalableLevel> levels() {
    return series.stream().flatMap(s -> s.levels().stream()).map(LevelSeries.Level::now).toList();
  }

  @Override
  public HashScheme hashScheme() {
    return scheme;
  }

  @Override
  public boolean putHash(long hash) {
    boolean changed = false;
    for (int i = 0; i < series.size(); i++) {
      changed |= series.get(i).put(hash);
    }
    return changed;
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
   * The rate at which outsiders pass now, from the real fill. After an intersection it is that of
   * the side that passes more, which keys of the other side alone meet.
   */
  public double expectedFpp() {
    return series.stream().mapToDouble(LevelSeries::expectedFpp).max().orElseThrow();
  }

  /**
   * What the rate never exceeds, however many keys come: the asked rate; after a union also the
   * shares of the levels that came with the other side.
   */
  public double promisedFpp() {
    return series.stream().mapToDouble(LevelSeries::promisedFpp).max().orElseThrow();
  }

  /**
   * The number of keys it has taken. Keys that passed as false positives when they came are not
   * counted; keys of both sides of a union may be counted twice.
   */
  public long approximateElementCount() {
    return series.stream().mapToLong(LevelSeries::keys).min().orElseThrow();
  }

  /**
   * The same keys in fewer bits: every level folded as far as its share of the rate allows. Worth
   * it before shipping, since the newest level is seldom full. Growth goes on from there.
   */
  public ScalableBloomFilter compact() {
    return new ScalableBloomFilter(
        plan, scheme, series.stream().map(LevelSeries::compact).toList());
  }

  /** An independent filter with the same content. */
  public ScalableBloomFilter copy() {
    return new ScalableBloomFilter(plan, scheme, series.stream().map(LevelSeries::copy).toList());
  }

  /** Why the other filter cannot be merged with this one; empty if it can. */
  public Optional<String> incompatibility(ScalableBloomFilter other) {
    if (!scheme.equals(other.scheme)) {
      return Optional.of(scheme + " here and " + other.scheme + " there");
    }
    return plan.equals(other.plan)
        ? Optional.empty()
        : Optional.of(plan + " here and " + other.plan + " there");
  }

  /** A filter that holds every key of both; refused if it would pass half of all outsiders. */
  public ScalableBloomFilter union(ScalableBloomFilter other) {
    return union(other, FoldableFilter.DEFAULT_MAX_FPP);
  }

  /**
   * A filter that holds every key of both. It has the levels of both: nothing can make two full
   * filters one without passing more outsiders. Levels of one size become one where their keys fit
   * together. {@link #promisedFpp} says what the result keeps.
   *
   * @param maxFpp the highest expected rate of the result that is worth having
   */
  public ScalableBloomFilter union(ScalableBloomFilter other, double maxFpp) {
    requireCompatible(other);
    // (a and b) or (c and d) lies within (a or c) and (b or d), however they are paired
    int pairs = Math.max(series.size(), other.series.size());
    List<LevelSeries> merged = new ArrayList<>();
    for (int i = 0; i < pairs; i++) {
      LevelSeries mine = series.get(i % series.size());
      merged.add(mine.union(other.series.get(i % other.series.size())));
    }
    ScalableBloomFilter union = new ScalableBloomFilter(plan, scheme, merged);
    double fpp = union.expectedFpp();
    if (fpp > maxFpp) {
      throw new IllegalArgumentException(
          "the union would have fpp %s, above %s: build both with a lower fpp, or raise the limit"
              .formatted(fpp, maxFpp));
    }
    return union;
  }

  /**
   * A filter that holds every key that is in both. A common key may lie in any level of either
   * side, so levels are not paired: the result asks both sides, each without the bits that no key
   * of the other side can have set. A key of one side alone passes at the other side's rate.
   */
  public ScalableBloomFilter intersection(ScalableBloomFilter other) {
    requireCompatible(other);
    List<LevelSeries> both = new ArrayList<>();
    series.forEach(mine -> both.add(prune(mine, other)));
    other.series.forEach(theirs -> both.add(prune(theirs, this)));
    return new ScalableBloomFilter(plan, scheme, both);
  }

  private static LevelSeries prune(LevelSeries series, ScalableBloomFilter by) {
    LevelSeries pruned = series;
    for (LevelSeries other : by.series) {
      pruned = pruned.prunedBy(other);
    }
    return pruned;
  }

  private void requireCompatible(ScalableBloomFilter other) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("filters cannot be merged: " + reason);
            });
  }

  @Override
  public FilterStats stats() {
    long bits = 0;
    long ones = 0;
    for (LevelSeries.Level level : allLevels()) {
      bits += level.bits;
      ones += Words.ones(level.words);
    }
    return new FilterStats(
        FilterKind.SCALABLE,
        plan.layout(),
        bits,
        plan.hashes(),
        scheme,
        ones,
        (double) ones / bits,
        approximateElementCount(),
        expectedFpp(),
        header().fileBytes());
  }

  private List<LevelSeries.Level> allLevels() {
    return series.stream().flatMap(s -> s.levels().stream()).toList();
  }

  @Override
  public String explain() {
    return GrowthExplanation.of(this);
  }

  private FilterHeader header() {
    List<Long> own = new ArrayList<>();
    own.add(plan.initialKeys());
    own.add(Double.doubleToRawLongBits(plan.fpp()));
    own.add(plan.horizonKeys());
    own.add((long) series.size());
    for (int s = 0; s < series.size(); s++) {
      for (LevelSeries.Level level : series.get(s).levels()) {
        own.addAll(List.of((long) s, (long) level.index, level.bits, level.capacity, level.keys));
      }
    }
    return new FilterShape(plan.layout(), plan.initialBits(), plan.hashes(), scheme)
        .header(
            FilterKind.SCALABLE,
            Origin.anonymous(),
            own,
            allLevels().stream().map(level -> 8L * level.positions.wordCount()).toList());
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter writer = FilterWriter.begin(out, header());
    for (LevelSeries.Level level : allLevels()) {
      writer.words(level.words, level.positions.firstWord(), level.positions.wordCount());
    }
    writer.end();
  }

  /** Reads a filter, to the end of the stream. */
  public static ScalableBloomFilter readFrom(InputStream in, ReadLimits limits) throws IOException {
    return read(FilterReader.open(in, limits).expect(FilterKind.SCALABLE), null);
  }

  /** Reads a filter from the bytes of {@link #toBytes}. */
  public static ScalableBloomFilter fromBytes(byte[] bytes) throws IOException {
    return readFrom(new ByteArrayInputStream(bytes), ReadLimits.NONE);
  }

  static ScalableBloomFilter read(FilterReader reader, @Nullable HashScheme given)
      throws IOException {
    reader.expectAnonymous();
    int count = reader.header().sectionBytes().size();
    FilterShape first =
        FilterShape.read(reader, given, OWN_PARAMETERS + LEVEL_PARAMETERS * count, count);
    int at = FilterShape.PARAMETERS;
    long initialKeys = reader.parameter(at, "initial keys", 1, Long.MAX_VALUE);
    double fpp = Double.longBitsToDouble(reader.parameter(at + 1, "fpp", 1, Long.MAX_VALUE));
    long horizon = reader.parameter(at + 2, "horizon", 1, Long.MAX_VALUE);
    ScalablePlan plan =
        reader.checked(
            at + 1,
            () ->
                new ScalablePlan(
                    first.layout(), initialKeys, fpp, horizon, first.hashes(), first.bits()));
    reader.parameter(at + 3, "series", 1, Math.max(1, count));
    List<List<LevelSeries.Level>> levels = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int own = at + OWN_PARAMETERS + LEVEL_PARAMETERS * i;
      // series come one after the other, each with its newest level first
      long last = levels.size() - 1L;
      long s = reader.parameter(own, "series of a level", Math.max(0, last), last + 1);
      if (s > last) {
        levels.add(new ArrayList<>());
      }
      List<LevelSeries.Level> row = levels.get((int) s);
      long newest = row.isEmpty() ? MAX_INDEX : row.get(row.size() - 1).index;
      int index = (int) reader.parameter(own + 1, "index of a level", 0, newest);
      long bits = reader.parameter(own + 2, "bits of a level", 1, ScalablePlan.MAX_LEVEL_BITS);
      long capacity = reader.parameter(own + 3, "capacity of a level", 1, Long.MAX_VALUE);
      long keys = reader.parameter(own + 4, "keys of a level", 0, capacity);
      FilterShape shape = reader.checked(own + 2, () -> LevelSeries.shape(plan, bits));
      long[] words = shape.readStore(reader);
      row.add(new LevelSeries.Level(index, shape, words, capacity, keys));
    }
    reader.parameter(at + 3, "series", levels.size(), levels.size());
    reader.end();
    return new ScalableBloomFilter(
        plan, first.scheme(), levels.stream().map(row -> new LevelSeries(plan, row)).toList());
  }

  /** Whether the other is a filter of the same plan and hashing with the same levels. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ScalableBloomFilter filter
        && scheme.equals(filter.scheme)
        && plan.equals(filter.plan)
        && series.equals(filter.series);
  }

  @Override
  public int hashCode() {
    return Objects.hash(scheme, series);
  }

  @Override
  public String toString() {
    return "ScalableBloomFilter[%s, fpp %s, %d levels, %d keys in %d bits]"
        .formatted(
            plan.layout(),
            plan.fpp(),
            allLevels().size(),
            approximateElementCount(),
            allLevels().stream().mapToLong(level -> level.bits).sum());
  }

  /** Builds a {@link ScalableBloomFilter}. */
  public static final class Builder {
    private long initialKeys = 1000;
    private double fpp = 0.01;
    private long horizonKeys = ScalablePlan.DEFAULT_HORIZON;
    private Layout layout = Layout.BLOCKED;
    private HashScheme scheme = HashScheme.DEFAULT;

    Builder() {}

    /** The keys that its first level is meant for (default 1000). */
    public Builder initialKeys(long initialKeys) {
      this.initialKeys = Checks.positive(initialKeys, "initialKeys");
      return this;
    }

    /** The rate that it never exceeds (default 1 %). */
    public Builder fpp(double fpp) {
      this.fpp = Checks.probability(fpp, "fpp");
      return this;
    }

    /**
     * The number of keys up to which it is at its best (default 1e9). It goes on beyond, at a few
     * bits more per key for every doubling.
     */
    public Builder horizonKeys(long horizonKeys) {
      this.horizonKeys = Checks.positive(horizonKeys, "horizonKeys");
      return this;
    }

    /** BLOCKED (default, one cache miss per level) or CLASSIC (fewest bits). */
    public Builder layout(Layout layout) {
      this.layout = layout;
      return this;
    }

    /** The seed of the default hash scheme. */
    public Builder seed(long seed) {
      return hashScheme(HashScheme.xxh3(seed));
    }

    /** The hash scheme. */
    public Builder hashScheme(HashScheme scheme) {
      this.scheme = scheme;
      return this;
    }

    /** The plan of the filter it would build. */
    public ScalablePlan plan() {
      return ScalablePlan.of(initialKeys, fpp, horizonKeys, layout);
    }

    /** Builds the empty filter. */
    public ScalableBloomFilter build() {
      ScalablePlan plan = plan();
      return new ScalableBloomFilter(plan, scheme, List.of(new LevelSeries(plan)));
    }
  }
}
