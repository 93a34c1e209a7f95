package dev.bellows.elastic;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FilterBuilder;
import dev.bellows.FilterStats;
import dev.bellows.FoldableFilter;
import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.Layout;
import dev.bellows.Membership;
import dev.bellows.RemovableKeys;
import dev.bellows.TypedFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.codec.FilterCodec;
import dev.bellows.internal.codec.FilterHeader;
import dev.bellows.internal.codec.FilterReader;
import dev.bellows.internal.codec.FilterWriter;
import dev.bellows.internal.codec.ShapeCodec;
import dev.bellows.internal.rates.Cells;
import dev.bellows.internal.store.CounterStore;
import dev.bellows.internal.store.Origin;
import dev.bellows.internal.store.Shape;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A filter that folds and unfolds to keep its false positive rate in a band while keys are put and
 * removed, for one thread at a time (000 section IV).
 *
 * <p>It keeps a filter of full capacity and a folded view of it. Queries use the view, which is
 * small enough for the cache and for transmission. Every put and remove changes both, because
 * unfolding is a new folding of the capacity filter and would lose keys that are only in the view
 * (errata <a href="{@docRoot}/doc-files/errata.html#F7">F7</a>). Folding therefore saves bandwidth
 * and cache, not the memory of the capacity filter; {@link #freeze} frees that memory; the view can
 * then no longer grow.
 */
public final class ElasticBloomFilter implements RemovableKeys, Membership {
  private static final FilterCodec<ElasticBloomFilter> CODEC =
      new FilterCodec<>(FilterKind.ELASTIC, ElasticBloomFilter::read);

  private static final int OWN_PARAMETERS = 5;

  private final Shape shape;
  private final Settings settings;
  private final FoldBand band;
  private final Set<Long> sent = new HashSet<>();
  private @Nullable FoldableFilter<?> capacity;
  private FoldableFilter<?> view;

  /**
   * Puts that changed the capacity filter minus removes that did; set to the estimate from its
   * content at every resize.
   */
  private long counted;

  private long countedAtResize;
  private long growAbove;
  private long shrinkBelow;

  /**
   * One change of the view.
   *
   * @param fromBits its size before
   * @param toBits its size after
   * @param keys the estimated number of keys at that moment
   * @param fppBefore the expected rate before
   * @param fppAfter the expected rate after
   */
  public record Resize(long fromBits, long toBits, long keys, double fppBefore, double fppAfter) {}

  /**
   * A size the view may have.
   *
   * @param bits the size
   * @param fewestKeys with fewer keys the rate is below the band
   * @param mostKeys with more keys the rate is above the band
   */
  public record ViewSize(long bits, long fewestKeys, long mostKeys) {}

  private record Settings(
      double fpp, double tolerance, FoldPolicy policy, Consumer<Resize> listener) {
    FoldBand band(Shape shape) {
      double minStep = policy == FoldPolicy.ENTROPY ? 1 : FoldBand.MIN_STEP;
      return FoldBand.of(shape.cells(), shape.bits(), fpp, tolerance, minStep);
    }
  }

  private ElasticBloomFilter(
      Shape shape,
      Settings settings,
      FoldBand band,
      @Nullable FoldableFilter<?> capacity,
      FoldableFilter<?> view) {
    this.shape = shape;
    this.settings = settings;
    this.band = band;
    this.capacity = capacity;
    this.view = view;
    this.counted = approximateElementCount();
    this.countedAtResize = counted;
    settle();
  }

  /** A builder: fpp and either the capacity or the largest number of keys. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public FilterKind kind() {
    return FilterKind.ELASTIC;
  }

  /** How keys choose cells. */
  public Layout layout() {
    return shape.cells().layout();
  }

  /** The size of the unfolded filter. */
  public long capacity() {
    return shape.bits();
  }

  /** The size of the view that answers queries. */
  public long bits() {
    return view.bits();
  }

  /** Bits per key. */
  public int hashes() {
    return shape.hashes();
  }

  /** The estimated number of distinct keys, from the fill of the capacity filter. */
  public long approximateElementCount() {
    return full().approximateElementCount();
  }

  /** The false positive rate of the view, from its real fill. */
  @Override
  public double expectedFpp() {
    return view.expectedFpp();
  }

  /** The sizes the view may have, ascending, each with the key counts it is used for. */
  public List<ViewSize> viewSizes() {
    return band.sizes().stream()
        .map(size -> new ViewSize(size.bits(), size.fewestKeys(), size.mostKeys()))
        .toList();
  }

  /** Whether the capacity filter was dropped, so that the view can only shrink. */
  public boolean isFrozen() {
    return capacity == null;
  }

  /** Whether there are more keys than the capacity holds within the band. */
  public boolean isOverCapacity() {
    return counted > band.sizes().get(band.sizes().size() - 1).mostKeys();
  }

  /** The id that was given to its builder, 0 for none; snapshots and files carry it. */
  public long filterId() {
    return full().filterId();
  }

  /** The content as a 64-bit hash: snapshots may be queried together if and only if it is equal. */
  public long state() {
    return full().state();
  }

  @Override
  public HashScheme hashScheme() {
    return shape.scheme();
  }

  @Override
  public boolean mightContainHash(long hash) {
    return view.mightContainHash(hash);
  }

  @Override
  public int countMightContainHashes(long[] hashes, int from, int to, boolean[] hits) {
    return view.countMightContainHashes(hashes, from, to, hits);
  }

  @Override
  public boolean putHash(long hash) {
    FoldableFilter<?> full = capacity;
    boolean isNew = full == null ? view.putHash(hash) : full.putHash(hash);
    if (full != null) {
      view.putHash(hash);
    }
    if (isNew) {
      counted++;
      if (counted > growAbove) {
        resize();
      }
    }
    return isNew;
  }

  /**
   * Removes one put of the key with this hash; needs a filter built with {@code counting}.
   *
   * @return whether it was removed
   */
  @Override
  public boolean removeHash(long hash) {
    if (!(full() instanceof CountingBloomFilter full)) {
      throw new IllegalStateException(
          "this elastic filter holds bits and cannot remove: build it with counting(4)");
    }
    if (!full.removeHash(hash)) {
      return false;
    }
    if (view != full) {
      ((CountingBloomFilter) view).removeHash(hash);
    }
    if (!full.mightContainHash(hash)) {
      counted--;
      if (counted < shrinkBelow) {
        resize();
      }
    }
    return true;
  }

  /** A view of this filter for keys of one type. */
  public <T> TypedFilter<T> typed(KeyHasher<? super T> hasher) {
    return TypedFilter.of(this, hasher);
  }

  /** Removes every key; a frozen filter keeps the size of its view. */
  public void clear() {
    full().clear();
    if (view != full()) {
      view.clear();
    }
    counted = 0;
    if (capacity == null) {
      countedAtResize = 0;
      settle();
    } else {
      resize();
    }
  }

  /** Moves the view to the size its policy chooses for the present number of keys. */
  private void resize() {
    // a put that passed as a false positive was not counted: start again from the content
    counted = approximateElementCount();
    List<FoldBand.Size> candidates = band.candidates(counted);
    long target = settings.policy.choose(candidates, view.bits(), sent);
    FoldableFilter<?> source = view.bits() % target == 0 || capacity == null ? view : capacity;
    if (target != view.bits() && source.bits() % target == 0) {
      FoldableFilter<?> old = view;
      view = source.foldTo(target);
      countedAtResize = counted;
      settings.listener.accept(
          new Resize(old.bits(), target, counted, old.expectedFpp(), view.expectedFpp()));
    }
    settle();
  }

  /**
   * Sets the key counts at which the next resize is due: more keys than this size may hold; or
   * fewer, if a smaller size has headroom and a share of the keys was removed since the last
   * resize.
   */
  private void settle() {
    List<FoldBand.Size> sizes = band.sizes();
    int at = 0;
    while (sizes.get(at).bits() < view.bits()) {
      at++;
    }
    boolean largest = at == sizes.size() - 1 || capacity == null;
    growAbove = largest ? Long.MAX_VALUE : Math.max(counted, sizes.get(at).mostKeys());
    double smallerServes = at == 0 ? 0 : sizes.get(at - 1).mostKeys() / (1 + band.headroom());
    double changed = countedAtResize * (1 - band.headroom());
    shrinkBelow = (long) Math.min(sizes.get(at).fewestKeys(), Math.min(smallerServes, changed));
  }

  /**
   * The small filter to ship: a copy of the view, with this filter's id and state. Under {@link
   * FoldPolicy#ENTROPY} a size that was shipped before is replaced by another one in the band.
   */
  public BloomFilter snapshot() {
    if (settings.policy == FoldPolicy.ENTROPY && sent.contains(view.bits())) {
      resize();
    }
    sent.add(view.bits());
    return full().foldTo(view.bits()).toBloomFilter();
  }

  /** Drops the capacity filter to free its memory; afterwards the view can only shrink. */
  public void freeze() {
    if (capacity != null) {
      view = capacity.foldTo(view.bits());
      capacity = null;
      settle();
    }
  }

  /** The filter with the most information: the capacity, or the view of a frozen filter. */
  private FoldableFilter<?> full() {
    return capacity == null ? view : capacity;
  }

  @Override
  public FilterStats stats() {
    FilterStats now = view.stats();
    Map<String, Object> own = new LinkedHashMap<>();
    own.putAll(shape.facts());
    own.put("capacity", capacity());
    own.put("keys", approximateElementCount());
    own.put("viewBits", view.bits());
    own.put("frozen", isFrozen());
    own.put("inBand", Math.abs(now.expectedFpp() - settings.fpp) <= settings.tolerance);
    own.put("state", filterId() == 0 ? null : Long.toHexString(state()));
    return new FilterStats(
        FilterKind.ELASTIC,
        now.layout(),
        now.bits(),
        now.hashes(),
        now.hashScheme(),
        now.ones(),
        (double) approximateElementCount(),
        now.expectedFpp(),
        header().fileBytes() + full().stats().bytes(),
        own);
  }

  @Override
  public String explain() {
    FilterStats stats = stats();
    String memory =
        isFrozen()
            ? "  The capacity filter was dropped (frozen): the view can only shrink.\n"
            : Prose.format(
                """
                  Folding saves bandwidth and cache, not memory: the full %,d bits stay here,
                  since unfolding needs them.
                """,
                capacity());
    String over =
        isOverCapacity()
            ? "  There are more keys than the capacity holds in its band: build a larger one.\n"
            : "";
    return "An elastic Bloom filter, "
        + shape.describeLayout()
        + ", keeping fpp "
        + settings.fpp
        + " +- "
        + settings.tolerance
        + ".\n\n"
        + Prose.format(
            "  capacity           %,d bits, folded by %d now\n", capacity(), capacity() / bits())
        + stats.lines("bits in view")
        + "\n"
        + memory
        + over;
  }

  private FilterHeader header() {
    return ShapeCodec.header(
        FilterKind.ELASTIC,
        shape,
        Origin.folding(filterId(), 0),
        List.of(
            view.bits(),
            Double.doubleToLongBits(settings.fpp),
            Double.doubleToLongBits(settings.tolerance),
            (long) settings.policy.id(),
            capacity == null ? 1L : 0L),
        List.of());
  }

  /** Writes its settings, followed by the capacity, or the view if it is frozen, as a filter. */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter.begin(out, header()).end();
    full().writeTo(out);
  }

  /** Reads one filter and leaves the stream at the byte after it. */
  public static ElasticBloomFilter readFrom(InputStream in, ReadOptions options)
      throws IOException {
    return CODEC.readFrom(in, options);
  }

  /** Reads one filter of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static ElasticBloomFilter readFrom(InputStream in) throws IOException {
    return readFrom(in, ReadOptions.DEFAULT);
  }

  /** Reads the filter of a file. */
  public static ElasticBloomFilter readFrom(Path path, ReadOptions options) throws IOException {
    return CODEC.readFrom(path, options);
  }

  /** Reads the filter of a file, of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static ElasticBloomFilter readFrom(Path path) throws IOException {
    return readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads the filter of the bytes of {@link #toBytes}. */
  public static ElasticBloomFilter fromBytes(byte[] bytes, ReadOptions options)
      throws FilterFormatException {
    return CODEC.fromBytes(bytes, options);
  }

  /** Reads the filter of the bytes of {@link #toBytes}. */
  public static ElasticBloomFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static ElasticBloomFilter read(FilterReader reader) throws IOException {
    Shape shape = reader.shape(OWN_PARAMETERS, 0);
    reader.requireNoState();
    int own = ShapeCodec.PARAMETERS;
    long viewBits = reader.parameter(own, "view bits", 1, shape.bits());
    FoldPolicy policy = FoldPolicy.ofId((int) reader.parameter(own + 3, "policy", 0, 2));
    boolean frozen = reader.parameter(own + 4, "frozen", 0, 1) == 1;
    Settings settings =
        new Settings(reader.real(own + 1), reader.real(own + 2), policy, resize -> {});
    Shape stored = frozen ? reader.checked(own, () -> shape.withBits(viewBits)) : shape;
    FoldBand band = reader.checked(own + 1, () -> settings.band(shape));
    if (band.sizes().stream().noneMatch(size -> size.bits() == viewBits)) {
      throw reader.parameterError(own, "view bits " + viewBits + " are not on the ladder");
    }
    if (!(reader.nested(Filter::readFrom, FilterKind.BLOOM, FilterKind.COUNTING)
            instanceof FoldableFilter<?> body)
        || !body.plan().equals(shapeOf(stored))
        || !body.hashScheme().equals(stored.scheme())
        || body.filterId() != reader.header().filterId()) {
      throw reader.parameterError(own, "its filter is none of " + stored + " with its id");
    }
    return new ElasticBloomFilter(
        shape, settings, band, frozen ? null : body, frozen ? body : body.foldTo(viewBits));
  }

  private static BloomPlan shapeOf(Shape shape) {
    Cells cells = shape.cells();
    return BloomPlan.shape(shape.bits(), cells.hashes(), cells.layout(), cells.pattern());
  }

  /** Whether the other has the same settings, view and content. */
  @Override
  public boolean equals(Object other) {
    return other instanceof ElasticBloomFilter filter
        && shape.equals(filter.shape)
        && settings.fpp == filter.settings.fpp
        && settings.tolerance == filter.settings.tolerance
        && settings.policy == filter.settings.policy
        && isFrozen() == filter.isFrozen()
        && view.equals(filter.view)
        && full().equals(filter.full());
  }

  @Override
  public int hashCode() {
    return Objects.hash(shape, view, full());
  }

  @Override
  public String toString() {
    return "ElasticBloomFilter[" + shape + ", view of " + view.bits() + " bits]";
  }

  /** Builds an {@link ElasticBloomFilter}. */
  public static final class Builder extends FilterBuilder<Builder, ElasticBloomFilter> {
    /**
     * Near its capacity a ladder has only coarse steps, so the largest view is much smaller than
     * the capacity.
     */
    private static final int CAPACITY_PER_VIEW = 8;

    private double tolerance = Double.NaN;
    private FoldPolicy policy = FoldPolicy.INDEPENDENT;
    private Consumer<Resize> listener = resize -> {};
    private int counterBits;
    private long id;

    Builder() {}

    /** How far the rate may differ from fpp, up or down; half of fpp by default. */
    public Builder tolerance(double tolerance) {
      this.tolerance = tolerance;
      return this;
    }

    /** How to choose among the sizes whose rate is in the band. */
    public Builder policy(FoldPolicy policy) {
      this.policy = Objects.requireNonNull(policy, "policy");
      return this;
    }

    /** A listener that is called at every change of the view. */
    public Builder onResize(Consumer<Resize> listener) {
      this.listener = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /**
     * Counts with counters of 4, 8, 16 or 32 bits, widened on demand, so that keys can be removed.
     */
    public Builder counting(int counterBits) {
      this.counterBits = CounterStore.checkedWidth(counterBits);
      return this;
    }

    /** An id, not 0, that snapshots carry with their state. */
    public Builder id(long id) {
      this.id = id;
      return this;
    }

    @Override
    public ElasticBloomFilter build() {
      double target = requiredFpp();
      BloomPlan asked = plan();
      Cells cells = Cells.of(asked.layout(), asked.pattern(), asked.hashes());
      long capacity =
          isSizeGiven()
              ? asked.bits()
              : cells.foldableBits((double) asked.bits() * CAPACITY_PER_VIEW);
      Shape shape = new Shape(cells, capacity, hashScheme());
      Settings settings =
          new Settings(target, Double.isNaN(tolerance) ? target / 2 : tolerance, policy, listener);
      FoldBand band = settings.band(shape);
      FoldableFilter<?> full =
          counterBits == 0
              ? BloomFilter.builder().shape(shapeOf(shape)).hashScheme(hashScheme()).id(id).build()
              : CountingBloomFilter.builder()
                  .shape(shapeOf(shape))
                  .hashScheme(hashScheme())
                  .counterBits(counterBits)
                  .id(id)
                  .build();
      FoldableFilter<?> view = full.foldTo(band.sizes().get(0).bits());
      return new ElasticBloomFilter(shape, settings, band, full, view);
    }
  }
}
